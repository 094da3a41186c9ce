import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError } from '../../kernel/common/errors.js';
import { hasOpenJob } from '../../kernel/platform/jobs/job-statements.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import type { Slugs } from './domain/target-items.js';
import { RunRequests } from './run-requests.js';
import type { TranslationRow } from './translations.schema.js';

/** A translation while it is worked on. */
export interface TranslationRun
  extends
    Pick<
      TranslationRow,
      'id' | 'organizationId' | 'sourceSpaceId' | 'sourceLanguage' | 'language' | 'resultSpaceId' | 'instructions'
    >,
    Record<string, unknown> {
  readonly slugs: Slugs;
  readonly readerNote: boolean;
}

/** A run that holds the row of its translation. */
export interface HeldRun extends Record<string, unknown> {
  readonly id: string;
  readonly createdBy: string;
  readonly again: boolean;
  readonly words: number;
  readonly since: Date;
  readonly readerNote: boolean;
  /** What runs make goes into a change request. */
  readonly review: boolean;
  readonly reviewRequestId: string | null;
  readonly reviewRevisionId: string | null;
}

/** The items that a run has made. */
interface RunOutcome {
  readonly revisionId: string;
  readonly pages: number;
  /** The source as the result says it; undefined where it does so once a change request is merged. */
  readonly sourceSequence: number | undefined;
  readonly changeRequestId: string | undefined;
  /** Whether the source says something else by now. */
  readonly isOutdated: boolean;
  /** Why some items stay as they were. */
  readonly faults: readonly string[];
}

/** Translations that wait for a run or are in one, without a job that would do it. */
const STUCK = `SELECT t.id, t.organization_id AS "organizationId", t.source_space_id AS "sourceSpaceId" FROM translation t
  WHERE t.status <> 'completed' AND NOT ${hasOpenJob('translations.follow', 'translation', 't.id')} AND NOT ${hasOpenJob('translations.run', 'translation', 't.id')}`;

/** Translations whose last run was before segments were stored, as far as it can run. */
const UNRECORDED = `SELECT t.id FROM translation t
  JOIN space s ON s.id = t.source_space_id AND s.deleted_at IS NULL JOIN space r ON r.id = t.result_space_id AND r.deleted_at IS NULL
  WHERE NOT t.segments_recorded AND t.status = 'completed' AND t.error IS NULL ORDER BY t.id LIMIT 1000`;

type Identity = Pick<TranslationRun, 'id' | 'organizationId' | 'sourceSpaceId'>;

/** The translation is gone: there is nothing to record. */
export class TranslationGone extends Error {}

