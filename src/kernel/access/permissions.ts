import type { Caller } from '../common/context.js';
import { DomainError } from '../common/errors.js';
import { atLeast, type AccessLevel } from '../common/roles.js';

export type ResourceKind = 'user' | 'organization' | 'collection' | 'space' | 'site';

/** What an operation needs: the least role on its resource, and the scope that a limited token must carry. */
interface Permission {
  readonly least: AccessLevel;
  readonly scope: string;
  /** Also on spaces in the trash. */
  readonly inTrash?: true;
}

/**
 * The one table of permissions: the guard asks it, and the `permissions` flags of presented objects
 * are computed from it, so that they cannot differ. Keys are `<resource>:<what>`.
 */
export const PERMISSIONS = {
  'user:view': { least: 'none', scope: 'user:read' },
  'user:listTokens': { least: 'none', scope: 'user:read' },
  'user:edit': { least: 'none', scope: 'user:write' },
  'user:join': { least: 'none', scope: 'organization:write' },

  'organization:view': { least: 'none', scope: 'organization:read' },
  'organization:listMembers': { least: 'read', scope: 'organization:members:read' },
  'organization:listTeams': { least: 'read', scope: 'organization:members:read' },
  'organization:viewMember': { least: 'none', scope: 'organization:members:read' },
  'organization:manageMembers': { least: 'admin', scope: 'organization:members:write' },
  'organization:invite': { least: 'read', scope: 'organization:members:write' },
  'organization:ownTeam': { least: 'read', scope: 'organization:members:write' },
  'organization:search': { least: 'none', scope: 'organization:search' },
  'organization:createContent': { least: 'create', scope: 'organization:write' },
  'organization:upload': { least: 'read', scope: 'space:write' },
  'organization:viewOpenAPISpecs': { least: 'read', scope: 'openapi:read' },
  'organization:createOpenAPISpec': { least: 'create', scope: 'openapi:write' },
  'organization:ingestConversations': { least: 'admin', scope: 'conversations:ingest' },
  /** What customers wrote is read by those who write documentation, and by no other members. */
  'organization:viewConversations': { least: 'edit', scope: 'conversations:read' },
  'organization:reviewConversations': { least: 'review', scope: 'conversations:write' },
  'organization:viewAuditEvents': { least: 'admin', scope: 'organization:audit:read' },
  'organization:admin': { least: 'admin', scope: 'organization:write' },

  'collection:view': { least: 'read', scope: 'space:read' },
  'collection:create': { least: 'create', scope: 'space:write' },
  'collection:viewInviteLinks': { least: 'create', scope: 'space:write' },
  'collection:admin': { least: 'create', scope: 'space:write' },

  'space:view': { least: 'read', scope: 'space:read' },
  'space:access': { least: 'read', scope: 'space:read' },
  'space:comment': { least: 'comment', scope: 'space:write' },
  /** Comments of other people: everybody who comments may settle and remove their own. */
  'space:resolveComments': { least: 'edit', scope: 'space:write' },
  'space:removeComments': { least: 'create', scope: 'space:write' },
  'space:edit': { least: 'edit', scope: 'space:write' },
  'space:review': { least: 'review', scope: 'space:write' },
  'space:merge': { least: 'review', scope: 'change-request:merge' },
  'space:viewInviteLinks': { least: 'create', scope: 'space:write' },
  'space:admin': { least: 'create', scope: 'space:write' },
  /** All of the primary content at once, past reviews and merge rules: for those who may change these. */
  'space:replaceContent': { least: 'create', scope: 'space:write' },
  'space:inspect': { least: 'read', scope: 'space:read', inTrash: true },
  'space:delete': { least: 'create', scope: 'space:write', inTrash: true },
  'space:transfer': { least: 'create', scope: 'space:write', inTrash: true },
  'space:restore': { least: 'create', scope: 'space:write', inTrash: true },

  'site:view': { least: 'read', scope: 'site:read' },
  /** Readers' events, which backends of published sites send. */
  'site:track': { least: 'read', scope: 'site:write' },
  'site:admin': { least: 'admin', scope: 'site:write' },
  'site:publish': { least: 'admin', scope: 'site:publish' },
  /** Share links and the key that visitors' tokens are signed with. */
  'site:readAuth': { least: 'admin', scope: 'site:auth:read' },
  'site:writeAuth': { least: 'admin', scope: 'site:auth:write' },
} as const satisfies Record<`${ResourceKind}:${string}`, Permission>;

