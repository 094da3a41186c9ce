import { permissionFlags, roleAlone, rightsOn, type AsSeen } from '../../kernel/access/permissions.js';
import { presentRole, ROLES } from '../../kernel/common/roles.js';
import { POSITION, type DefaultLevel } from '../collections/collections.schema.js';
import type { Addresses } from '../../kernel/common/addresses.js';
import { Amount, Flag, Id, Nested, ObjectName, OneOf, Text, Timestamp, Url } from '../../kernel/common/fields.js';
import { LANGUAGE_CODES } from '../../kernel/common/languages.js';
import { versioned } from '../../kernel/common/versioned.js';
import { readMergeRules, type MergeRules } from '../../identity/organizations/domain/merge-rules.js';
import { MergeRulesField } from '../../identity/organizations/merge-rules.field.js';
import { GitSyncBody, presentGitSync, type GitSyncRow } from './git-sync.schema.js';
import type { Space } from './space.entity.js';

export const VISIBILITIES = ['public', 'unlisted', 'share-link', 'visitor-auth', 'in-collection', 'private'] as const;
export type Visibility = (typeof VISIBILITIES)[number];

/** Shown for spaces without an emoji of their own: the public contract has one on every space. */
export const DEFAULT_EMOJI = '📖';

class SpaceUrls {
  @Url() location: string;
  @Url() app: string;
  @Url({ optional: true }) published?: string;
  @Url({ optional: true }) public?: string;
  @Url({ optional: true }) icon?: string;
}

class VisitorAuth {
  @OneOf(['custom'])
  backend: 'custom';
}

class SpacePermissions {
  @Flag() view: boolean;
  @Flag() access: boolean;
  @Flag() admin: boolean;
  @Flag() viewInviteLinks: boolean;
  @Flag() edit: boolean;
  @Flag({ example: false }) triggerGitSync: boolean;
  @Flag() comment: boolean;
  @Flag() merge: boolean;
  @Flag() review: boolean;
  @Flag({ example: false }) installIntegration: boolean;
}

export class SpaceBody {
  @ObjectName('space')
  object: 'space';
  @Id()
  id: string;
  @Text({ example: 'Handbook' })
  title: string;
  @Text({ description: 'A book where the space has none of its own', example: '📘' })
  emoji: string;
  @OneOf(VISIBILITIES)
  visibility: Visibility;
  @Timestamp()
  createdAt: string;
  @Timestamp()
  updatedAt: string;
  @Timestamp({ optional: true })
  deletedAt?: string;
  @OneOf(['live', 'locked'])
  editMode: 'live' | 'locked';
  @MergeRulesField({ mayInherit: true, optional: false })
  mergeRules: MergeRules;
  @Nested(() => SpaceUrls)
  urls: SpaceUrls;
  @Id()
  organization: string;
  @Id({ optional: true })
  parent?: string;
  @OneOf(LANGUAGE_CODES, { optional: true })
  language?: string;
  @Nested(() => GitSyncBody, {
    optional: true,
    description: 'The repository that the space was last imported from or exported to',
  })
  gitSync?: GitSyncBody;
  @Nested(() => VisitorAuth, {
    optional: true,
    description: 'How visitors are let in, where the space is published to authenticated visitors',
  })
  visitorAuth?: VisitorAuth;
  @Id()
  revision: string;
  @OneOf(['inherit', ...ROLES], { nullable: true })
  defaultLevel: DefaultLevel;
  @Text({ description: POSITION, example: 'a0' })
  position: string;
  @Amount({ min: 0, example: 0, description: 'Open comments; those of change requests count there' })
  comments: number;
  @Amount({ min: 0 })
  changeRequests: number;
  @Amount({ min: 0 })
  changeRequestsOpen: number;
  @Amount({ min: 0 })
  changeRequestsDraft: number;
  @Nested(() => SpacePermissions)
  permissions: SpacePermissions;
}

