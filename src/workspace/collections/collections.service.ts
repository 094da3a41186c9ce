import { Injectable } from '@nestjs/common';
import type { CollectionAccess, OrganizationAccess } from '../../kernel/access/access.service.js';
import { requireHeld, requireScope } from '../../kernel/access/permissions.js';
import { storedLevel, type AccessLevel } from '../../kernel/common/roles.js';
import { Clock } from '../../kernel/common/clock.js';
import { requireMatch, type Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { invalid, notFound } from '../../kernel/common/errors.js';
import { newId } from '../../kernel/common/ids.js';
import { Pages, type Page } from '../../kernel/common/page.js';
import { changesOf, fieldsGiven, isUnchanged } from '../../kernel/platform/audit-changes.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { Collection } from './collection.entity.js';
import type {
  CollectionForCaller,
  CollectionsQuery,
  CreateCollection,
  DefaultLevel,
  MoveInWorkspace,
  UpdateCollection,
} from './collections.schema.js';
import { Siblings } from './siblings.service.js';
import { WorkspacePlaces } from './workspace-places.service.js';

const DEFAULT_TITLE = 'Untitled';
/** Columns of a collection `c` with the role in `a`, for the user `$1`. */
const COLUMNS = `c.id, c.organization_id AS "organizationId", c.parent_id AS "parentId", c.title, c.description, c.default_level AS "defaultLevel",
  c.position, c.created_by AS "createdBy", c.version, c.created_at AS "createdAt", a.role AS "callerRole",
  (SELECT m.role = 'none' FROM member m WHERE m.organization_id = c.organization_id AND m.user_id = $1) AS "callerIsGuest"`;

@Injectable()
export class Collections {
  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
    private readonly clock: Clock,
    private readonly siblings: Siblings,
    private readonly places: WorkspacePlaces,
    private readonly outbox: Outbox,
  ) {}

  /** The collections of an organization that the caller can see, newest first. */
  list(userId: string, organization: OrganizationAccess, query: CollectionsQuery): Promise<Page<CollectionForCaller>> {
    return this.pages.list<CollectionForCaller>(query, {
      scope: ['collections', userId, organization.id, query.nested],
      select: COLUMNS,
      from: `FROM collection_access($1, ARRAY(SELECT id FROM collection WHERE organization_id = $2)) a JOIN collection c ON c.id = a.collection_id
             WHERE a.role > 'none' AND ($3 OR c.parent_id IS NULL)`,
      values: [userId, organization.id, query.nested],
      countsItself: true,
      order: [
        { expression: 'c.created_at', type: 'timestamptz' },
        { expression: 'c.id', type: 'text' },
      ],
      direction: 'desc',
    });
  }

  /** Returns those of the given collections that a user can see. */
  async byIds(userId: string, ids: readonly string[]): Promise<ReadonlyMap<string, CollectionForCaller>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.query<CollectionForCaller>(
      `SELECT ${COLUMNS} FROM collection_access($1, $2::text[]) a JOIN collection c ON c.id = a.collection_id WHERE a.role > 'none'`,
      [userId, ids],
    );
    return new Map(rows.map((row) => [row.id, row]));
  }

  async get(userId: string, id: string): Promise<CollectionForCaller> {
    const collection = (await this.byIds(userId, [id])).get(id);
    if (!collection) throw notFound('Collection');
    return collection;
  }

  /** Creates a collection at the end of its parent's list. */
  async create(caller: Caller, organizationId: string, facts: CreateCollection): Promise<CollectionForCaller> {
    const id = newId();
    const parentId = facts.parent ?? null;
    requireScope(caller, parentId === null ? 'organization:createContent' : 'collection:create');
    await this.database.transaction(async () => {
      await this.places.requireParent(caller, organizationId, parentId);
      await this.database.of(Collection).insert({
        id,
        organizationId,
        parentId,
        title: facts.title ?? DEFAULT_TITLE,
        position: await this.siblings.append(organizationId, parentId),
        createdBy: caller.userId,
        createdAt: this.clock.now(),
      });
      await this.outbox.record({ type: 'collection_created', organizationId, target: id });
    });
    return this.get(caller.userId, id);
  }

  /** Changes settings; absent fields keep their value. A caller cannot set a level above their own. */
  async update(
    userId: string,
    { id, organizationId, role }: CollectionAccess,
    changes: UpdateCollection,
  ): Promise<CollectionForCaller> {
    await this.database.transaction(async () => {
      const collection = await this.lock(id, organizationId);
      requireMatch(collection.version);
      if (changes.defaultLevel !== undefined) requireHeld(role, levelOf(changes.defaultLevel));
      const patch = {
        ...(changes.title !== undefined && { title: changes.title }),
        ...(changes.description !== undefined && { description: changes.description || null }),
        ...(changes.defaultLevel !== undefined && { defaultLevel: levelOf(changes.defaultLevel) }),
      };
      const after = { ...collection, ...patch };
      if (isUnchanged(collection, after)) return;
      await this.database.of(Collection).update({ id }, patch);
      await this.outbox.record({
        type: 'collection_updated',
        organizationId: collection.organizationId,
        target: id,
        payload: { fields: fieldsGiven(changes) },
        audit: { changes: changesOf(collection, after, ['title', 'defaultLevel']) },
      });
    });
    return this.get(userId, id);
  }

  /** Moves a collection with its content. Throws `invalid` for a move into itself. */
  async move(
    caller: Caller,
    { id, organizationId }: CollectionAccess,
    move: MoveInWorkspace,
  ): Promise<CollectionForCaller> {
    await this.database.transaction(async () => {
      await this.places.lock(organizationId);
      const before = await this.lock(id, organizationId);
      requireMatch(before.version);
      const { parentId, key } = await this.places.moveTo(
        caller,
        { id, organizationId, parentId: before.parentId },
        move,
      );
      if (parentId !== null && (await this.isWithin(parentId, id)))
        throw invalid('parent', 'is the collection itself or inside it');
      await this.database.of(Collection).update({ id }, { parentId, position: key });
      await this.outbox.record({
        type: 'collection_moved',
        organizationId,
        target: id,
        payload: { parentId },
        audit: { changes: [{ field: 'parent', before: before.parentId, after: parentId }] },
      });
    });
    return this.get(caller.userId, id);
  }

  /**
   * Returns the row of a collection, locked against other changes for the rest of the transaction. Throws `notFound`
   * also if it has left the given organization since the caller's role was resolved.
   */
  async lock(id: string, organizationId: string): Promise<Collection> {
    const collection = await this.database
      .of(Collection)
      .createQueryBuilder('c')
      .where('c.id = :id', { id })
      .setLock('for_no_key_update')
      .getOne();
    if (collection?.organizationId !== organizationId) throw notFound('Collection');
    return collection;
  }

  /** Deletes empty collections permanently, in the ambient transaction; returns their titles. */
  removeAll(
    organizationId: string,
    ids: readonly string[],
  ): Promise<{ readonly id: string; readonly title: string }[]> {
    return this.database.query<{ id: string; title: string }>(
      'DELETE FROM collection WHERE organization_id = $1 AND id = ANY ($2) RETURNING id, title',
      [organizationId, ids],
    );
  }

  private async isWithin(id: string, ancestor: string): Promise<boolean> {
    const row = await this.database.one(
      `WITH RECURSIVE up AS (
         SELECT id, parent_id FROM collection WHERE id = $1
         UNION SELECT c.id, c.parent_id FROM up JOIN collection c ON c.id = up.parent_id)
       SELECT FROM up WHERE id = $2`,
      [id, ancestor],
    );
    return row !== undefined;
  }
}

function levelOf(level: DefaultLevel): AccessLevel | null {
  return level === 'inherit' ? null : storedLevel(level);
}
