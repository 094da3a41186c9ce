import { Injectable } from '@nestjs/common';
import { Access, type CollectionAccess, type SpaceAccess } from '../../kernel/access/access.service.js';
import { allows } from '../../kernel/access/permissions.js';
import type { CollectionForCaller, TransferInWorkspace } from '../collections/collections.schema.js';
import { BELOW, LOCK_COLLECTIONS } from '../collections/collection-statements.js';
import { Collections } from '../collections/collections.service.js';
import { Siblings } from '../collections/siblings.service.js';
import { WorkspacePlaces } from '../collections/workspace-places.service.js';
import { Clock } from '../../kernel/common/clock.js';
import { requireMatch, type Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, notFound } from '../../kernel/common/errors.js';
import { Registry } from '../../kernel/platform/manifest/registry.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import type { SpaceForCaller } from './spaces.schema.js';
import { Spaces } from './spaces.service.js';
import { TRANSFER_CARRY, TRANSFER_LEAVE, TRANSFER_OBSTACLES } from './spaces.points.js';
import { CARRY_SPACE, carryCollections, LOCK_SPACES } from './transfer-statements.js';

/** Source and destination organization, and the collection there. */
interface Way {
  readonly from: string;
  readonly to: string;
  readonly parentId: string | null;
}

interface LockedSpace {
  readonly id: string;
  readonly organizationId: string;
  readonly version: number;
  readonly deletedAt: Date | null;
}

/** The content of a collection, including itself, under a lock on all of it. */
interface Contents {
  readonly collections: readonly string[];
  readonly spaces: readonly string[];
  readonly inTrash: readonly string[];
}

/**
 * Moves spaces and collections from one organization to another. Grants of the old organization are removed: afterwards
 * only members of the new one have access.
 */
