import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../kernel/common/database.js';
import { Jobs } from '../../kernel/platform/jobs/jobs.js';
import { Lanes } from '../../kernel/platform/jobs/lanes.js';
import { Analyses, OUTDATED } from './analyses.js';
import { Conversations } from './conversations.service.js';

/** Removes expired conversations, and finds work that has lost its job. */
@Injectable()
export class ConversationsMaintenanceJob implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly jobs: Jobs,
    private readonly lanes: Lanes,
    private readonly analyses: Analyses,
    private readonly conversations: Conversations,
  ) {}

  onModuleInit(): void {
    this.jobs.handle('conversations.forget', ({ source }, run) => this.conversations.forget(source, run.signal));
    this.jobs.handle('conversations.maintain', (_, run) => this.maintain(run.signal));
  }

  private async maintain(signal: AbortSignal): Promise<void> {
    await this.conversations.removeExpired(signal);
    const forgotten = await this.database.query<{ id: string }>(
      'SELECT id FROM conversation_source WHERE deleted_at IS NOT NULL ORDER BY deleted_at',
    );
    for (const { id } of forgotten) await this.conversations.forget(id, signal);
    const waiting = await this.database.query<{ id: string }>(
      `SELECT DISTINCT c.organization_id AS id FROM conversation c
         JOIN conversation_source s ON s.organization_id = c.organization_id AND s.id = c.source_id AND s.deleted_at IS NULL
        WHERE c.processed_at IS NULL ORDER BY 1`,
    );
    for (const { id } of waiting) await this.database.transaction(() => this.lanes.wake('conversations.derive', id));
    const stale = await this.database.query<{ id: string }>(
      `SELECT organization_id AS id FROM conversation_analysis WHERE changed_issues > 0 OR ${OUTDATED} ORDER BY 1`,
    );
    for (const { id } of stale) await this.database.transaction(() => this.retry(id));
  }

  private async retry(organizationId: string): Promise<void> {
    await this.analyses.lock(organizationId);
    await this.analyses.changed(organizationId, 0);
  }
}
