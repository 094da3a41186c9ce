import type { Caller } from '../common/context.js';
import { DomainError } from '../common/errors.js';
import { atLeast, type AccessLevel } from '../common/roles.js';
import type { ServicePermissions } from '../platform/manifest/manifest.js';
import type { FlagException, PermissionDefinition, ResourceKind } from '../platform/manifest/permission-definition.js';
import { assembled, whenAssembled } from '../platform/manifest/registry.js';

/*
 * The permissions of all modules form one table: the guard reads it, and the `permissions` flags of presented objects
 * are computed from it, so that they cannot differ.
 */

export type PermissionKey = keyof ServicePermissions;

/** The names of the flags of a resource kind. */
type FlagOf<Kind extends ResourceKind> = {
  [Key in keyof ServicePermissions]: Key extends `${Kind}:${string}`
    ? ServicePermissions[Key] extends { readonly flag: infer Flag extends string }
      ? Flag
      : never
    : never;
}[keyof ServicePermissions];

const table = assembled(({ permissions }) => permissions);
/** Permissions with a flag, by resource kind. */
const flagged = assembled(({ permissions }) => {
  const kinds = new Map<ResourceKind, (PermissionDefinition & { readonly flag: string })[]>();
  for (const [key, definition] of permissions) {
    const { flag } = definition;
    if (flag === undefined) continue;
    const kind = resourceOf(key);
    kinds.set(kind, [...(kinds.get(kind) ?? []), { ...definition, flag }]);
  }
  return kinds;
});

/** Every scope that a token can be limited to. */
export const SCOPES: readonly string[] = whenAssembled(({ permissions }) =>
  [...new Set([...permissions.values()].map(({ scope }) => scope))].sort(),
);

/** The meanings of scopes, as the permissions describe them. */
export const scopeMeanings = assembled(({ permissions }) => {
  const meanings = new Map<string, string>();
  for (const { scope, about } of permissions.values())
    meanings.set(scope, [meanings.get(scope), about].filter((text) => text !== undefined).join('; '));
  return meanings;
});

/** The wider scope of each scope that is part of one. */
const widerScopes = assembled(
  ({ permissions }) =>
    new Map([...permissions.values()].flatMap(({ scope, within }) => (within === undefined ? [] : [[scope, within]]))),
);

/** Tells whether the scopes of a token include a scope. */
export function includesScope(scopes: readonly string[], scope: string): boolean {
  return scopes.includes(scope) || scopes.includes(widerScopes().get(scope) ?? scope);
}

/** Returns the requirements of a permission; throws if no module defines it. */
export function permission(key: string): PermissionDefinition {
  const found = table().get(key);
  if (!found) throw new Error(`no module brings the permission ${key}`);
  return found;
}

export function resourceOf(key: string): ResourceKind {
  return key.slice(0, key.indexOf(':')) as ResourceKind;
}

/** Tells whether a role on a resource is sufficient for a permission. */
export function allows(key: PermissionKey, role: AccessLevel): boolean {
  return atLeast(role, permission(key).least);
}

/**
 * Throws `forbidden`, naming the missing role or scope, unless a role on a resource and the scopes of a token are
 * sufficient.
 */
export function requirePermission(caller: Pick<Caller, 'scopes'>, key: PermissionKey, role: AccessLevel): void {
  requireScope(caller, key);
  if (!allows(key, role))
    throw new DomainError(
      'forbidden',
      `Requires the permission ${key}, which needs the role ${permission(key).least} or higher`,
    );
}

export function requireScope({ scopes }: Pick<Caller, 'scopes'>, key: PermissionKey): void {
  const { scope } = permission(key);
  if (scopes && !includesScope(scopes, scope)) throw new DomainError('forbidden', `The token lacks the scope ${scope}`);
}

/**
 * Throws `forbidden` unless a role is at least the level that its holder wants to grant to others; null grants nothing.
 */
export function requireHeld(role: AccessLevel, level: AccessLevel | null): void {
  if (level !== null && !atLeast(role, level))
    throw new DomainError('forbidden', `Granting the role ${level} requires holding it`);
}

/**
 * Computes the flags of a resource for a role on it, from the permissions of all modules and the exceptions that apply.
 */
export function permissionFlags<Kind extends ResourceKind>(
  kind: Kind,
  role: AccessLevel,
  exceptions: readonly FlagException[] = [],
): Record<FlagOf<Kind>, boolean> {
  const flags = (flagged().get(kind) ?? []).map(({ flag, least, flagExceptions = [] }) => [
    flag,
    atLeast(role, least) && !flagExceptions.some((exception) => exceptions.includes(exception)),
  ]);
  return Object.fromEntries(flags) as Record<FlagOf<Kind>, boolean>;
}
