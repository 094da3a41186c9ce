import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { Outbox } from '../../kernel/platform/outbox.js';

const KEPT_DAYS = 90;
/** Days after which a run that nothing works on any more has failed. */
const STUCK_DAYS = 1;

/** Cleans up behind imports and exports. */
@Injectable()
export class StaleRunsJob {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
  ) {}

  /** Ends runs that nothing works on any more, and forgets old ones. */
  async remove(): Promise<void> {
    const now = this.clock.now();
    const daysAgo = (days: number): Date => new Date(now.getTime() - days * 24 * 3600 * 1000);
    await this.database.transaction(async () => {
      const stuck = await this.database.query<{ id: string; spaceId: string; organizationId: string }>(
        `UPDATE import_run i SET status = 'failed', error = 'The server stopped before it was done', secret = NULL, completed_at = $2
           FROM space s WHERE s.id = i.space_id AND i.status IN ('pending', 'in-progress') AND i.created_at < $1
         RETURNING i.id, i.space_id AS "spaceId", s.organization_id AS "organizationId"`,
        [daysAgo(STUCK_DAYS), now],
      );
      for (const { id, ...place } of stuck) await this.outbox.record({ type: 'import_failed', ...place, target: id });
    });
    await this.database.execute('DELETE FROM import_run WHERE created_at < $1', [daysAgo(KEPT_DAYS)]);
  }
}