export class UpdateSpace {
  @OneOf(['live', 'locked'], { optional: true })
  editMode?: 'live' | 'locked';
  @Text({ optional: true, min: 1, max: 50, example: 'Handbook' })
  title?: string;
  @OneOf(['inherit', ...ROLES], {
    optional: true,
    nullable: true,
    description: 'Replaces what members would inherit; null is no access',
  })
  defaultLevel?: DefaultLevel;
  @OneOf(LANGUAGE_CODES, { optional: true })
  language?: string;
  @MergeRulesField({ mayInherit: true, optional: true })
  mergeRules?: MergeRules;
  @Text({ optional: true, nullable: true, max: 50, example: '📘', description: 'Null removes it' })
  emoji?: string | null;
  @Url({ optional: true, nullable: true, description: 'Null removes it' })
  icon?: string | null;
}

/** A space's row with related data: the caller's role, counts, and where it is published. */
export interface SpaceForCaller extends Space, AsSeen {
  /** In the organization. */
  readonly callerIsGuest: boolean;
  /** The space is a translation of another one, and keeps the structure of that. */
  readonly isTranslation: boolean;
  /** Open comments, without those of change requests. */
  readonly comments: number;
  readonly changeRequests: number;
  readonly changeRequestsOpen: number;
  readonly changeRequestsDraft: number;
  readonly gitSync: GitSyncRow | null;
  readonly siteVisibility: Visibility | null;
  /** Path on the public listener of the site that publishes the space. */
  readonly publishedPath: string | null;
}

export interface PublishedSpaceUrls {
  readonly published?: string;
  /** The same address, if everybody may read the content. */
  readonly public?: string;
}

/** The addresses of a space on the public listener; `path` is null if no site publishes it. */
export function publishedUrls(
  path: string | null,
  visibility: string | null,
  addresses: Addresses,
): PublishedSpaceUrls {
  if (path === null) return {};
  const published = addresses.published(encodeURI(path));
  return { published, ...(visibility === 'public' && { public: published }) };
}

/**
 * A space in the trash can only be viewed, restored and deleted, which have no flags. Merge rules may forbid a single
 * merge although the role allows merging.
 */
function spaceFlags(space: SpaceForCaller): SpacePermissions {
  const flags = permissionFlags('space', space.deletedAt === null ? rightsOn(space) : roleAlone('none'), [
    ...(space.callerIsGuest ? (['guest'] as const) : []),
    ...(space.isTranslation ? (['translation'] as const) : []),
  ]);
  return { ...flags, installIntegration: false };
}

export function presentSpace(space: SpaceForCaller, addresses: Addresses): SpaceBody {
  return versioned(
    {
      object: 'space',
      id: space.id,
      title: space.title,
      emoji: space.emoji ?? DEFAULT_EMOJI,
      visibility:
        space.siteVisibility ??
        (space.collectionId !== null && space.defaultLevel === null ? 'in-collection' : 'private'),
      createdAt: space.createdAt.toISOString(),
      updatedAt: space.updatedAt.toISOString(),
      ...(space.deletedAt && { deletedAt: space.deletedAt.toISOString() }),
      editMode: space.editMode,
      mergeRules: readMergeRules(space.mergeRules),
      urls: {
        location: addresses.location(`/spaces/${space.id}`),
        app: addresses.app(`/o/${space.organizationId}/s/${space.id}`),
        ...publishedUrls(space.publishedPath, space.siteVisibility, addresses),
        ...(space.icon !== null && { icon: space.icon }),
      },
      organization: space.organizationId,
      ...(space.collectionId !== null && { parent: space.collectionId }),
      ...(space.language !== null && { language: space.language }),
      ...(space.gitSync && { gitSync: presentGitSync(space.gitSync) }),
      ...(space.siteVisibility === 'visitor-auth' && { visitorAuth: { backend: 'custom' as const } }),
      revision: space.revisionId,
      defaultLevel: space.defaultLevel === null ? 'inherit' : presentRole(space.defaultLevel),
      position: space.position,
      comments: space.comments,
      changeRequests: space.changeRequests,
      changeRequestsOpen: space.changeRequestsOpen,
      changeRequestsDraft: space.changeRequestsDraft,
      permissions: spaceFlags(space),
    },
    space.version,
  );
}
