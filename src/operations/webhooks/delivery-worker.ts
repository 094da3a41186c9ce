import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { databaseTime } from '../../kernel/common/database-time.js';
import type { JobRun } from '../../kernel/platform/jobs/job-run.js';
import { Jobs } from '../../kernel/platform/jobs/jobs.js';
import { Lanes } from '../../kernel/platform/jobs/lanes.js';
import { isDelivered, retryDecisionOf } from './domain/retry-decision.js';
import { sendBatch } from './send-batch.js';
import { Sender, type Attempt, type DueDelivery } from './webhook-sender.js';
import { Webhooks } from './webhooks.service.js';

/** Deliveries that one job takes for an organization, and for one webhook among them. */
const BATCH = 50;
const BATCH_OF_WEBHOOK = 20;
/** Abandoned deliveries in a row after which a webhook is disabled. */
const MAX_FAILURES = 20;
const KEPT_DAYS = 30;
const REMOVED_AT_ONCE = 1000;
/** Seconds; work that has been due for longer has lost its job. */
const OVERDUE = 120;

const DUE = `SELECT d.id, d.webhook_id AS "webhookId", d.type, d.body, d.attempts, w.url, w.secret, CASE WHEN w.previous_secret_until > $2 THEN w.previous_secret END AS "previousSecret"
  FROM webhook w CROSS JOIN LATERAL (
    SELECT p.*, row_number() OVER (ORDER BY p.due_at, p.id) AS place FROM webhook_delivery p
     WHERE p.organization_id = w.organization_id AND p.webhook_id = w.id AND p.status = 'pending' AND p.due_at <= now() ORDER BY p.due_at, p.id LIMIT ${BATCH_OF_WEBHOOK}) d
 WHERE w.organization_id = $1 ORDER BY d.place, d.due_at, d.id LIMIT ${BATCH}`;

const IS_DUE = `SELECT EXISTS (SELECT FROM webhook w JOIN webhook_delivery d ON d.organization_id = w.organization_id AND d.webhook_id = w.id
 WHERE w.organization_id = $1 AND d.status = 'pending' AND d.due_at <= now()) AS due`;

/** Deliveries that nothing has judged since they were taken. */
const DELIVERED = `UPDATE webhook_delivery d SET status = 'delivered', attempts = d.attempts + 1, attempted_at = n.at, completed_at = $1, response_status = n.status, response_excerpt = n.excerpt,
    duration = n.duration, problem = NULL
  FROM unnest($2::text[], $3::integer[], $4::timestamptz[], $5::integer[], $6::text[], $7::integer[]) AS n (id, attempts, at, status, excerpt, duration)
  WHERE d.organization_id = $8 AND d.id = n.id AND d.attempts = n.attempts AND d.status = 'pending'`;

/** Applies only if the delivery was not judged since it was taken. */
const JUDGE = `UPDATE webhook_delivery SET status = $3, attempts = attempts + 1, due_at = CASE WHEN $3 = 'pending' THEN ${databaseTime('$4')} ELSE due_at END, attempted_at = $5, completed_at = CASE WHEN $3 <> 'pending' THEN $6::timestamptz END,
    response_status = $7, response_excerpt = $8, duration = $9, problem = $10
  WHERE organization_id = $11 AND id = $1 AND attempts = $2 AND status = 'pending'`;

