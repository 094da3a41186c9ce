import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { Jobs } from '../../kernel/platform/jobs/jobs.js';
import { ConflictChecks } from './conflict-checks.js';

const DAY = 24 * 3600 * 1000;
/** Days that notifications are kept after they happened: those that were read, and all. */
const READ_DAYS = 90;
const DAYS = 365;
const BATCH = 1000;

const REMOVE = `DELETE FROM notification WHERE id = ANY (ARRAY (
  SELECT n.id FROM notification n WHERE n.at < $1 OR n.at < $2 AND n.read_at IS NOT NULL LIMIT ${BATCH}))`;

/** Removes old notifications, and finds checks for conflicts that have lost their job. */
@Injectable()
export class StaleNotificationsJob implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
    private readonly checks: ConflictChecks,
  ) {}

  onModuleInit(): void {
    this.jobs.handle('notifications.remove-stale', async (_, run) => {
      await this.remove(run.signal);
      await this.checks.rouse();
    });
  }

  private async remove(signal: AbortSignal): Promise<void> {
    const now = this.clock.now().getTime();
    const values = [new Date(now - DAYS * DAY), new Date(now - READ_DAYS * DAY)];
    while ((await this.database.execute(REMOVE, values)) === BATCH) signal.throwIfAborted();
  }
}
