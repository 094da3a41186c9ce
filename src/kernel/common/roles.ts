/** Access levels in ascending order; `none` is null in the API. The order is that of the SQL type. */
export const ACCESS_LEVELS = ['none', 'read', 'comment', 'edit', 'review', 'create', 'admin'] as const;
export type AccessLevel = (typeof ACCESS_LEVELS)[number];

/** The roles of the API, highest first as in the public contract. */
export const ROLES = ['admin', 'create', 'review', 'edit', 'comment', 'read'] as const;
export type Role = (typeof ROLES)[number];

export function atLeast(level: AccessLevel, least: AccessLevel): boolean {
  return ACCESS_LEVELS.indexOf(level) >= ACCESS_LEVELS.indexOf(least);
}

/** The API role of a stored level; null means a guest, or no access. */
export function presentRole(level: AccessLevel): Role | null {
  return level === 'none' ? null : level;
}

export function storedLevel(role: Role | null): AccessLevel {
  return role ?? 'none';
}
