import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, stackOf } from '../../kernel/common/errors.js';
import { ContentStore } from '../../authoring/content/content-store.js';
import { Commits } from '../../authoring/content/commits.js';
import { DocumentStaging } from '../../authoring/content/document-staging.js';
import { splitKey } from '../../authoring/content/domain/content-item.js';
import { ContentLines } from '../../authoring/content/content-lines.js';
import { PageRedirects } from '../../authoring/content/page-redirects.js';
import { serializeMarkdown } from '../../formats/markdown/serialize.js';
import type { JobRun } from '../../kernel/platform/jobs/job-run.js';
import { hasOpenJob } from '../../kernel/platform/jobs/job-statements.js';
import { Jobs } from '../../kernel/platform/jobs/jobs.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import type { Document } from '../../formats/document/types.js';
import type { Slugs } from './domain/target-items.js';
import { TranslationEngines } from './engines/translation-engines.js';
import { EngineError } from './engines/engine-error.js';
import { Glossary } from './glossary.service.js';
import { RunRequests } from './run-requests.js';
import { SpaceTranslator, type Followed, type TranslatedSpace, type TranslationOrder } from './space-translator.js';
import { TranslationMemory } from './translation-memory.js';

/** Milliseconds between two checks whether a run is still needed. */
const LOOK_EVERY = 500;

interface Run extends Record<string, unknown> {
  readonly id: string;
  readonly organizationId: string;
  readonly sourceSpaceId: string;
  readonly sourceLanguage: string;
  readonly language: string;
  readonly resultSpaceId: string;
  readonly instructions: Document;
  readonly slugs: Slugs;
}

/** Translations that wait for a run or are in one, without a job for it. */
const STUCK = `SELECT t.id, t.organization_id AS "organizationId", t.source_space_id AS "sourceSpaceId" FROM translation t
  WHERE t.status <> 'completed' AND NOT ${hasOpenJob('translations.run', 'translation', 't.id')}`;

type Identity = Pick<Run, 'id' | 'organizationId' | 'sourceSpaceId'>;

/** The translation was removed: there is nothing to record. */
class Stopped extends Error {}

