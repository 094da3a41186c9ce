import { Inject, Injectable } from '@nestjs/common';
import {
  Access,
  type CollectionAccess,
  type OrganizationAccess,
  type SpaceAccess,
} from '../../kernel/access/access.service.js';
import { requireHeld } from '../../kernel/access/permissions.js';
import { storedLevel, type AccessLevel } from '../../kernel/common/roles.js';
import type { DefaultLevel, MoveInWorkspace } from '../collections/collections.schema.js';
import { Collections } from '../collections/collections.service.js';
import { WorkspacePlaces } from '../collections/workspace-places.service.js';
import { Clock } from '../../kernel/common/clock.js';
import { requireMatch, type Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, notFound } from '../../kernel/common/errors.js';
import { Pages, type Page, type PageRequest } from '../../kernel/common/page.js';
import { Organizations } from '../../identity/organizations/organizations.service.js';
import { changesOf, fieldsGiven, isUnchanged } from '../../kernel/platform/audit-changes.js';
import { hashSecret } from '../../kernel/common/secrets.js';
import { CONFIG, type Config } from '../../kernel/platform/config/config.js';
import { Registry } from '../../kernel/platform/manifest/registry.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { Space } from './space.entity.js';
import type { SpaceForCaller, UpdateSpace } from './spaces.schema.js';
import { readMergeRules } from '../../identity/organizations/domain/merge-rules.js';
import { PUBLISHED_JOIN, spaceColumns } from './space-columns.js';
import { SHARED_PATHS } from './spaces.points.js';
import { BELOW } from '../collections/collection-statements.js';
import { visibleSpaces } from './visible-spaces.js';

const DAY_MS = 86_400_000;
/** Settings that the audit log records. */
const LOGGED = ['title', 'editMode', 'defaultLevel', 'language', 'mergeRules'] as const;

