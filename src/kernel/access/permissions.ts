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

/** The permissions that roles of an organization's own can add. */
type AssignableKey = {
  [Key in PermissionKey]: ServicePermissions[Key] extends { readonly assignable: true } ? Key : never;
}[PermissionKey];

/** A thing that is presented to a caller, with the rights of the caller on it. */
export interface AsSeen {
  readonly callerRole: AccessLevel;
  readonly callerAdded: readonly string[];
}

/** The rights of a user on a resource: a role, and the permissions that a custom role adds to it. */
export interface Rights {
  readonly role: AccessLevel;
  readonly added: readonly string[];
}

/** The names of the flags of a resource kind. */
type FlagOf<Kind extends ResourceKind> = {
  [Key in keyof ServicePermissions]: Key extends `${Kind}:${string}`
    ? ServicePermissions[Key] extends { readonly flag: infer Flag extends string }
      ? Flag
      : never
    : never;
}[keyof ServicePermissions];

/** The rights of those to whose role nothing is added. */
export function roleAlone(role: AccessLevel): Rights {
  return { role, added: [] };
}

/** The rights of the caller on a thing that is presented to them. */
export function rightsOn({ callerRole, callerAdded }: AsSeen): Rights {
  return { role: callerRole, added: callerAdded };
}

const table = assembled(({ permissions }) => permissions);
/** Permissions with a flag, by resource kind. */
const flagged = assembled(({ permissions }) => {
  const kinds = new Map<ResourceKind, (PermissionDefinition & { readonly key: string; readonly flag: string })[]>();
  for (const [key, definition] of permissions) {
    const { flag } = definition;
    if (flag === undefined) continue;
    const kind = resourceOf(key);
    kinds.set(kind, [...(kinds.get(kind) ?? []), { ...definition, key, flag }]);
  }
  return kinds;
});

/** A permission that roles of an organization's own can add. */
export type AssignablePermission = PermissionDefinition & { readonly key: string };

/** All of these, in the order of their keys. */
export const assignablePermissions = assembled(({ permissions }): readonly AssignablePermission[] =>
  [...permissions].flatMap(([key, definition]) => (definition.assignable === true ? [{ ...definition, key }] : [])),
);

/** Their keys. */
export const ASSIGNABLE_PERMISSIONS: readonly string[] = whenAssembled(({ permissions }) =>
  [...permissions].flatMap(([key, { assignable }]) => (assignable === true ? [key] : [])).sort(),
);

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

/**
 * Tells whether rights on a resource are sufficient for a permission; for one that cannot be added to a role, the role
 * alone tells.
 */
export function allows(key: Exclude<PermissionKey, AssignableKey>, role: AccessLevel): boolean;
export function allows(key: PermissionKey, rights: Rights): boolean;
export function allows(key: PermissionKey, rights: Rights | AccessLevel): boolean {
  return holds(permission(key), key, typeof rights === 'string' ? roleAlone(rights) : rights);
}

function holds({ least, assignable }: PermissionDefinition, key: string, { role, added }: Rights): boolean {
  return atLeast(role, least) || (assignable === true && added.includes(key));
}

/**
 * Throws `forbidden`, naming the missing role or scope, unless rights on a resource and the scopes of a token are
 * sufficient; for a permission that cannot be added to a role, the role alone tells.
 */
export function requirePermission(
  caller: Pick<Caller, 'scopes'>,
  key: Exclude<PermissionKey, AssignableKey>,
  role: AccessLevel,
): void;
export function requirePermission(caller: Pick<Caller, 'scopes'>, key: PermissionKey, rights: Rights): void;
export function requirePermission(
  caller: Pick<Caller, 'scopes'>,
  key: PermissionKey,
  given: Rights | AccessLevel,
): void {
  requireScope(caller, key);
  if (!allows(key, typeof given === 'string' ? roleAlone(given) : given))
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
 * Computes the flags of a resource for rights on it, from the permissions of all modules and the exceptions that apply.
 */
export function permissionFlags<Kind extends ResourceKind>(
  kind: Kind,
  rights: Rights,
  exceptions: readonly FlagException[] = [],
): Record<FlagOf<Kind>, boolean> {
  const flags = (flagged().get(kind) ?? []).map((definition) => [
    definition.flag,
    holds(definition, definition.key, rights) &&
      !(definition.flagExceptions ?? []).some((exception) => exceptions.includes(exception)),
  ]);
  return Object.fromEntries(flags) as Record<FlagOf<Kind>, boolean>;
}
