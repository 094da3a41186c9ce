import { Injectable } from '@nestjs/common';
import { Access, type SpaceAccess, type SpaceReader } from '../../kernel/access/access.service.js';
import { requireHeld } from '../../kernel/access/permissions.js';
import { storedLevel, type AccessLevel } from '../../kernel/common/roles.js';
import type { DefaultLevel, MoveInWorkspace } from '../collections/collections.schema.js';
import { WorkspacePlaces } from '../collections/workspace-places.service.js';
import { Clock } from '../../kernel/common/clock.js';
import { requireMatch, type Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, notFound } from '../../kernel/common/errors.js';
import { Organizations } from '../../identity/organizations/organizations.service.js';
import { changesOf, fieldsGiven, isUnchanged } from '../../kernel/platform/audit-changes.js';
import { hashSecret } from '../../kernel/common/secrets.js';
import { Registry } from '../../kernel/platform/manifest/registry.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { Space } from './space.entity.js';
import type { SpaceForCaller, UpdateSpace, Visibility } from './spaces.schema.js';
import { readMergeRules } from '../../identity/organizations/domain/merge-rules.js';
import { PUBLISHED_JOIN, spaceColumns } from './space-columns.js';
import { SHARED_PATHS } from './spaces.points.js';

/** Settings that the audit log tells. */
const LOGGED = ['title', 'editMode', 'defaultLevel', 'language', 'mergeRules'] as const;

/** Readers of a site see nothing of a space that concerns members. */
const TO_READERS = {
  collectionId: null,
  editMode: 'locked',
  defaultLevel: null,
  mergeRules: { type: 'inherit' },
  gitSync: null,
  callerRole: 'read',
  callerAdded: [],
  callerIsGuest: false,
  isTranslation: false,
  comments: 0,
  changeRequests: 0,
  changeRequestsOpen: 0,
  changeRequestsDraft: 0,
} as const;

