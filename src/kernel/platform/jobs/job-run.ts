import type PgBoss from 'pg-boss';
import type { Database } from '../../common/database.js';
import type { DomainError } from '../../common/errors.js';
import { infrastructureFaultOf } from '../../common/infrastructure-fault.js';
import type { FetchedJob, JobLeases } from './job-leases.js';
import type { JobDefinition } from './job-definition.js';

/** The job was given to another server, because this one seemed dead; its commits are refused. */
export class LostJob extends Error {}

const POSTPONE = `UPDATE jobs.job SET state = 'retry', retry_limit = retry_limit + 1, start_after = now() + $3 * interval '1 second', output = $4 WHERE name = $1 AND id = $2`;

/** One run of a job, as its handler sees it. */
export class JobRun {
  private readonly controller = new AbortController();
  /** By the monotonic clock. */
  private readonly startedAt = performance.now();
  private state: 'running' | 'committing' | 'done' = 'running';
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    private readonly boss: PgBoss,
    private readonly leases: JobLeases,
    private readonly job: FetchedJob,
    private readonly definition: JobDefinition,
  ) {}

  get name(): string {
    return this.job.name;
  }

  get id(): string {
    return this.job.id;
  }

  /** 0 for the first attempt. */
  get attempt(): number {
    return this.job.retryCount;
  }

  /** True if there is no further attempt after this one. */
  get isLast(): boolean {
    return this.attempt >= this.job.retryLimit;
  }

  /**
   * Tells whether a failure by this error is the job's last: while the database or the file storage is unavailable, the
   * job is retried for as long as that takes.
   */
  isLastFor(error: unknown): boolean {
    return this.isLast && infrastructureFaultOf(error) === undefined;
  }

  /** Aborted when the job was lost, took too long or the server stops. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get done(): boolean {
    return this.state === 'done';
  }

  /**
   * Runs `work`, which commits. If the last attempt fails, `giveUp` is committed instead and receives the reason. A run
   * that has lost the job, or was stopped, leaves it to the next one.
   */
  async workOrGiveUp(work: () => Promise<void>, giveUp: (error: unknown) => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (this.done || this.signal.aborted || !this.isLastFor(error)) throw error;
      await this.commit(() => giveUp(error));
    }
  }

  /**
   * Runs `work` in the transaction that also completes the job, so that its effect occurs exactly once although the job
   * may run several times. Slow work that does not need the database (a download, a rendering) belongs before it.
   * Throws `LostJob` if another server has the job.
   */
  async commit<T>(work: () => Promise<T>): Promise<T> {
    if (this.state === 'done') throw new Error(`the job ${this.job.name} was completed already`);
    this.state = 'committing';
    try {
      const result = await this.database.transaction(async () => {
        await this.lock();
        const outcome = await work();
        await this.boss.complete(this.job.name, this.job.id);
        return outcome;
      });
      this.state = 'done';
      return result;
    } catch (error) {
      this.state = 'running';
      throw error;
    }
  }

  /**
   * Returns the job for a later attempt, or to the dead letters after the last. An attempt that failed because of the
   * infrastructure does not count.
   */
  async fail(error: unknown): Promise<void> {
    const output = { message: error instanceof Error ? error.message : String(error) };
    const fault = infrastructureFaultOf(error);
    await this.database.transaction(async () => {
      await this.lock();
      if (fault) await this.database.execute(POSTPONE, [this.job.name, this.job.id, this.pauseAfter(fault), output]);
      else await this.boss.fail(this.job.name, this.job.id, output);
    });
    this.state = 'done';
  }

  /**
   * Seconds until a job that failed because of the infrastructure is retried: 1, 2, 4 … at most the `Retry-After` of
   * callers.
   */
  private pauseAfter(fault: DomainError): number {
    return Math.min(
      2 ** Math.max(0, this.job.retryLimit - this.definition.retries),
      Number(fault.headers['Retry-After']),
    );
  }

  /** Takes the lease and renews it until `stop`. */
  async begin(): Promise<void> {
    await this.renew();
    this.timer = setInterval(
      () => void this.renew().catch(() => undefined),
      (this.definition.leaseSeconds * 1000) / 3,
    ).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  abort(reason: string): void {
    this.controller.abort(new Error(reason));
  }

  private async renew(): Promise<void> {
    if (this.state !== 'running') return;
    if (performance.now() - this.startedAt > this.definition.timeoutSeconds * 1000) {
      this.stop();
      this.abort('the job took too long');
      return;
    }
    const renewed = await this.leases.renew(this.job, this.definition.leaseSeconds);
    if (!renewed && this.state === 'running') {
      this.stop();
      this.abort('the job was given to another server');
    }
  }

  private async lock(): Promise<void> {
    const row = await this.database.one(
      `SELECT 1 FROM jobs.job WHERE name = $1 AND id = $2 AND state = 'active' AND retry_count = $3 FOR UPDATE`,
      [this.job.name, this.job.id, this.job.retryCount],
    );
    if (!row) throw new LostJob(`the job ${this.job.name} was given to another server`);
  }
}
