import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Database } from '../../common/database.js';
import { Jobs } from './jobs.js';
import type { ServiceJobs } from '../manifest/manifest.js';
import type { JobTable } from './job-definition.js';

const TICK_MILLISECONDS = 5000;

type ScheduledJob = {
  [Name in keyof ServiceJobs]: ServiceJobs[Name] extends { readonly everySeconds?: number } ? Name : never;
}[keyof ServiceJobs];

/** The part of the queue that the scheduler needs. */
export interface ScheduledQueue {
  isWaiting(name: string): Promise<boolean>;
  enqueue(name: string, payload: Record<string, never>): Promise<string>;
}

/**
 * Enqueues each scheduled job when it is due. Several servers tick, but one of them locks the row of a job, and the
 * tick commits together with the job.
 */
export async function tick(database: Database, queue: ScheduledQueue, table: JobTable): Promise<string[]> {
  const scheduled = Object.entries(table).flatMap(([name, { everySeconds }]) =>
    everySeconds === undefined ? [] : [{ name, everySeconds }],
  );
  return database.transaction(async () => {
    const names = scheduled.map((each) => each.name);
    await database.execute(
      `INSERT INTO schedule_tick (name, ticked_at) SELECT unnest($1::text[]), 'epoch' ON CONFLICT DO NOTHING`,
      [names],
    );
    const due = await database.query<{ name: string }>(
      `UPDATE schedule_tick SET ticked_at = now() WHERE name IN (
         SELECT t.name FROM schedule_tick t JOIN unnest($1::text[], $2::integer[]) AS due (name, seconds) ON due.name = t.name
          WHERE t.ticked_at <= now() - due.seconds * interval '1 second' FOR UPDATE OF t SKIP LOCKED)
       RETURNING name`,
      [names, scheduled.map((each) => each.everySeconds)],
    );
    for (const { name } of due) if (!(await queue.isWaiting(name))) await queue.enqueue(name, {});
    return due.map((row) => row.name);
  });
}

/** Ticks while this server runs background work. */
@Injectable()
export class JobScheduler {
  private readonly logger = new Logger('JobScheduler');
  private running = false;

  constructor(
    private readonly database: Database,
    private readonly jobs: Jobs,
  ) {}

  start(): void {
    this.running = true;
  }

  beforeApplicationShutdown(): void {
    this.running = false;
  }

  @Interval('job-scheduler', TICK_MILLISECONDS)
  async tick(): Promise<void> {
    if (!this.running) return;
    const queue: ScheduledQueue = {
      isWaiting: (name) => this.jobs.isWaiting(name as ScheduledJob),
      enqueue: (name, payload) => this.jobs.enqueue(name as ScheduledJob, payload),
    };
    await tick(this.database, queue, this.jobs.table).catch((error: unknown) =>
      this.logger.error(`scheduled jobs could not be enqueued: ${String(error)}`),
    );
  }
}
