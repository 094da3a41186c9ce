import { Inject, Injectable } from '@nestjs/common';
import { Database } from '../../common/database.js';
import { leastIdAt } from '../../common/ids.js';
import { CONFIG, type Config } from '../config/config.js';

const BATCH = 1000;

/** Events that a consumer has not received yet, or has given up on, stay with their claim. */
const REMOVE = `DELETE FROM event WHERE id = ANY (ARRAY (
  SELECT e.id FROM event e WHERE e.id < $1 AND NOT EXISTS (SELECT FROM event_claim c WHERE c.event_id = e.id) ORDER BY e.id LIMIT ${BATCH}))`;

/** Removes events that every consumer has received, once EVENT_RETENTION_DAYS have passed. */
@Injectable()
export class PastEventsJob {
  constructor(
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Pick<Config, 'eventRetentionDays'>,
  ) {}

  /** Removes them in batches of 1,000, each in its own transaction, and returns their number. */
  async remove(signal?: AbortSignal): Promise<number> {
    const row = await this.database.one<{ before: Date }>(`SELECT now() - $1 * interval '1 day' AS before`, [
      this.config.eventRetentionDays,
    ]);
    if (!row) throw new Error('the database does not tell the time');
    let removed = 0;
    for (;;) {
      signal?.throwIfAborted();
      const count = await this.database.execute(REMOVE, [leastIdAt(row.before.getTime())]);
      removed += count;
      if (count < BATCH) return removed;
    }
  }
}
