import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { DomainError, stackOf } from '../../kernel/common/errors.js';
import { ContentStore } from '../../authoring/content/content-store.js';
import type { JobRun } from '../../kernel/platform/jobs/job-run.js';
import { Jobs } from '../../kernel/platform/jobs/jobs.js';
import { EngineError } from './engines/engine-error.js';
import { LeftSegments } from './segments/left-segments.js';
import { SpaceTranslator, type TranslatedSpace } from './space-translator.js';
import { TranslationMemory } from './translation-memory.js';
import { TranslationOrders } from './translation-orders.js';
import { TranslationPublisher } from './translation-publisher.js';
import { TranslationGone, TranslationRuns, type TranslationRun } from './translation-runs.js';

/** Milliseconds between two checks whether a run is still needed. */
const LOOK_EVERY = 500;

/** Does the work of translations. */
@Injectable()
export class TranslationWorker implements OnModuleInit {
  private readonly logger = new Logger('Translations');

  constructor(
    private readonly jobs: Jobs,
    private readonly runs: TranslationRuns,
    private readonly orders: TranslationOrders,
    private readonly translator: SpaceTranslator,
    private readonly publisher: TranslationPublisher,
    private readonly store: ContentStore,
    private readonly memory: TranslationMemory,
    private readonly left: LeftSegments,
  ) {}

  onModuleInit(): void {
    this.jobs.handle('translations.follow', ({ translation }, job) => this.run(translation, job));
    // Requests of former servers.
    this.jobs.handle('translations.run', ({ translation }, job) => this.run(translation, job));
    this.jobs.handle('translations.remove-stale', (_, job) => this.removeStale(job.signal));
    this.jobs.handle('translations.record-segments', () => this.runs.requestUnrecorded());
  }

  private async run(id: string, job: JobRun): Promise<void> {
    const run = await this.runs.begin(id);
    if (!run) return;
    const watch = new Watch(job.signal, () => this.runs.whyEnd(id));
    try {
      const result = await this.translate(run, watch.signal);
      await job.commit(() => this.publisher.publish(run, result));
      await this.store.analyzeAfter(result.changes.size);
      await this.memory.forgetOldest(run.organizationId, { spaceId: run.sourceSpaceId, language: run.language });
    } catch (thrown) {
      const error = watch.reason ?? thrown;
      if (error instanceof TranslationGone) return;
      if (job.signal.aborted) throw error;
      if (!isFinal(error, job)) {
        if (isTold(error)) await this.runs.tell(run.id, error.message);
        throw error;
      }
      if (!isTold(error)) this.logger.error(`translation ${id} failed: ${stackOf(error)}`);
      await job.commit(() => this.runs.fail(run, isTold(error) ? error.message : 'The server failed to do it'));
    } finally {
      watch.stop();
    }
  }

  private async translate(run: TranslationRun, signal: AbortSignal): Promise<TranslatedSpace> {
    const reason = await this.runs.whyEnd(run.id);
    if (reason) throw reason;
    return this.translator.translate(await this.orders.of(run, signal));
  }

  /** Ends abandoned runs, and deletes the texts and the unneeded memory of deleted translations. */
  private async removeStale(signal: AbortSignal): Promise<void> {
    await this.runs.endStuck();
    await this.left.remove(signal);
    await this.memory.forgetUnused();
  }
}

/** Tells whether the message of an error is for people who manage translations. */
function isTold(error: unknown): error is DomainError | EngineError {
  return error instanceof DomainError || error instanceof EngineError;
}

/** Faults that may pass are tried again, a few times. */
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
