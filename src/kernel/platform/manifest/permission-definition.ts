import type { AccessLevel } from '../../common/roles.js';

/**
 * The kinds of resources that roles are held on and paths name. `user` is the caller, who may do everything with it.
 */
export type ResourceKind = 'user' | 'organization' | 'collection' | 'space' | 'site';

/**
 * Circumstances in which a flag is false whatever the role: guests see no other members, and nothing
 * replaces all of a translation but its runs.
 */
export type FlagException = 'guest' | 'translation';

/** The requirements of an operation: the least role on its resource, and the scope that a limited token must have. */
export interface PermissionDefinition {
  readonly least: AccessLevel;
  readonly scope: string;
  /** A wider scope that includes it. */
  readonly within?: string;
  /** One sentence for people who grant roles and create tokens. */
  readonly about: string;
  /**
   * For permissions of the caller: tokens and sessions that are limited to one organization have it as well, and see
   * and change what is of that organization.
   */
  readonly whenLimited?: true;
  /** The permission also applies to spaces in the trash. */
  readonly inTrash?: true;
  /** The name of the permission among the `permissions` of the presented resource; without one it is not shown. */
  readonly flag?: string;
  readonly flagExceptions?: readonly FlagException[];
  /**
   * Roles of an organization's own can add it to a role. It must not let its holders give themselves or others a role, a
   * token or access: of spaces only what those who administer one may do anyway.
   */
  readonly assignable?: true;
}

/** The kinds of resources on which roles of an organization's own can add permissions. */
export type ExtensibleKind = Exclude<ResourceKind, 'user' | 'collection'>;

/** Permissions by `<resource>:<what>`. */
export type PermissionTable = Readonly<
  Record<`${ExtensibleKind}:${string}`, PermissionDefinition> &
    Record<`${Exclude<ResourceKind, ExtensibleKind>}:${string}`, PermissionDefinition & { readonly assignable?: never }>
>;
