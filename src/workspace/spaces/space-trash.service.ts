import { Inject, Injectable } from '@nestjs/common';
import type { CollectionAccess, SpaceAccess } from '../../kernel/access/access.service.js';
import { Clock } from '../../kernel/common/clock.js';
import type { Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, notFound } from '../../kernel/common/errors.js';
import { CONFIG, type Config } from '../../kernel/platform/config/config.js';
import { Jobs } from '../../kernel/platform/jobs/jobs.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { BELOW } from '../collections/collection-statements.js';
import { Collections } from '../collections/collections.service.js';
import { Space } from './space.entity.js';
import type { SpaceForCaller } from './spaces.schema.js';
import { Spaces } from './spaces.service.js';

const DAY_MS = 86_400_000;
/** Older than any RETENTION_DAYS. */
const LONG_AGO = new Date(0);

/** The trash, from which spaces come back for RETENTION_DAYS. */
@Injectable()
export class SpaceTrash {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly spaces: Spaces,
    private readonly collections: Collections,
    private readonly jobs: Jobs,
    @Inject(CONFIG) private readonly config: Pick<Config, 'retentionDays'>,
  ) {}

  /** Puts a space into the trash, from which it is removed for good after RETENTION_DAYS. */
  async remove({ id, organizationId }: SpaceAccess): Promise<void> {
    await this.database.transaction(async () => {
      const space = await this.spaces.lock(id, { inTrash: true, organizationId });
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
   * Removes a collection and all within it for good; the spaces go to the trash, and would come back at the root. Throws
   * `forbidden` for a caller from whom pages of these spaces are hidden.
   */
  async removeCollection(caller: Caller, { id, organizationId }: CollectionAccess): Promise<void> {
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
      await this.spaces.requireWhole(
        caller,
        spaces.map((row) => row.id),
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

  /**
   * Lets a space in the trash be removed for good now, in the background: it is in no list any more, and nobody can
   * restore it. Throws `conflict` when it is not in the trash.
   */
  async purge({ id, organizationId }: SpaceAccess): Promise<void> {
    await this.database.transaction(async () => {
      const space = await this.spaces.lock(id, { inTrash: true, organizationId });
      if (space.deletedAt === null) throw new DomainError('conflict', 'The space is not in the trash: delete it first');
      if (space.deletedAt.getTime() === LONG_AGO.getTime()) return;
      await this.database.of(Space).update({ id }, { deletedAt: LONG_AGO });
      await this.outbox.record({ type: 'space_purged', organizationId, spaceId: id, target: id });
      await this.jobs.enqueue('spaces.remove-expired', {});
    });
  }

  /** Takes a space out of the trash; throws `conflict` when it is not there, `notFound` after RETENTION_DAYS. */
  async restore(userId: string, { id, organizationId }: SpaceAccess): Promise<SpaceForCaller> {
    await this.database.transaction(async () => {
      const space = await this.spaces.lock(id, { inTrash: true, organizationId });
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
    return this.spaces.get(userId, id);
  }
}
