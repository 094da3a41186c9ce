import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { newId } from '../../kernel/common/ids.js';
import { CONFIG, type Config } from '../../kernel/platform/config/config.js';
import { Jobs } from '../../kernel/platform/jobs/jobs.js';

const DAY = 24 * 3600 * 1000;

/** Removes lines beyond the retention period of the audit log. */
@Injectable()
export class AuditRetentionJob implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
    @Inject(CONFIG) private readonly config: Pick<Config, 'auditRetentionDays'>,
  ) {}

  onModuleInit(): void {
    this.jobs.handle('audit.remove-expired', async (_, run) => void (await this.remove(run.signal)));
  }

  /**
   * Removes the lines that are older than AUDIT_RETENTION_DAYS, the oldest first, a thousand in each transaction;
   * returns their number.
   */
  async remove(signal?: AbortSignal): Promise<number> {
    const now = this.clock.now();
    const before = new Date(now.getTime() - this.config.auditRetentionDays * DAY);
    let total = 0;
    for (;;) {
      signal?.throwIfAborted();
      // Only the trigger of this table can delete lines.
      const step = await this.database.one<{ removed: number }>(
        'INSERT INTO audit_removal (id, before, removed_at) VALUES ($1, $2, $3) RETURNING removed',
        [newId(now.getTime()), before, now],
      );
      if (!step) return total;
      total += step.removed;
    }
  }
}