/** Keeps how far the runs of translations are: begun, failing, completed or failed. */
@Injectable()
export class TranslationRuns {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly requests: RunRequests,
  ) {}

  /** Marks a translation as being worked on; undefined for one that needs nothing, or is gone. */
  begin(id: string): Promise<TranslationRun | undefined> {
    return this.database.one<TranslationRun>(
      `UPDATE translation SET status = 'running', run_started_at = coalesce(run_started_at, $2), again = again AND status = 'running' WHERE id = $1 AND status <> 'completed'
        RETURNING id, organization_id AS "organizationId", source_space_id AS "sourceSpaceId", source_language AS "sourceLanguage", language,
          result_space_id AS "resultSpaceId", instructions, slugs, reader_note AS "readerNote"`,
      [id, this.clock.now()],
    );
  }

  /** The reason that ends a run early; undefined while it is wanted. */
  async whyEnd(id: string): Promise<Error | undefined> {
    const now = await this.database.one<{ source: boolean; result: boolean }>(
      `SELECT s.deleted_at IS NOT NULL AS source, r.deleted_at IS NOT NULL AS result FROM translation t
         JOIN space s ON s.id = t.source_space_id JOIN space r ON r.id = t.result_space_id WHERE t.id = $1 AND t.status = 'running'`,
      [id],
    );
    if (!now) return new TranslationGone();
    if (now.source) return new DomainError('notFound', 'The space that is translated is in the trash');
    return now.result ? new DomainError('notFound', 'The space with the translation is in the trash') : undefined;
  }

  /** The facts of a run as they are until the transaction ends; throws `TranslationGone` where it is not wanted any more. */
  async hold(id: string): Promise<HeldRun> {
    const held = await this.database.one<HeldRun>(
      `SELECT id, created_by AS "createdBy", again, run_words::float8 AS words, run_started_at AS since, reader_note AS "readerNote",
          review, review_request_id AS "reviewRequestId", review_revision_id AS "reviewRevisionId" FROM translation WHERE id = $1 AND status = 'running' FOR NO KEY UPDATE`,
      [id],
    );
    if (!held) throw new TranslationGone();
    return held;
  }

  /** Records that a run is done, and queues the next one where its result is outdated already. */
  async complete(
    { id, organizationId, sourceSpaceId }: Identity,
    held: HeldRun,
    { revisionId, pages, sourceSequence, changeRequestId, isOutdated, faults }: RunOutcome,
  ): Promise<void> {
    const again = held.again || isOutdated;
    const now = this.clock.now();
    await this.database.execute(
      `UPDATE translation SET status = $2, again = false, error = left($8, 1000), source_sequence = coalesce($3, source_sequence), run_started_at = NULL, run_words = 0, runs = runs + 1, segments_recorded = true,
              total_words = total_words + $4, total_pages = total_pages + $5, total_duration = total_duration + $6,
              latest_words = $4, latest_pages = $5, latest_run_duration = $6, updated_at = $7 WHERE id = $1`,
      [
        id,
        again ? 'pending' : 'completed',
        sourceSequence ?? null,
        held.words,
        pages,
        Math.max(0, now.getTime() - held.since.getTime()),
        now,
        faults.length === 0 ? null : storable(faults.join('\n')),
      ],
    );
    await this.outbox.record({
      type: 'translation_completed',
      organizationId,
      target: id,
      payload: { revisionId, pages, words: held.words, changeRequestId },
    });
    if (again) await this.requests.queue({ id, organizationId, sourceSpaceId }, 0);
  }

  /** Says what a run fails at while it is still tried again. */
  async tell(id: string, message: string): Promise<void> {
    await this.database.execute(
      `UPDATE translation SET error = left($2, 1000), updated_at = $3 WHERE id = $1 AND status = 'running'`,
      [id, storable(message), this.clock.now()],
    );
  }

  /** Records why a run has failed; what the translation says stays, and so does what the engine has said. */
  async fail({ id, organizationId, sourceSpaceId }: Identity, message: string): Promise<void> {
    const failed = await this.database.one<{ status: string }>(
      `UPDATE translation SET status = CASE WHEN again THEN 'pending' ELSE 'completed' END, again = false, error = left($2, 1000), run_started_at = NULL, updated_at = $3
        WHERE id = $1 AND status <> 'completed' RETURNING status`,
      [id, storable(message), this.clock.now()],
    );
    if (!failed) return;
    await this.outbox.record({ type: 'translation_failed', organizationId, target: id });
    if (failed.status === 'pending') await this.requests.queue({ id, organizationId, sourceSpaceId }, 0);
  }

  /** Ends all runs that no job works on any more. */
  async endStuck(): Promise<void> {
    for (const { id } of await this.database.query<Identity>(STUCK)) await this.endIfStuck(id);
  }

  /** Requests a run of each translation whose segments no run has stored yet. */
  requestUnrecorded(): Promise<void> {
    return this.database.transaction(async () => {
      const rows = await this.database.query<{ id: string }>(UNRECORDED);
      if (rows.length > 0) await this.requests.request(rows.map(({ id }) => id));
    });
  }

  /** Ends a run that is stuck even while nobody can ask for one: only under the lock of its row a job that is on its way is seen. */
  private endIfStuck(id: string): Promise<void> {
    return this.database.transaction(async () => {
      await this.database.execute('SELECT FROM translation WHERE id = $1 FOR NO KEY UPDATE', [id]);
      const stuck = await this.database.one<Identity>(`${STUCK} AND t.id = $1`, [id]);
      if (stuck) await this.fail(stuck, 'The server stopped before it was done');
    });
  }
}

/** Texts of a service may hold characters that the database cannot. */
function storable(message: string): string {
  return message.replaceAll('\0', '');
}