/** Runs translations. */
@Injectable()
export class TranslationWorker implements OnModuleInit {
  private readonly logger = new Logger('Translations');

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
    private readonly outbox: Outbox,
    private readonly lines: ContentLines,
    private readonly store: ContentStore,
    private readonly staging: DocumentStaging,
    private readonly commits: Commits,
    private readonly redirects: PageRedirects,
    private readonly engines: TranslationEngines,
    private readonly glossary: Glossary,
    private readonly translator: SpaceTranslator,
    private readonly memory: TranslationMemory,
    private readonly requests: RunRequests,
  ) {}

  onModuleInit(): void {
    this.jobs.handle('translations.run', ({ translation }, job) => this.run(translation, job));
    this.jobs.handle('translations.remove-stale', () => this.removeStale());
  }

  private async run(id: string, job: JobRun): Promise<void> {
    const run = await this.begin(id);
    if (!run) return;
    const watch = new Watch(job.signal, () => this.whyEnd(id));
    try {
      const result = await this.translate(run, watch.signal);
      await job.commit(() => this.publish(run, result));
      if (result.changes.size > 0) await this.store.analyze();
      await this.memory.forgetOldest({ spaceId: run.sourceSpaceId, language: run.language });
    } catch (thrown) {
      const error = watch.reason ?? thrown;
      if (error instanceof Stopped) return;
      if (job.signal.aborted) throw error;
      if (!isFinal(error, job)) {
        if (isTold(error)) await this.tell(run.id, error.message);
        throw error;
      }
      if (!isTold(error)) this.logger.error(`translation ${id} failed: ${stackOf(error)}`);
      await job.commit(() => this.fail(run, isTold(error) ? error.message : 'The server failed to do it'));
    } finally {
      watch.stop();
    }
  }

  /** Marks a translation as running; undefined for one that needs no run, or was removed. */
  private begin(id: string): Promise<Run | undefined> {
    return this.database.one<Run>(
      `UPDATE translation SET status = 'running', run_started_at = coalesce(run_started_at, $2), again = again AND status = 'running' WHERE id = $1 AND status <> 'completed'
        RETURNING id, organization_id AS "organizationId", source_space_id AS "sourceSpaceId", source_language AS "sourceLanguage", language,
          result_space_id AS "resultSpaceId", instructions, slugs`,
      [id, this.clock.now()],
    );
  }

  /** The reason to end a run early; undefined while it is needed. */
  private async whyEnd(id: string): Promise<Error | undefined> {
    const now = await this.database.one<{ source: boolean; result: boolean }>(
      `SELECT s.deleted_at IS NOT NULL AS source, r.deleted_at IS NOT NULL AS result FROM translation t
         JOIN space s ON s.id = t.source_space_id JOIN space r ON r.id = t.result_space_id WHERE t.id = $1 AND t.status = 'running'`,
      [id],
    );
    if (!now) return new Stopped();
    if (now.source) return new DomainError('notFound', 'The space that is translated is in the trash');
    return now.result ? new DomainError('notFound', 'The space with the translation is in the trash') : undefined;
  }

  private async translate(run: Run, signal: AbortSignal): Promise<TranslatedSpace> {
    const reason = await this.whyEnd(run.id);
    if (reason) throw reason;
    const { id, sourceSpaceId, resultSpaceId, language, sourceLanguage, slugs } = run;
    const engine = await this.engines.choose(sourceLanguage, language);
    if ('reason' in engine) throw new DomainError('unavailable', engine.reason);
    const glossary = await this.glossary.terms(run.organizationId, sourceLanguage, language);
    const order: TranslationOrder = {
      ...{ sourceSpaceId, resultSpaceId, language, slugs, glossary, engine, signal },
      translationId: id,
      place: { spaceId: sourceSpaceId, language },
      manner: {
        engine: engine.name,
        source: sourceLanguage,
        target: language,
        instructions: serializeMarkdown(run.instructions).trim(),
      },
      party: run.organizationId,
    };
    return this.translator.translate(order);
  }

  /** Makes the result visible, in the transaction that completes the job. */
  private async publish(run: Run, result: TranslatedSpace): Promise<void> {
    const { id, organizationId, sourceSpaceId } = run;
    const head = await this.lines.lockPrimary(run.resultSpaceId);
    const current = await this.database.one<{ again: boolean; words: number; since: Date }>(
      `SELECT again, run_words::float8 AS words, run_started_at AS since FROM translation WHERE id = $1 AND status = 'running' FOR NO KEY UPDATE`,
      [id],
    );
    if (!current) throw new Stopped();
    const isStale =
      head.sequence !== result.resultSequence || !(await this.staging.claim(run.resultSpaceId, result.hashes));
    if (isStale) throw new Error('the translated documents have expired: they have to be translated again');
    const facts = { type: 'computed', translated: true } as const;
    const revisionId =
      result.changes.size === 0
        ? head.revisionId
        : await this.commits.toPrimary(head, { items: result.changes, documents: [] }, facts);
    await this.redirects.replaceGiven(run.resultSpaceId, result.redirects);
    await this.follow(run.resultSpaceId, result);
    const source = await this.lines.primary(sourceSpaceId);
    const again = current.again || source.sequence !== result.sourceSequence;
    const now = this.clock.now();
    await this.database.execute(
      `UPDATE translation SET status = $2, again = false, error = NULL, source_sequence = $3, run_started_at = NULL, run_words = 0, runs = runs + 1,
              total_words = total_words + $4, total_pages = total_pages + $5, total_duration = total_duration + $6,
              latest_words = $4, latest_pages = $5, latest_run_duration = $6, updated_at = $7 WHERE id = $1`,
      [
        id,
        again ? 'pending' : 'completed',
        result.sourceSequence,
        current.words,
        result.pages,
        Math.max(0, now.getTime() - current.since.getTime()),
        now,
      ],
    );
    await this.outbox.record({
      type: 'translation_completed',
      organizationId,
      target: id,
      payload: { revisionId, pages: result.pages, words: current.words },
    });
    if (again) await this.requests.queue(run, 0);
  }

  private async follow(spaceId: string, { followed, gone }: TranslatedSpace): Promise<void> {
    const known = followed.filter((each): each is Followed & { fingerprint: string } => each.fingerprint !== null);
    const lost = [...gone, ...followed.flatMap(({ key, fingerprint }) => (fingerprint === null ? [key] : []))].map(
      splitKey,
    );
    const places = known.map(({ key }) => splitKey(key));
    await this.database.execute(
      'DELETE FROM translated_item t USING unnest($2::text[], $3::text[]) AS g (kind, id) WHERE t.space_id = $1 AND t.kind = g.kind AND t.id = g.id',
      [spaceId, lost.map(({ kind }) => kind), lost.map(({ id }) => id)],
    );
    await this.database.execute(
      `INSERT INTO translated_item (space_id, kind, id, fingerprint) SELECT $1, f.kind, f.id, decode(f.fingerprint, 'hex') FROM unnest($2::text[], $3::text[], $4::text[]) AS f (kind, id, fingerprint)
       ON CONFLICT (space_id, kind, id) DO UPDATE SET fingerprint = excluded.fingerprint`,
      [
        spaceId,
        places.map(({ kind }) => kind),
        places.map(({ id }) => id),
        known.map(({ fingerprint }) => fingerprint),
      ],
    );
  }

  /** Reports a problem of a run that is still being retried. */
  private async tell(id: string, message: string): Promise<void> {
    await this.database.execute(
      `UPDATE translation SET error = left($2, 1000), updated_at = $3 WHERE id = $1 AND status = 'running'`,
      [id, storable(message), this.clock.now()],
    );
  }

  /** Records the failure of a run; the existing translation is kept, and so are the answers of the engine. */
  private async fail({ id, organizationId, sourceSpaceId }: Identity, message: string): Promise<void> {
    const failed = await this.database.one<{ status: string }>(
      `UPDATE translation SET status = CASE WHEN again THEN 'pending' ELSE 'completed' END, again = false, error = left($2, 1000), run_started_at = NULL, updated_at = $3
        WHERE id = $1 AND status <> 'completed' RETURNING status`,
      [id, storable(message), this.clock.now()],
    );
    if (!failed) return;
    await this.outbox.record({ type: 'translation_failed', organizationId, target: id });
    if (failed.status === 'pending') await this.requests.queue({ id, organizationId, sourceSpaceId }, 0);
  }

  /** Ends abandoned runs, and deletes unneeded memory. */
  private async removeStale(): Promise<void> {
    for (const { id } of await this.database.query<Identity>(STUCK)) await this.endStuck(id);
    await this.memory.forgetUnused();
  }

  /**
   * Ends a stuck run while no request is possible: only under the lock of its row a job that is being enqueued is
   * visible.
   */
  private endStuck(id: string): Promise<void> {
    return this.database.transaction(async () => {
      await this.database.execute('SELECT FROM translation WHERE id = $1 FOR NO KEY UPDATE', [id]);
      const stuck = await this.database.one<Identity>(`${STUCK} AND t.id = $1`, [id]);
      if (stuck) await this.fail(stuck, 'The server stopped before it was done');
    });
  }
}

/** Tells whether the message of an error is for people who manage translations. */
function isTold(error: unknown): error is DomainError | EngineError {
  return error instanceof DomainError || error instanceof EngineError;
}

/** Messages of a service may contain characters that the database cannot store. */
function storable(message: string): string {
  return message.replaceAll('\0', '');
}

/** Temporary failures are retried a few times. */
function isFinal(error: unknown, job: JobRun): boolean {
  return error instanceof DomainError || (error instanceof EngineError && !error.temporary) || job.isLastFor(error);
}

/** Checks periodically whether a run is still needed, and aborts `signal` if it is not. */
class Watch {
  readonly signal: AbortSignal;
  /** The reason why the run was ended early. */
  reason: Error | undefined;
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private looking = false;

  constructor(job: AbortSignal, whyEnd: () => Promise<Error | undefined>) {
    this.signal = AbortSignal.any([job, this.controller.signal]);
    this.timer = setInterval(() => void this.look(whyEnd).catch(() => undefined), LOOK_EVERY).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private async look(whyEnd: () => Promise<Error | undefined>): Promise<void> {
    if (this.looking) return;
    this.looking = true;
    this.reason ??= await whyEnd();
    this.looking = false;
    if (this.reason) this.controller.abort(this.reason);
  }
}
