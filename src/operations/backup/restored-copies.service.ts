import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { BackgroundWork } from '../../kernel/platform/jobs/background-work.js';

const WAITING = `SELECT taken_at AS "takenAt" FROM restored_copy WHERE activated_at IS NULL ORDER BY restored_at DESC LIMIT 1`;

/**
 * A database that was restored from a backup is quiet until it is told that it is the one: the original may still work,
 * and what it has sent since must not be sent again.
 */
@Injectable()
export class RestoredCopies implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly work: BackgroundWork,
  ) {}

  onModuleInit(): void {
    this.work.holdWhile(() => this.reasonToWait());
  }

  /** Makes a restored copy the one that works. Returns false if it is that already. */
  async activate(): Promise<boolean> {
    const activated = await this.database.execute(
      'UPDATE restored_copy SET activated_at = $1 WHERE activated_at IS NULL',
      [this.clock.now()],
    );
    return activated > 0;
  }

  private async reasonToWait(): Promise<string | undefined> {
    const copy = await this.database.one<{ takenAt: Date }>(WAITING);
    return (
      copy && `restored from the backup of ${copy.takenAt.toISOString()} and not activated by "bindery backup activate"`
    );
  }
}