@Injectable()
export class Transfers {
  private readonly carrying: string;

  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly clock: Clock,
    private readonly places: WorkspacePlaces,
    private readonly siblings: Siblings,
    private readonly spaces: Spaces,
    private readonly collections: Collections,
    private readonly outbox: Outbox,
    private readonly registry: Registry,
  ) {
    this.carrying = carryCollections(registry.contributionsTo(TRANSFER_CARRY));
  }

  /**
   * Throws `conflict` if nothing would change, `preconditionFailed` for a space in the trash, on a site or in a
   * translation, `notFound` for an organization that is not the caller's.
   */
  async space(
    caller: Caller,
    space: SpaceAccess,
    { organization, parent }: TransferInWorkspace,
  ): Promise<SpaceForCaller> {
    const { id } = space;
    if (organization === space.organizationId) return this.spaces.move(caller, space, within(parent));
    await this.throughLocks(
      caller,
      { from: space.organizationId, to: organization, parentId: parent ?? null },
      async (way) => {
        const [locked] = await this.database.query<LockedSpace & Record<string, unknown>>(
          `${LOCK_SPACES} WHERE id = $1 FOR UPDATE`,
          [id],
        );
        if (locked?.organizationId !== way.from) throw notFound('Space');
        await this.requireAdmin(caller, { collections: [], spaces: [id], inTrash: [] });
        await this.spaces.requireWhole(caller, [id]);
        requireMatch(locked.version);
        if (locked.deletedAt !== null)
          throw new DomainError('preconditionFailed', 'The space is in the trash: restore it first');
        await this.leave(way, { collections: [], spaces: [id], inTrash: [] });
        await this.database.execute(CARRY_SPACE, [
          way.to,
          id,
          way.parentId,
          await this.siblings.append(way.to, way.parentId),
          this.clock.now(),
        ]);
        await this.requireAdmin(
          caller,
          { collections: [], spaces: [id], inTrash: [] },
          'would not be yours there: raise its level or give yourself a role on it first',
        );
        for (const organizationId of [way.from, way.to]) {
          await this.outbox.record({
            type: 'space_transferred',
            organizationId,
            spaceId: id,
            target: id,
            payload: { fromOrganizationId: way.from, toOrganizationId: way.to },
          });
        }
      },
    );
    return this.spaces.get(caller.userId, id);
  }

  /** Moves a collection with its content. Spaces in the trash stay behind and are restored to the root. */
  async collection(
    caller: Caller,
    collection: CollectionAccess,
    { organization, parent }: TransferInWorkspace,
  ): Promise<CollectionForCaller> {
    const { id } = collection;
    if (organization === collection.organizationId) return this.collections.move(caller, collection, within(parent));
    await this.throughLocks(
      caller,
      { from: collection.organizationId, to: organization, parentId: parent ?? null },
      async (way) => {
        const contents = await this.lockAllWithin(id, way.from);
        requireMatch((await this.collections.lock(id, way.from)).version);
        await this.requireAdmin(caller, contents);
        await this.spaces.requireWhole(caller, contents.spaces);
        await this.leave(way, contents);
        const position = await this.siblings.append(way.to, way.parentId);
        await this.database.execute(this.carrying, [
          way.to,
          id,
          way.parentId,
          position,
          this.clock.now(),
          contents.collections,
          contents.spaces,
        ]);
        await this.requireAdmin(
          caller,
          contents,
          'would not be yours there: raise its level or give yourself a role on it first',
        );
        const payload = {
          fromOrganizationId: way.from,
          toOrganizationId: way.to,
          collectionIds: contents.collections,
          spaceIds: contents.spaces,
        };
        for (const organizationId of [way.from, way.to])
          await this.outbox.record({ type: 'collection_transferred', organizationId, target: id, payload });
      },
    );
    return this.collections.get(caller.userId, id);
  }

  /**
   * Runs a transfer under the locks of both organizations, taken in the order of their ids, once the caller may create
   * content in both and at the destination. Members and their roles cannot change until it ends.
   */
  private async throughLocks(caller: Caller, way: Way, work: (way: Way) => Promise<void>): Promise<void> {
    await this.requireCreator(caller, way);
    await this.database.transaction(async () => {
      await this.database.execute('SELECT FROM organization WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE', [
        [way.from, way.to],
      ]);
      await this.requireCreator(caller, way);
      if (way.parentId !== null) await this.places.requireParent(caller, way.to, way.parentId);
      await work(way);
    });
  }

  private async requireCreator(caller: Caller, { from, to }: Way): Promise<void> {
    const [source, target] = [await this.access.organization(caller, from), await this.access.organization(caller, to)];
    if (!target) throw notFound('Organization');
    for (const organization of [source, target]) {
      if (!organization || !allows('organization:createContent', organization.role)) {
        throw new DomainError('forbidden', 'Requires the permission organization:createContent in both organizations');
      }
    }
  }

  /**
   * The caller must administer everything that moves: otherwise a transfer would give access to content that they
   * cannot see.
   */
  private async requireAdmin(
    caller: Caller,
    { collections, spaces }: Contents,
    otherwise = 'may not be transferred by you: this needs the role create on it',
  ): Promise<void> {
    const less = await this.database.one<{ kind: string }>(
      `SELECT 'collection' AS kind FROM unnest($2::text[]) AS c (id)
        WHERE c.id NOT IN (SELECT a.collection_id FROM collection_access($1, $2::text[]) a WHERE a.role >= 'create')
       UNION ALL
       SELECT 'space' FROM unnest($3::text[]) AS s (id)
        WHERE s.id NOT IN (SELECT a.space_id FROM space_access($1, $3::text[]) a WHERE a.role >= 'create') LIMIT 1`,
      [caller.userId, collections, spaces],
    );
    if (less)
      throw new DomainError(
        'forbidden',
        `${collections.length > 0 ? 'The collection, or an object inside it,' : 'The space'} ${otherwise}`,
      );
  }

  /** Locks a collection, its descendants and their spaces, so that nothing more can be added to them. */
  private async lockAllWithin(id: string, organizationId: string): Promise<Contents> {
    let collections: readonly string[] = [];
    for (;;) {
      const rows = await this.database.query<{ id: string }>(BELOW, [id, organizationId]);
      if (rows.length === 0) throw notFound('Collection');
      if (rows.length === collections.length) break;
      collections = rows.map((row) => row.id);
      await this.database.execute(LOCK_COLLECTIONS, [collections]);
    }
    const spaces = await this.database.query<LockedSpace & Record<string, unknown>>(
      `${LOCK_SPACES} WHERE organization_id = $1 AND collection_id = ANY ($2) ORDER BY id FOR UPDATE`,
      [organizationId, collections],
    );
    return {
      collections,
      spaces: spaces.filter((space) => space.deletedAt === null).map((space) => space.id),
      inTrash: spaces.filter((space) => space.deletedAt !== null).map((space) => space.id),
    };
  }

  /**
   * Removes everything that connects objects with the organization that they leave. Throws `preconditionFailed` while
   * one of them cannot leave.
   */
  private async leave({ to }: Way, { collections, spaces, inTrash }: Contents): Promise<void> {
    for (const obstacleTo of this.registry.contributionsTo(TRANSFER_OBSTACLES)) {
      const obstacle = await obstacleTo(this.database, spaces);
      if (obstacle !== undefined) throw new DomainError('preconditionFailed', obstacle);
    }
    for (const leave of this.registry.contributionsTo(TRANSFER_LEAVE).toReversed())
      await leave(this.database, { collections, spaces, to });
    if (inTrash.length > 0)
      await this.database.execute('UPDATE space SET collection_id = NULL, version = version + 1 WHERE id = ANY ($1)', [
        inTrash,
      ]);
  }
}

/** A transfer within one organization moves to another collection, or does nothing. */
function within(parent: string | null | undefined): { parent: string | null } {
  if (parent === undefined) throw new DomainError('conflict', 'The transfer would change nothing');
  return { parent };
}
