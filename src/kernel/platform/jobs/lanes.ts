import { Injectable } from '@nestjs/common';
import { Database } from '../../common/database.js';
import type { EnqueueOptions } from './job-queue.js';
import type { ServiceJobs } from '../manifest/manifest.js';
import type { JobPayload } from './job-definition.js';
import { Jobs } from './jobs.js';

/** The jobs that work for one organization. */
export type LaneJob = {
  [Name in keyof ServiceJobs]: JobPayload<ServiceJobs[Name]> extends { readonly organization: string } ? Name : never;
}[keyof ServiceJobs];

interface Lane {
  readonly woken: boolean;
  readonly runId: string | null;
  readonly busy: boolean;
}

/** A lane is busy while its run is active; the lane of a dead server is free as soon as its job is requeued. */
const LOCK = `SELECT woken, run_id AS "runId", coalesce(leased_until > now() AND EXISTS (SELECT FROM jobs.job j WHERE j.name = l.job AND j.id = l.run_id::uuid AND j.state = 'active'), false) AS busy
  FROM job_lane l WHERE organization_id = $1 AND job = $2 FOR UPDATE OF l`;

/**
 * One lane for each organization and kind of job: one job at a time runs in it, however much work waits. All decisions
 * are made under the lock of the lane, so that no due work is left without a job that will process it.
 */
@Injectable()
export class Lanes {
  constructor(
    private readonly database: Database,
    private readonly jobs: Jobs,
  ) {}

  /**
   * Ensures that due work is processed; must be called in the transaction that made it due. A job that has not begun
   * will process it, and so will a running one, before it leaves.
   */
  async wake(job: LaneJob, organizationId: string, options: EnqueueOptions = {}): Promise<void> {
    const { woken, busy } = await this.lock(job, organizationId);
    if (woken || busy) return;
    await this.database.execute('UPDATE job_lane SET woken = true WHERE organization_id = $1 AND job = $2', [
      organizationId,
      job,
    ]);
    await this.jobs.enqueue(job, { organization: organizationId }, options);
  }

  /** Like `wake`, for cases in which the waiting job may have been lost. */
  async rouse(job: LaneJob, organizationId: string, options: EnqueueOptions = {}): Promise<void> {
    await this.database.execute('UPDATE job_lane SET woken = false WHERE organization_id = $1 AND job = $2', [
      organizationId,
      job,
    ]);
    await this.wake(job, organizationId, options);
  }

  /**
   * Takes the lane for a run, in a transaction; false while another run has it, which will process due work before it
   * leaves.
   */
  async enter(job: LaneJob, organizationId: string, runId: string): Promise<boolean> {
    const lane = await this.lock(job, organizationId);
    if (lane.busy && lane.runId !== runId) return false;
    // Longer than an attempt can take.
    await this.database.execute(
      `UPDATE job_lane SET woken = false, run_id = $3, leased_until = now() + $4 * interval '1 second' WHERE organization_id = $1 AND job = $2`,
      [organizationId, job, runId, this.jobs.table[job].timeoutSeconds],
    );
    return true;
  }

  /**
   * Tells whether the run still has the lane, and locks it for the rest of the transaction: without the lane, its work
   * does not count.
   */
  async holds(job: LaneJob, organizationId: string, runId: string): Promise<boolean> {
    return (await this.lock(job, organizationId)).runId === runId;
  }

  /** Releases the lane, and hands it to the next job if `isDue` finds work. */
  async leave(job: LaneJob, organizationId: string, isDue: boolean, options: EnqueueOptions = {}): Promise<void> {
    await this.database.execute(
      'UPDATE job_lane SET run_id = NULL, leased_until = NULL WHERE organization_id = $1 AND job = $2',
      [organizationId, job],
    );
    if (isDue) await this.wake(job, organizationId, options);
  }

  private async lock(job: LaneJob, organizationId: string): Promise<Lane> {
    await this.database.execute('INSERT INTO job_lane (organization_id, job) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
      organizationId,
      job,
    ]);
    const lane = await this.database.one<Lane & Record<string, unknown>>(LOCK, [organizationId, job]);
    if (!lane) throw new Error(`the organization ${organizationId} has no lane`);
    return lane;
  }
}
