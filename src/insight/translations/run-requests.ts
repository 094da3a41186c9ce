import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { Jobs } from '../../kernel/platform/jobs/jobs.js';
import { Outbox } from '../../kernel/platform/outbox.js';

interface Requested extends Record<string, unknown> {
  readonly id: string;
  readonly organizationId: string;
  readonly sourceSpaceId: string;
  readonly again: boolean;
}

/** Requests runs of translations. At most one waits, however often it is requested. */
@Injectable()
export class RunRequests {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Ensures that these translations run after now; must be called in the transaction of the changes for them. A waiting
   * run will include these, a running one is followed by another. `afterSeconds`: further changes until then are part
   * of the same run.
   */
  async request(ids: readonly string[], afterSeconds = 0): Promise<void> {
    const rows = await this.database.query<Requested>(
      `UPDATE translation SET status = CASE status WHEN 'completed' THEN 'pending' ELSE status END, again = status = 'running', updated_at = $2
        WHERE id = ANY ($1) AND status <> 'pending' AND NOT again
        RETURNING id, organization_id AS "organizationId", source_space_id AS "sourceSpaceId", again`,
      [ids, this.clock.now()],
    );
    for (const row of rows) await this.queue(row, row.again ? undefined : afterSeconds);
  }

  /** Enqueues a pending translation; without `afterSeconds` a running one will do that. */
  async queue(
    { id, organizationId, sourceSpaceId }: Pick<Requested, 'id' | 'organizationId' | 'sourceSpaceId'>,
    afterSeconds: number | undefined,
  ): Promise<void> {
    await this.outbox.record({ type: 'translation_queued', organizationId, target: id, payload: { sourceSpaceId } });
    if (afterSeconds === undefined) return;
    await this.jobs.enqueue('translations.follow', { translation: id }, { afterSeconds });
  }

  /**
   * Has the texts of a deleted translation removed, and the notes to readers in its space; must be called in the
   * transaction that deletes it.
   */
  async removeLeft(resultSpaceId: string): Promise<void> {
    await this.note(resultSpaceId);
    await this.jobs.enqueue('translations.remove-stale', {});
  }

  /** Has pages get the notes for readers that they should have; must be called in the transaction that changes these. */
  async note(resultSpaceId: string): Promise<void> {
    await this.jobs.enqueue('translations.note-pages', { space: resultSpaceId });
  }
}
