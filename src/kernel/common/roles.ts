/** Access levels in ascending order; `none` is what the API shows as null. The order is that of the SQL type. */
export const ACCESS_LEVELS = ['none', 'read', 'comment', 'edit', 'review', 'create', 'admin'] as const;
export type AccessLevel = (typeof ACCESS_LEVELS)[number];

/** The roles of the API, highest first as the public contract lists them. */
export const ROLES = ['admin', 'create', 'review', 'edit', 'comment', 'read'] as const;
export type Role = (typeof ROLES)[number];

export function atLeast(level: AccessLevel, least: AccessLevel): boolean {
  return ACCESS_LEVELS.indexOf(level) >= ACCESS_LEVELS.indexOf(least);
}

/** The role of the API for a stored level: null is a guest, or no access. */
export function presentRole(level: AccessLevel): Role | null {
  return level === 'none' ? null : level;
}

export function storedLevel(role: Role | null): AccessLevel {
  return role ?? 'none';
}
