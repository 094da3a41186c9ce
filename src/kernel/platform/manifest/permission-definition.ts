import type { AccessLevel } from '../../common/roles.js';

/** What roles are held on, and paths name. `user` is the caller, who may do everything with it. */
export type ResourceKind = 'user' | 'organization' | 'collection' | 'space' | 'site';

/** Circumstances in which a flag is false whatever the role: guests see nobody else, and translations are written by their runs alone. */
export type FlagException = 'guest' | 'translation';

/** What an operation needs: the least role on its resource, and the scope that a limited token must carry. */
export interface PermissionDefinition {
  readonly least: AccessLevel;
  readonly scope: string;
  /** One sentence for whoever gives out roles and tokens. */
  readonly about: string;
  /** Also on spaces in the trash. */
  readonly inTrash?: true;
  /** The name of the permission among the `permissions` of the presented resource; without one it is not told. */
  readonly flag?: string;
  readonly flagExceptions?: readonly FlagException[];
}

/** Permissions by `<resource>:<what>`. */
export type PermissionTable = Readonly<Record<`${ResourceKind}:${string}`, PermissionDefinition>>;
