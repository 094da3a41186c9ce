import { AsyncResource } from 'node:async_hooks';
import { Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import PgBoss from 'pg-boss';
import type { DataSource } from 'typeorm';
import type { Database } from '../../common/database.js';
import { JobDatabase } from './job-database.js';
import { JobLeases, type FetchedJob } from './job-leases.js';
import { JobRun, LostJob } from './job-run.js';
import type { JobDefinition, JobName, JobTable, JobPayload } from './job-definition.js';

const DEAD_LETTERS = 'dead-letters';
const POLL_MILLISECONDS = 1000;
const CLEAN_MILLISECONDS = 60_000;
const DEAD_LETTER_DAYS = 90;

export type JobHandler<Payload extends object> = (payload: Payload, run: JobRun) => Promise<void>;

export interface DeadLetter {
  readonly id: string;
  readonly job: string;
  readonly payload: object;
  readonly problem: string;
  readonly at: Date;
}

export interface EnqueueOptions {
  /** Minimum delay in seconds, by the time of the database. */
  readonly afterSeconds?: number;
}

/** The stored form of a job: it includes the name, so that dead letters can be identified. */
interface Envelope {
  readonly job: string;
  readonly payload: object;
}

/**
 * Background jobs in PostgreSQL: enqueued in the caller's transaction, run at least once by one of the servers that
 * share the database, effective once (see `JobRun.commit`).
 *
 * pg-boss (10.4.2, the last major version for Node.js 20) stores the jobs, hands them out, completes them and counts
 * their attempts. Its `work()` and `schedule()` are not used, because they lack guarantees that `test/jobs.spec.ts`
 * proves:
 * - A running job renews no lease there: a job of a dead server is taken over after its longest time, up to 6 hours, in
 *   place of 8 seconds.
 * - A job is completed and failed by its id alone, and not by its attempt: a server that was taken for dead ends the
 * run
 *   of the one that took over.
 * - Each worker polls by itself: about 50 statements a second and server, in place of 2.
 * - A time of `schedule()` that passes while no server runs is left out, times are compared with the clock of the
 * machine,
 *   and a job is enqueued although one waits.
 * So leases, attempts and due names are statements on the table of pg-boss, in this folder alone.
 */
export class JobQueue<Table extends JobTable> implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Jobs');
  private readonly handlers = new Map<string, JobHandler<object>>();
  private readonly running = new Map<JobRun, Promise<void>>();
  private readonly boss: PgBoss;
  private readonly leases: JobLeases;
  private readonly timers: NodeJS.Timeout[] = [];
  /** Jobs run in the context of the boot, never in that of the request that woke the queue. */
  private readonly scope = new AsyncResource('JobQueue');
  private state: 'idle' | 'working' | 'stopping' = 'idle';
  private polling: Promise<void> | undefined;
  private ending: Promise<void> | undefined;
  private pollAgain = false;
  private reclaimNext = false;

  constructor(
    readonly table: Table,
    private readonly database: Database,
    source: DataSource,
    private readonly shutdownSeconds: number,
  ) {
    this.boss = new PgBoss({
      db: new JobDatabase(database, source),
      schema: 'jobs',
      supervise: false,
      schedule: false,
      archiveFailedAfterSeconds: 7 * 24 * 3600,
    });
    this.leases = new JobLeases(database, source, this.boss);
    this.boss.on('error', (error) => this.logger.error(error.message));
  }

  /** Registers the handler of a job; every module does so for its jobs in `onModuleInit`. */
  handle<Name extends JobName<Table>>(name: Name, handler: JobHandler<JobPayload<Table[Name]>>): void {
    if (!Object.hasOwn(this.table, name)) throw new Error(`no module brings the job ${name}`);
    if (this.handlers.has(name)) throw new Error(`the job ${name} has two handlers`);
    this.handlers.set(name, handler as JobHandler<object>);
  }

  /** Enqueues a job in the ambient transaction, if there is one: without a commit there is no job. */
  async enqueue<Name extends JobName<Table>>(
    name: Name,
    payload: JobPayload<Table[Name]>,
    options: EnqueueOptions = {},
  ): Promise<string> {
    const envelope: Envelope = { job: name, payload };
    const id = await this.boss.send(
      name,
      envelope,
      options.afterSeconds === undefined ? {} : { startAfter: options.afterSeconds },
    );
    if (id === null) throw new Error(`the job ${name} could not be enqueued`);
    this.database.afterCommit(() => this.wake());
    return id;
  }

  /** Tells whether a job of this name is waiting. */
  async isWaiting(name: JobName<Table>): Promise<boolean> {
    return (await this.boss.getQueueSize(name, { before: 'active' })) > 0;
  }

  /** Checks that every job has a handler and prepares the queues. Throws otherwise, which stops the boot. */
  async onApplicationBootstrap(): Promise<void> {
    const missing = Object.keys(this.table).filter((name) => !this.handlers.has(name));
    if (missing.length > 0) throw new Error(`jobs without a handler: ${missing.join(', ')}`);
    await this.boss.start();
    await this.database.transaction(() => this.prepareQueues());
  }

  /** Starts processing; until then jobs only wait. */
  start(): void {
    if (this.state !== 'idle') return;
    this.state = 'working';
    this.timers.push(setInterval(() => this.wake(true), POLL_MILLISECONDS).unref());
    this.timers.push(setInterval(() => void this.clean(), CLEAN_MILLISECONDS).unref());
    void this.clean();
    this.wake(true);
  }

  /** Stops taking jobs, lets the running ones finish for a while, then returns them to the queue. */
  beforeApplicationShutdown(): Promise<void> {
    return (this.ending ??= this.stop());
  }

  private async stop(): Promise<void> {
    this.state = 'stopping';
    for (const timer of this.timers) clearInterval(timer);
    await this.polling;
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise((resolve) => (timer = setTimeout(resolve, this.shutdownSeconds * 1000)));
    await Promise.race([Promise.allSettled(this.running.values()), patience]);
    clearTimeout(timer);
    for (const run of this.running.keys()) {
      run.abort('the server stops');
      await run.fail(new Error('the server stopped')).catch(() => undefined);
    }
    await this.leases.close();
    await this.boss.stop({ graceful: false, close: false });
  }

  /** Runs all jobs that are due now, one after another, and returns their number; for tests and commands. */
  async drain(): Promise<number> {
    let count = 0;
    for (;;) {
      const [name] = await this.dueNames();
      const [job] = name === undefined ? [] : await this.fetch(name, 1);
      if (!job) return count;
      await this.run(job);
      count++;
    }
  }

  /** Requeues jobs whose server died; running servers do this every second. Returns their number. */
  reclaim(): Promise<number> {
    return this.leases.reclaim();
  }

  /** Returns the jobs that failed permanently, latest first. */
  async deadLetters(limit = 100): Promise<DeadLetter[]> {
    return this.database.query<DeadLetter & Record<string, unknown>>(
      `SELECT id, data ->> 'job' AS job, data -> 'payload' AS payload, coalesce(output ->> 'message', output -> 'value' ->> 'message', '') AS problem, created_on AS at
         FROM jobs.job WHERE name = $1 AND state = 'created' ORDER BY created_on DESC, id LIMIT $2`,
      [DEAD_LETTERS, limit],
    );
  }

  /** Enqueues a dead letter again; false if it no longer exists. */
  async revive(id: string): Promise<boolean> {
    return this.database.transaction(async () => {
      const letter = await this.database.one<{ data: Envelope }>(
        `DELETE FROM jobs.job WHERE name = $1 AND id::text = $2 RETURNING data`,
        [DEAD_LETTERS, id],
      );
      if (!letter) return false;
      await this.boss.send(letter.data.job, letter.data);
      this.database.afterCommit(() => this.wake());
      return true;
    });
  }

  /** Servers that boot at the same time wait for each other here: creating queues is DDL and would deadlock. */
  private async prepareQueues(): Promise<void> {
    await this.database.query(`SELECT pg_advisory_xact_lock(hashtextextended('jobs.queues', 0))`);
    await this.leases.prepare();
    // An existing queue keeps its settings until it is updated.
    await this.boss.createQueue(DEAD_LETTERS, { name: DEAD_LETTERS, retentionDays: DEAD_LETTER_DAYS });
    for (const [name, definition] of Object.entries(this.table)) {
      const queue = queueOf(name, definition);
      await this.boss.createQueue(name, queue);
      await this.boss.updateQueue(name, queue);
    }
  }

  /** Deletes jobs that ended long ago. */
  private async clean(): Promise<void> {
    await this.boss
      .maintain()
      .catch((error: unknown) => this.logger.error(`jobs that ended could not be removed: ${String(error)}`));
  }

  /** Fetches due jobs; with `reclaims`, requeues jobs of dead servers first. */
  private wake(reclaims = false): void {
    if (this.state !== 'working') return;
    this.reclaimNext ||= reclaims;
    this.pollAgain = true;
    this.polling ??= this.scope
      .runInAsyncScope(() => this.poll())
      .finally(() => {
        this.polling = undefined;
        if (this.pollAgain) this.wake();
      });
  }

  private async poll(): Promise<void> {
    while (this.pollAgain && this.state === 'working') {
      this.pollAgain = false;
      try {
        if (this.reclaimNext) await this.reclaim();
        this.reclaimNext = false;
        for (const name of await this.dueNames()) await this.takeMore(name);
      } catch (error) {
        this.logger.error(`jobs could not be read: ${String(error)}`);
      }
    }
    this.pollAgain = false;
  }

  private async takeMore(name: string): Promise<void> {
    const free =
      (this.table[name]?.concurrency ?? 0) - [...this.running.keys()].filter((run) => run.name === name).length;
    if (free <= 0 || this.state !== 'working') return;
    for (const job of await this.fetch(name, free)) {
      void this.run(job).finally(() => this.wake());
    }
  }

  /** Names with a job that can start now. */
  private async dueNames(): Promise<string[]> {
    const single = Object.entries(this.table).filter(([, definition]) => definition.everySeconds !== undefined);
    const rows = await this.database.query<{ name: string }>(
      `SELECT DISTINCT j.name FROM jobs.job j
        WHERE j.state < 'active' AND j.start_after < now() AND j.name = ANY ($1)
          AND NOT (j.name = ANY ($2) AND EXISTS (SELECT FROM jobs.job a WHERE a.name = j.name AND a.state = 'active'))`,
      [Object.keys(this.table), single.map(([name]) => name)],
    );
    return rows.map((row) => row.name);
  }

  private async fetch(name: string, batchSize: number): Promise<(FetchedJob & { data: Envelope })[]> {
    return this.boss.fetch<Envelope>(name, { includeMetadata: true, batchSize });
  }

  private run(job: FetchedJob & { readonly data: Envelope }): Promise<void> {
    const definition = this.table[job.name];
    const handler = this.handlers.get(job.name);
    if (!definition || !handler) return Promise.reject(new Error(`the job ${job.name} is unknown`));
    const run = new JobRun(this.database, this.boss, this.leases, job, definition);
    const done = this.attempt(run, handler, job.data.payload).finally(() => {
      run.stop();
      this.running.delete(run);
    });
    this.running.set(run, done);
    return done;
  }

  private async attempt(run: JobRun, handler: JobHandler<object>, payload: object): Promise<void> {
    try {
      await run.begin();
      await handler(payload, run);
      if (run.done) return;
      run.signal.throwIfAborted();
      await run.commit(async () => undefined);
    } catch (error) {
      if (run.done) return;
      this.logger.warn(
        `${run.name} failed (attempt ${run.attempt + 1}): ${error instanceof Error ? error.message : String(error)}`,
      );
      if (error instanceof LostJob) return;
      await run
        .fail(error)
        .catch((second: unknown) => this.logger.error(`${run.name} could not be given back: ${String(second)}`));
    }
  }
}

function queueOf(name: string, definition: JobDefinition): PgBoss.Queue {
  return {
    name,
    policy: definition.everySeconds === undefined ? 'standard' : 'singleton',
    retryLimit: definition.retries,
    retryDelay: definition.backoffSeconds,
    retryBackoff: true,
    expireInSeconds: definition.leaseSeconds,
    deadLetter: DEAD_LETTERS,
  };
}