@Injectable()
export class Spaces {
  private readonly columns: string;

  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
    private readonly clock: Clock,
    private readonly access: Access,
    private readonly outbox: Outbox,
    private readonly organizations: Organizations,
    private readonly places: WorkspacePlaces,
    private readonly collections: Collections,
    private readonly registry: Registry,
    @Inject(CONFIG) private readonly config: Pick<Config, 'retentionDays'>,
  ) {
    this.columns = spaceColumns(registry);
  }

  /** The spaces of an organization that the caller may see, newest first. */
  async list(userId: string, organization: OrganizationAccess, request: PageRequest): Promise<Page<SpaceForCaller>> {
    const ids = await this.pages.list<{ id: string }>(request, {
      scope: ['spaces', userId, organization.id],
      select: 's.id',
      ...visibleSpaces(organization.role),
      values: [userId, organization.id],
      order: [
        { expression: 's.created_at', type: 'timestamptz' },
        { expression: 's.id', type: 'text' },
      ],
      direction: 'desc',
    });
    return this.load(userId, ids);
  }

  /** Loads the spaces of a page of ids, in its order, in one query. */
  async load(userId: string, page: Page<{ readonly id: string }>): Promise<Page<SpaceForCaller>> {
    const byId = await this.byIds(
      userId,
      page.items.map(({ id }) => id),
    );
    return page.with(page.items.flatMap(({ id }) => byId.get(id) ?? []));
  }

  /** Returns those of the given spaces that a user can see. */
  async byIds(userId: string, ids: readonly string[]): Promise<ReadonlyMap<string, SpaceForCaller>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.query<SpaceForCaller>(
      `SELECT ${this.columns} FROM space_access($1, $2::text[]) a JOIN space s ON s.id = a.space_id ${PUBLISHED_JOIN} WHERE a.role > 'none'`,
      [userId, ids],
    );
    return new Map(rows.map((row) => [row.id, row]));
  }

  /**
   * With a share key the published address includes the key, unless the content is public anyway; the key grants no
   * access here.
   */
  async get(userId: string, id: string, shareKey?: string): Promise<SpaceForCaller> {
    const space = (await this.byIds(userId, [id])).get(id);
    if (!space) throw notFound('Space');
    if (shareKey === undefined || space.siteVisibility === 'public') return space;
    for (const statement of this.registry.contributionsTo(SHARED_PATHS)) {
      const shared = await this.database.one<{ path: string }>(statement, [id, hashSecret(shareKey), shareKey]);
      if (shared) return { ...space, publishedPath: shared.path };
    }
    return space;
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
      const { collectionId } = await this.database.of(Space).findOneByOrFail({ id });
      const { parentId, key } = await this.places.moveTo(caller, { id, organizationId, parentId: collectionId }, move);
      const space = await this.lock(id, { organizationId });
      requireMatch(space.version);
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

  /** Lists the spaces of a collection that the caller can see, in their order. */
  async listInCollection(
    userId: string,
    { id, organizationId }: CollectionAccess,
    request: PageRequest,
  ): Promise<Page<SpaceForCaller>> {
    const ids = await this.pages.list<{ id: string }>(request, {
      scope: ['collection-spaces', userId, id],
      select: 's.id',
      // Exceptions are the spaces that guests can see and others cannot.
      from: `FROM space s WHERE s.organization_id = $3 AND s.collection_id = $2 AND s.deleted_at IS NULL
               AND (s.id IN (SELECT x.space_id FROM exceptional_spaces($1, $3) x)) = (SELECT m.role = 'none' FROM member m WHERE m.organization_id = $3 AND m.user_id = $1)`,
      count: `SELECT CASE WHEN m.role = 'none' THEN exceptions.count
                     ELSE coalesce((SELECT t.spaces FROM collection_total t WHERE t.collection_id = $2), 0) - exceptions.count END AS count
                FROM member m
               CROSS JOIN (SELECT count(*) FROM exceptional_spaces($1, $3) x
                             CROSS JOIN LATERAL (SELECT s.collection_id FROM space s WHERE s.id = x.space_id OFFSET 0) s WHERE s.collection_id = $2) exceptions
               WHERE m.organization_id = $3 AND m.user_id = $1`,
      values: [userId, id, organizationId],
      order: [
        { expression: 's.position', type: 'text' },
        { expression: 's.id', type: 'text' },
      ],
      direction: 'asc',
    });
    return this.load(userId, ids);
  }

  /** Moves a space to the trash, from which it is permanently deleted after RETENTION_DAYS. */
  async remove({ id, organizationId }: SpaceAccess): Promise<void> {
    await this.database.transaction(async () => {
      const space = await this.lock(id, { inTrash: true, organizationId });
      if (space.deletedAt !== null) return;
      await this.database.of(Space).update({ id }, { deletedAt: this.clock.now() });
      await this.outbox.record({
        type: 'space_deleted',
        organizationId: space.organizationId,
        spaceId: id,
        target: id,
      });
    });
  }

  /**
   * Permanently deletes a collection and the collections inside; the spaces go to the trash, and are restored to the
   * root.
   */
  async removeCollection({ id, organizationId }: CollectionAccess): Promise<void> {
    await this.database.transaction(async () => {
      await this.database.execute('SELECT FROM organization WHERE id = $1 FOR NO KEY UPDATE', [organizationId]);
      const within = await this.database.query<{ id: string }>(BELOW, [id, organizationId]);
      const ids = within.map((row) => row.id);
      if (ids.length === 0) return;
      const spaces = await this.database.query<{ id: string }>(
        `UPDATE space SET deleted_at = coalesce(deleted_at, $3), collection_id = NULL, version = version + 1
          WHERE organization_id = $1 AND collection_id = ANY ($2) RETURNING id`,
        [organizationId, ids, this.clock.now()],
      );
      const removed = await this.collections.removeAll(organizationId, ids);
      await this.outbox.record({
        type: 'collection_deleted',
        organizationId,
        target: id,
        payload: { collectionIds: ids, spaceIds: spaces.map((row) => row.id) },
        audit: { label: removed.find((row) => row.id === id)?.title },
      });
    });
  }

  /** Restores a space from the trash; throws `conflict` if it is not there, `notFound` after RETENTION_DAYS. */
  async restore(userId: string, { id, organizationId }: SpaceAccess): Promise<SpaceForCaller> {
    await this.database.transaction(async () => {
      const space = await this.lock(id, { inTrash: true, organizationId });
      if (space.deletedAt === null) throw new DomainError('conflict', 'The space is not deleted');
      const age = this.clock.now().getTime() - space.deletedAt.getTime();
      if (age > this.config.retentionDays * DAY_MS) throw notFound('Space');
      await this.database.of(Space).update({ id }, { deletedAt: null, updatedAt: this.clock.now() });
      await this.outbox.record({
        type: 'space_restored',
        organizationId: space.organizationId,
        spaceId: id,
        target: id,
      });
    });
    return this.get(userId, id);
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