/** Sends due deliveries, organization by organization, and removes old ones. */
@Injectable()
export class DeliveryWorker implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
    private readonly lanes: Lanes,
    private readonly sender: Sender,
    private readonly webhooks: Webhooks,
  ) {}

  onModuleInit(): void {
    this.jobs.handle('webhooks.deliver', ({ organization }, run) => this.deliver(organization, run));
    this.jobs.handle('webhooks.maintain', () => this.maintain());
  }

  /**
   * Sends a batch of due deliveries of an organization; if there are more, another job continues, after those of other
   * organizations.
   */
  private async deliver(organizationId: string, run: JobRun): Promise<void> {
    const due = await this.take(organizationId, run.id);
    if (due.length === 0) return;
    const attempts = await sendBatch(due, (delivery) => this.sender.send(delivery, run.signal), run.signal);
    run.signal.throwIfAborted();
    await run.commit(() => this.finish(organizationId, run.id, attempts));
  }

  private take(organizationId: string, runId: string): Promise<DueDelivery[]> {
    return this.database.transaction(async () => {
      // The organization may have been removed since the job was enqueued.
      const organization = await this.database.one('SELECT FROM organization WHERE id = $1 FOR KEY SHARE', [
        organizationId,
      ]);
      if (!organization || !(await this.lanes.enter('webhooks.deliver', organizationId, runId))) return [];
      const due = await this.database.query<DueDelivery & Record<string, unknown>>(DUE, [
        organizationId,
        this.clock.now(),
      ]);
      if (due.length === 0) await this.lanes.leave('webhooks.deliver', organizationId, false);
      return due;
    });
  }

  private async finish(organizationId: string, runId: string, attempts: readonly Attempt[]): Promise<void> {
    if (!(await this.lanes.holds('webhooks.deliver', organizationId, runId))) return;
    const webhooks = [...new Set(attempts.map(({ delivery }) => delivery.webhookId))].sort();
    await this.database.query(
      'SELECT FROM webhook WHERE organization_id = $1 AND id = ANY ($2) ORDER BY id FOR NO KEY UPDATE',
      [organizationId, webhooks],
    );
    const [row] = await this.database.query<{ now: Date }>('SELECT now()');
    const lastDelivered = await this.recordDelivered(
      organizationId,
      attempts.filter(({ answer }) => isDelivered(answer)),
    );
    for (const attempt of attempts.filter(({ answer }) => !isDelivered(answer))) {
      await this.judge(
        organizationId,
        attempt,
        row?.now ?? attempt.at,
        (lastDelivered.get(attempt.delivery.webhookId) ?? 0) > attempt.at.getTime(),
      );
    }
    const due = await this.database.one<{ due: boolean }>(IS_DUE, [organizationId]);
    await this.lanes.leave('webhooks.deliver', organizationId, due?.due ?? false);
  }

  /** Records successful deliveries, in one statement, and returns the time of the last one of each webhook. */
  private async recordDelivered(
    organizationId: string,
    attempts: readonly Attempt[],
  ): Promise<ReadonlyMap<string, number>> {
    const last = new Map<string, number>();
    for (const { delivery, at } of attempts)
      last.set(delivery.webhookId, Math.max(last.get(delivery.webhookId) ?? 0, at.getTime()));
    if (attempts.length === 0) return last;
    await this.database.execute(DELIVERED, [
      this.clock.now(),
      attempts.map(({ delivery }) => delivery.id),
      attempts.map(({ delivery }) => delivery.attempts),
      attempts.map(({ at }) => at),
      attempts.map(({ answer }) => (answer.kind === 'answered' ? answer.status : null)),
      attempts.map(({ excerpt }) => excerpt),
      attempts.map(({ duration }) => duration),
      organizationId,
    ]);
    await this.database.execute(
      'UPDATE webhook SET failures = 0 WHERE organization_id = $1 AND id = ANY ($2) AND failures > 0',
      [organizationId, [...last.keys()]],
    );
    return last;
  }

  /**
   * Records failed deliveries. `databaseNow` is compared with the dates until which receivers ask to wait;
   * `wasForgiven`: a later delivery to the webhook succeeded.
   */
  private async judge(
    organizationId: string,
    { delivery, at, duration, answer, excerpt, problem }: Attempt,
    databaseNow: Date,
    wasForgiven: boolean,
  ): Promise<void> {
    const now = this.clock.now();
    const verdict = retryDecisionOf(answer, delivery.attempts + 1, databaseNow, Math.random());
    const afterSeconds = verdict.status === 'pending' ? verdict.delay : 0;
    const status = answer.kind === 'answered' ? answer.status : null;
    const judged = await this.database.execute(JUDGE, [
      delivery.id,
      delivery.attempts,
      verdict.status,
      afterSeconds,
      at,
      now,
      status,
      excerpt,
      duration,
      problem,
      organizationId,
    ]);
    if (judged === 0) return;
    if (verdict.status === 'pending')
      await this.jobs.enqueue('webhooks.deliver', { organization: organizationId }, { afterSeconds });
    else if (!wasForgiven) await this.countFailure(organizationId, delivery.webhookId, problem);
  }

  /** Counts abandoned deliveries in a row, and disables a webhook with too many. */
  private async countFailure(organizationId: string, id: string, problem: string | null): Promise<void> {
    const row = await this.database.one<{ failures: number }>(
      'UPDATE webhook SET failures = failures + 1 WHERE organization_id = $1 AND id = $2 RETURNING failures',
      [organizationId, id],
    );
    if ((row?.failures ?? 0) >= MAX_FAILURES)
      await this.webhooks.disable(
        organizationId,
        id,
        `${MAX_FAILURES} deliveries in a row were given up; of the last one: ${problem ?? ''}`,
      );
  }

  /**
   * Removes deliveries older than 30 days and expired secrets, and finds work that lost its job, such as by a crash.
   */
  private async maintain(): Promise<void> {
    const now = this.clock.now().getTime();
    const before = new Date(now - KEPT_DAYS * 24 * 3600 * 1000);
    while (
      (await this.database.execute(
        `DELETE FROM webhook_delivery WHERE id = ANY (ARRAY (SELECT id FROM webhook_delivery WHERE created_at < $1 LIMIT ${REMOVED_AT_ONCE}))`,
        [before],
      )) === REMOVED_AT_ONCE
    );
    await this.database.execute(
      'UPDATE webhook SET previous_secret = NULL, previous_secret_until = NULL WHERE previous_secret_until <= $1',
      [new Date(now)],
    );
    const waiting = await this.database.query<{ id: string }>(
      `SELECT DISTINCT organization_id AS id FROM webhook_delivery WHERE status = 'pending' AND due_at < ${databaseTime(`-${OVERDUE}`)} ORDER BY 1`,
    );
    for (const { id } of waiting) await this.database.transaction(() => this.lanes.rouse('webhooks.deliver', id));
  }
}
