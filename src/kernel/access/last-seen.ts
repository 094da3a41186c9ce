import { Injectable, Logger, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Database } from '../common/database.js';
import { Registry } from '../platform/manifest/registry.js';
import { TOKEN_USES } from './access.points.js';

const FLUSH_INTERVAL_MS = 5_000;
const RESOLUTION_MS = 60_000;

/** Builds one statement that runs the registered uses of tokens over $1. */
function noting(uses: readonly string[]): string {
  return `WITH seen AS (SELECT * FROM jsonb_to_recordset($1::jsonb) AS s("tokenId" text, "userId" text, at timestamptz))
    ${uses.map((use, index) => `, noted_${index} AS (${use})`).join('')} SELECT`;
}

/**
 * Records when tokens were last used: collected in memory and written in batches, at most once a minute for each token.
 */
@Injectable()
export class LastSeen implements OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger(LastSeen.name);
  private readonly written = new Map<string, number>();
  private pending = new Map<string, { userId: string; at: Date }>();
  private timer: NodeJS.Timeout | undefined;

  private readonly noting: string;

  constructor(
    private readonly database: Database,
    registry: Registry,
  ) {
    this.noting = noting(registry.contributionsTo(TOKEN_USES));
  }

  onModuleInit(): void {
    this.timer = setInterval(() => void this.flush(), FLUSH_INTERVAL_MS);
    this.timer.unref();
  }

  /** Runs when requests are over and the database is still connected. */
  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }

  note(tokenId: string, userId: string, at: Date): void {
    const last = this.written.get(tokenId);
    if (last !== undefined && at.getTime() - last < RESOLUTION_MS) return;
    this.written.set(tokenId, at.getTime());
    this.pending.set(tokenId, { userId, at });
  }

  async flush(): Promise<void> {
    if (this.pending.size === 0) return;
    const batch = [...this.pending].map(([tokenId, { userId, at }]) => ({ tokenId, userId, at }));
    this.pending = new Map();
    for (const [tokenId, at] of this.written) {
      if (Date.now() - at > RESOLUTION_MS) this.written.delete(tokenId);
    }
    try {
      await this.database.execute(this.noting, [JSON.stringify(batch)]);
    } catch (error) {
      this.logger.warn(`the last use of ${batch.length} tokens was not written: ${String(error)}`);
    }
  }
}
