import { Injectable, Logger } from '@nestjs/common';
import { Database } from '../../common/database.js';
import { Registry } from '../manifest/registry.js';
import { TABLES_BY_MONTH } from './month-partitions.js';

/** Months behind the present one that are made. */
export const MONTHS_AHEAD = 2;
/** Rows of a month that may have to be moved while writers wait: more stay in the DEFAULT partition, and the month is not made. */
const MOST_MOVED = 5000;

const MAKE = `SELECT make_month($1::regclass, (date_trunc('month', now() AT TIME ZONE 'UTC') + $2 * interval '1 month')::date, ${MOST_MOVED}) AS state`;

/** Makes the partitions of the present month and of the next ones. */
@Injectable()
export class MonthsAheadJob {
  private readonly logger = new Logger('MonthsAhead');

  constructor(
    private readonly database: Database,
    private readonly registry: Registry,
  ) {}

  /** Makes them, and takes statistics of the tables as a whole. */
  async run(signal: AbortSignal): Promise<void> {
    await this.make(signal);
    for (const table of this.registry.contributionsTo(TABLES_BY_MONTH)) {
      signal.throwIfAborted();
      await this.database.query('SELECT analyze_months($1::regclass)', [table]);
    }
  }

  /**
   * Makes those that are missing, each in its own transaction, and returns their number. A table that is busy is left for
   * the next time: until then rows of its months lie in the DEFAULT partition.
   */
  async make(signal?: AbortSignal): Promise<number> {
    let made = 0;
    for (const table of this.registry.contributionsTo(TABLES_BY_MONTH))
      for (let ahead = 0; ahead <= MONTHS_AHEAD; ahead++) {
        signal?.throwIfAborted();
        const state = (await this.database.one<{ state: string }>(MAKE, [table, ahead]))?.state;
        if (state === 'busy') break;
        if (state === 'made') made++;
        else if (state === 'full')
          this.logger.warn(`The DEFAULT partition of ${table} has too many rows for another month: they go one by one`);
      }
    return made;
  }

  /** For the start of a server, which goes on where that fails. */
  async tryMake(): Promise<void> {
    await this.make().catch((error: unknown) =>
      this.logger.error(`Partitions of the next months could not be made: ${String(error)}`),
    );
  }
}
