import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { Database } from '../../common/database.js';
import { IDEMPOTENCY_HOURS } from '../idempotency.interceptor.js';
import { windowNumber } from '../rate-limit/budget.js';

const BATCH = 1000;

/** Removes temporary rows of the platform's own tables. */
@Injectable()
export class StaleRowsJob {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async remove(): Promise<number> {
    const now = this.clock.now();
    const day = new Date(now.getTime() - IDEMPOTENCY_HOURS * 3600 * 1000);
    return (
      (await this.inBatches('idempotency', 'created_at < $1', day)) +
      (await this.inBatches('rate_budget', 'window_number < $1', windowNumber(now)))
    );
  }

  private async inBatches(table: 'idempotency' | 'rate_budget', condition: string, value: unknown): Promise<number> {
    let removed = 0;
    for (;;) {
      const count = await this.database.execute(
        `DELETE FROM ${table} WHERE ctid = ANY (ARRAY (SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${BATCH}))`,
        [value],
      );
      removed += count;
      if (count < BATCH) return removed;
    }
  }
}
