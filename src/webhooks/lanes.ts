import { Injectable } from '@nestjs/common';
import { Database } from '../common/database.js';
import { Jobs } from '../platform/jobs/jobs.js';

/** Longer than an attempt can take. */
const LEASE_SECONDS = 60;

interface Lane {
  readonly woken: boolean;
  readonly runId: string | null;
  readonly busy: boolean;
}

/**
 * One lane for each organization: one job at a time works on its deliveries, whatever waits there. Everything is decided
 * under the lock of the lane, so that no delivery is left without a job that will see it.
 */
@Injectable()
export class Lanes {
  constructor(
    private readonly database: Database,
    private readonly jobs: Jobs,
  ) {}

  /**
   * Sees to it that what is due is worked on; belongs into the transaction that made it due. A job that has not begun will
   * see it, and so will one that is at work, before it leaves.
   */
  async wake(organizationId: string): Promise<void> {
    const { woken, busy } = await this.lock(organizationId);
    if (woken || busy) return;
    await this.database.execute('UPDATE webhook_lane SET woken = true WHERE organization_id = $1', [organizationId]);
    await this.jobs.enqueue('webhooks.deliver', { organization: organizationId });
  }

  /** The same where the job that was to come may have been lost. */
  async rouse(organizationId: string): Promise<void> {
    await this.database.execute('UPDATE webhook_lane SET woken = false WHERE organization_id = $1', [organizationId]);
    await this.wake(organizationId);
  }

  /** Takes the lane for a run, in a transaction; false while another one has it, which will see what is due before it leaves. */
  async enter(organizationId: string, runId: string): Promise<boolean> {
    const lane = await this.lock(organizationId);
    if (lane.busy && lane.runId !== runId) return false;
    await this.database.execute(
      `UPDATE webhook_lane SET woken = false, run_id = $2, leased_until = now() + ${LEASE_SECONDS} * interval '1 second' WHERE organization_id = $1`,
      [organizationId, runId],
    );
    return true;
  }

  /** Whether the run still has the lane, which is locked for the rest of the transaction: what it has done does not count otherwise. */
  async holds(organizationId: string, runId: string): Promise<boolean> {
    return (await this.lock(organizationId)).runId === runId;
  }

  /** Gives the lane back, and the next job to it where something `isDue`. */
  async leave(organizationId: string, isDue: boolean): Promise<void> {
    await this.database.execute('UPDATE webhook_lane SET run_id = NULL, leased_until = NULL WHERE organization_id = $1', [organizationId]);
    if (isDue) await this.wake(organizationId);
  }

  private async lock(organizationId: string): Promise<Lane> {
    await this.database.execute('INSERT INTO webhook_lane (organization_id) VALUES ($1) ON CONFLICT DO NOTHING', [organizationId]);
    const lane = await this.database.one<Lane & Record<string, unknown>>(
      'SELECT woken, run_id AS "runId", coalesce(leased_until > now(), false) AS busy FROM webhook_lane WHERE organization_id = $1 FOR UPDATE',
      [organizationId],
    );
    if (!lane) throw new Error(`the organization ${organizationId} has no lane`);
    return lane;
  }
}