export type PermissionKey = keyof typeof PERMISSIONS;

export function permission(key: PermissionKey): Permission {
  return PERMISSIONS[key];
}

/** Every scope that a token can be limited to. */
export const SCOPES: readonly string[] = [...new Set(Object.values(PERMISSIONS).map((entry) => entry.scope))].sort();

export function resourceOf(key: PermissionKey): ResourceKind {
  return key.slice(0, key.indexOf(':')) as ResourceKind;
}

/** Whether a role on a resource is enough. */
export function allows(key: PermissionKey, role: AccessLevel): boolean {
  return atLeast(role, PERMISSIONS[key].least);
}

/** Throws `forbidden`, naming what is missing, unless a role on a resource and the scopes of a token are enough. */
export function requirePermission(caller: Pick<Caller, 'scopes'>, key: PermissionKey, role: AccessLevel): void {
  requireScope(caller, key);
  if (!allows(key, role))
    throw new DomainError(
      'forbidden',
      `This needs the permission ${key}, which takes the role ${PERMISSIONS[key].least} or higher`,
    );
}

export function requireScope({ scopes }: Pick<Caller, 'scopes'>, key: PermissionKey): void {
  const { scope } = PERMISSIONS[key];
  if (scopes && !scopes.includes(scope)) throw new DomainError('forbidden', `The token lacks the scope ${scope}`);
}

/** Throws `forbidden` unless a role is at least the level that its holder wants to give to others; null gives nothing. */
export function requireHeld(role: AccessLevel, level: AccessLevel | null): void {
  if (level !== null && !atLeast(role, level))
    throw new DomainError('forbidden', `Nobody can give the role ${level} without holding it`);
}

/**
 * The flags of a space for a role. Flags without an operation behind them here are false. Guests (`isGuest`) see nobody else,
 * so they see no invite links either. In the trash there is nothing to do but to look at the space, delete and restore it,
 * which have no flags; nobody writes to a translation but its runs. Merge rules may forbid a single merge although the role allows merging.
 */
export function spaceFlags(
  role: AccessLevel,
  {
    isGuest,
    inTrash,
    isTranslation,
  }: { readonly isGuest: boolean; readonly inTrash: boolean; readonly isTranslation: boolean },
) {
  const may = (key: PermissionKey): boolean => !inTrash && allows(key, role);
  return {
    view: may('space:view'),
    access: may('space:access'),
    admin: may('space:admin'),
    viewInviteLinks: !isGuest && may('space:viewInviteLinks'),
    edit: !isTranslation && may('space:edit'),
    triggerGitSync: !isTranslation && may('space:replaceContent'),
    comment: may('space:comment'),
    merge: !isTranslation && may('space:merge'),
    review: may('space:review'),
    installIntegration: false,
  };
}

/** The flags of a comment or reply for a role on its space. Replies (`isReply`) have no replies of their own. */
export function commentFlags(
  role: AccessLevel,
  { isAuthor, isReply }: { readonly isAuthor: boolean; readonly isReply: boolean },
) {
  const comments = allows('space:comment', role);
  return {
    view: allows('space:view', role),
    edit: comments && isAuthor,
    reply: comments && !isReply,
    delete: comments && (isAuthor || allows('space:removeComments', role)),
  };
}

export function collectionFlags(role: AccessLevel, isGuest: boolean) {
  return {
    view: allows('collection:view', role),
    admin: allows('collection:admin', role),
    viewInviteLinks: !isGuest && allows('collection:viewInviteLinks', role),
    create: allows('collection:create', role),
  };
}

/** `ownsTeam`: the member owns at least one team. */
export function organizationFlags(role: AccessLevel, ownsTeam: boolean) {
  return {
    view: allows('organization:view', role),
    admin: allows('organization:admin', role),
    ownTeam: (ownsTeam && allows('organization:ownTeam', role)) || allows('organization:admin', role),
    createContent: allows('organization:createContent', role),
    createOpenAPISpec: allows('organization:createOpenAPISpec', role),
    ingestConversations: allows('organization:ingestConversations', role),
    viewBilling: false,
    listMembers: allows('organization:listMembers', role),
    listTeams: allows('organization:listTeams', role),
    listIntegrations: false,
    listInstallations: false,
    installIntegration: false,
  };
}
