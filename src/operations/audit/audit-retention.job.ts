import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { newId } from '../../kernel/common/ids.js';
import { CONFIG, type Config } from '../../kernel/platform/config/config.js';
import { Jobs } from '../../kernel/platform/jobs/jobs.js';

/** Only the trigger of this table can delete lines and drop months. Times are those of the database. */
const REMOVE = `INSERT INTO audit_removal (id, before, removed_at) VALUES ($1, now() - $2 * interval '1 day', now()) RETURNING removed`;

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
   * Removes the lines that are older than AUDIT_RETENTION_DAYS: those that lie in no month a thousand in each
   * transaction, the oldest first, and then whole months; returns their number.
   */
  async remove(signal?: AbortSignal): Promise<number> {
    let total = 0;
    for (;;) {
      signal?.throwIfAborted();
      const id = newId(this.clock.now().getTime());
      const step = await this.database.one<{ removed: number }>(REMOVE, [id, this.config.auditRetentionDays]);
      if (!step) return total;
      total += step.removed;
    }
  }
}