/** Spaces as callers see them, and their settings. */
@Injectable()
export class Spaces {
  private readonly columns: string;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly access: Access,
    private readonly outbox: Outbox,
    private readonly organizations: Organizations,
    private readonly places: WorkspacePlaces,
    private readonly registry: Registry,
  ) {
    this.columns = spaceColumns(registry);
  }

  /** Those of the given spaces that a user can see. */
  async byIds(userId: string, ids: readonly string[]): Promise<ReadonlyMap<string, SpaceForCaller>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.query<SpaceForCaller>(
      `SELECT ${this.columns} FROM space_access($1, $2::text[]) a JOIN space s ON s.id = a.space_id ${PUBLISHED_JOIN} WHERE a.role > 'none'`,
      [userId, ids],
    );
    return new Map(rows.map((row) => [row.id, row]));
  }

  async get(userId: string, id: string): Promise<SpaceForCaller> {
    const space = (await this.byIds(userId, [id])).get(id);
    if (!space) throw notFound('Space');
    return space;
  }

  /**
   * A space as a member sees it, or a reader of a site: at its place there, without what concerns members. With a share
   * key the published address includes the key, unless the content is public anyway; the key grants no access here.
   */
  async seen({ userId }: Caller, { id, reader }: SpaceAccess, shareKey?: string): Promise<SpaceForCaller> {
    const space = reader ? await this.toReader(id, reader) : await this.get(userId, id);
    if (shareKey === undefined || space.siteVisibility === 'public') return space;
    for (const statement of this.registry.contributionsTo(SHARED_PATHS)) {
      const shared = await this.database.one<{ path: string }>(statement, [id, hashSecret(shareKey), shareKey]);
      if (shared) return { ...space, publishedPath: shared.path };
    }
    return space;
  }

  private async toReader(id: string, { published: { path, visibility } }: SpaceReader): Promise<SpaceForCaller> {
    const space = await this.database.of(Space).findOneBy({ id });
    if (!space) throw notFound('Space');
    return { ...space, ...TO_READERS, siteVisibility: visibility as Visibility | null, publishedPath: path };
  }

  /** Changes settings; absent fields keep their value. A caller cannot set a level above their own. */
  async update(caller: Caller, { id, organizationId }: SpaceAccess, changes: UpdateSpace): Promise<SpaceForCaller> {
    await this.database.transaction(async () => {
      const space = await this.lock(id, { organizationId });
      const { role } = await this.access.requireSpace(caller, id, 'space:admin');
      requireMatch(space.version);
      if (changes.defaultLevel !== undefined) requireHeld(role, toStored(changes.defaultLevel));
      const before = { ...space };
      if (changes.mergeRules)
        await this.organizations.requireRules(space.organizationId, changes.mergeRules, { mayInherit: true });
      Object.assign(space, patchOf(changes));
      if (isUnchanged(before, space)) return;
      await this.database.of(Space).update({ id }, { ...patchOf(changes), updatedAt: this.clock.now() });
      await this.outbox.record({
        type: 'space_updated',
        organizationId: space.organizationId,
        spaceId: id,
        target: id,
        payload: { fields: fieldsGiven(changes) },
        audit: { changes: changesOf(before, space, LOGGED) },
      });
    });
    return this.get(caller.userId, id);
  }

  /** Moves a space to another collection, to the root, or to another position in its list. */
  async move(caller: Caller, { id, organizationId }: SpaceAccess, move: MoveInWorkspace): Promise<SpaceForCaller> {
    await this.database.transaction(async () => {
      await this.places.lock(organizationId);
      const { collectionId, version } = await this.lock(id, { organizationId });
      requireMatch(version);
      const { parentId, key } = await this.places.moveTo(caller, { id, organizationId, parentId: collectionId }, move);
      await this.database
        .of(Space)
        .update({ id }, { collectionId: parentId, position: key, updatedAt: this.clock.now() });
      await this.outbox.record({
        type: 'space_moved',
        organizationId,
        spaceId: id,
        target: id,
        payload: { parentId },
        audit: { changes: [{ field: 'parent', before: collectionId, after: parentId }] },
      });
    });
    return this.get(caller.userId, id);
  }

  /**
   * Throws `forbidden` where pages of any of these spaces are hidden from the caller, who would get at them elsewhere, or
   * take them away from others.
   */
  async requireWhole({ userId }: Caller, ids: readonly string[]): Promise<void> {
    const limited = await this.database.one(
      'SELECT FROM unnest($2::text[]) AS s (id) WHERE cardinality(hidden_pages($1, s.id)) > 0 LIMIT 1',
      [userId, ids],
    );
    if (limited)
      throw new DomainError('forbidden', 'Pages in it are limited to others: this is for those who see all of them');
  }

  /**
   * Locks the caller's membership in the organization of a space, and the organization's merge rules, until the
   * transaction ends, for changes that must never happen without the permission. Must be called first: locks are taken
   * from the organization downwards. Returns the id of the organization.
   */
  async holdMembership(caller: Caller, spaceId: string): Promise<string | undefined> {
    const row = await this.database.one<{ id: string }>(
      `SELECT o.id FROM space s JOIN organization o ON o.id = s.organization_id JOIN member m ON m.organization_id = o.id
        WHERE s.id = $1 AND m.user_id = $2 FOR KEY SHARE OF o FOR SHARE OF m`,
      [spaceId, caller.userId],
    );
    return row?.id;
  }

  /**
   * Returns the row of a space, locked against other changes for the rest of the transaction. Throws `notFound` also if
   * it has left the given organization since the caller's role was resolved.
   */
  async lock(
    id: string,
    { inTrash = false, organizationId }: { readonly inTrash?: boolean; readonly organizationId: string },
  ): Promise<Space> {
    const space = await this.database
      .of(Space)
      .createQueryBuilder('s')
      .where('s.id = :id', { id })
      .setLock('for_no_key_update')
      .getOne();
    if (!space || space.organizationId !== organizationId || (space.deletedAt !== null && !inTrash))
      throw notFound('Space');
    return space;
  }
}

function patchOf(changes: UpdateSpace): Partial<Space> {
  return {
    ...(changes.editMode !== undefined && { editMode: changes.editMode }),
    ...(changes.title !== undefined && { title: changes.title }),
    ...(changes.defaultLevel !== undefined && { defaultLevel: toStored(changes.defaultLevel) }),
    ...(changes.language !== undefined && { language: changes.language }),
    ...(changes.mergeRules !== undefined && { mergeRules: readMergeRules(changes.mergeRules) }),
    ...(changes.emoji !== undefined && { emoji: changes.emoji || null, ...(changes.emoji && { icon: null }) }),
    ...(changes.icon !== undefined && { icon: changes.icon, ...(changes.icon && { emoji: null }) }),
  };
}

function toStored(level: DefaultLevel): AccessLevel | null {
  return level === 'inherit' ? null : storedLevel(level);
}
