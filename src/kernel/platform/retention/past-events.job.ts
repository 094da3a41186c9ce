import { Inject, Injectable } from '@nestjs/common';
import { Database } from '../../common/database.js';
import { CONFIG, type Config } from '../config/config.js';
import { removeOld } from './month-partitions.js';

const BATCH = 1000;

/** Events that a consumer has not received yet, or has given up on, stay with their claim. */
const REMOVE = `DELETE FROM event WHERE id = ANY (ARRAY (
  SELECT e.id FROM event e WHERE e.id < $1 AND NOT EXISTS (SELECT FROM event_claim c WHERE c.event_id = e.id) ORDER BY e.id LIMIT ${BATCH}))`;

const IS_CLAIMED = 'SELECT EXISTS (SELECT FROM event_claim c WHERE c.event_id >= $1 AND c.event_id < $2) AS found';

/** Removes events that every consumer has received, once EVENT_RETENTION_DAYS have passed. */
@Injectable()
export class PastEventsJob {
  constructor(
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Pick<Config, 'eventRetentionDays'>,
  ) {}

  /** Removes them with their months, others in batches of 1,000, each in its own transaction; returns their number. */
  remove(signal?: AbortSignal): Promise<number> {
    return removeOld(this.database, {
      table: 'event',
      key: 'id',
      days: this.config.eventRetentionDays,
      isUsed: async ({ lower, upper }) =>
        (await this.database.one<{ found: boolean }>(IS_CLAIMED, [lower, upper]))?.found === true,
      removeRows: (before) => this.database.execute(REMOVE, [before]),
      batch: BATCH,
      signal,
    });
  }
}
