import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Database } from '../common/database.js';
import { databaseTime } from '../common/database-time.js';
import type { JobRun } from '../platform/jobs/job-run.js';
import { Jobs } from '../platform/jobs/jobs.js';
import { Lanes } from '../platform/jobs/lanes.js';
import { verdictOf } from './domain/verdict.js';
import { Sender, type Attempt, type DueDelivery } from './sender.js';
import { Webhooks } from './webhooks.service.js';

/** Deliveries that are sent at once for an organization, and to one webhook among them. */
const BATCH = 10;
const BATCH_OF_WEBHOOK = 4;
/** Deliveries given up in a row after which a webhook is switched off. */
const MAX_FAILURES = 20;
const KEPT_DAYS = 30;
const REMOVED_AT_ONCE = 1000;
/** Seconds; what is due for longer has lost its job. */
const OVERDUE = 120;

const DUE = `SELECT d.id, d.webhook_id AS "webhookId", d.type, d.body, d.attempts, w.url, w.secret, CASE WHEN w.previous_secret_until > $2 THEN w.previous_secret END AS "previousSecret"
  FROM webhook w CROSS JOIN LATERAL (
    SELECT p.*, row_number() OVER (ORDER BY p.due_at, p.id) AS place FROM webhook_delivery p
     WHERE p.webhook_id = w.id AND p.status = 'pending' AND p.due_at <= now() ORDER BY p.due_at, p.id LIMIT ${BATCH_OF_WEBHOOK}) d
 WHERE w.organization_id = $1 ORDER BY d.place, d.due_at, d.id LIMIT ${BATCH}`;

const IS_DUE = `SELECT EXISTS (SELECT FROM webhook w JOIN webhook_delivery d ON d.webhook_id = w.id WHERE w.organization_id = $1 AND d.status = 'pending' AND d.due_at <= now()) AS due`;

/** Nobody has judged the delivery since it was taken. */
const JUDGE = `UPDATE webhook_delivery SET status = $3, attempts = attempts + 1, due_at = CASE WHEN $3 = 'pending' THEN ${databaseTime('$4')} ELSE due_at END, attempted_at = $5, completed_at = CASE WHEN $3 <> 'pending' THEN $6::timestamptz END,
    response_status = $7, response_excerpt = $8, duration = $9, problem = $10
  WHERE id = $1 AND attempts = $2 AND status = 'pending'`;

/** Works on what is due, organization by organization, and takes away what is old. */
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
    this.jobs.handle('webhooks.tend', () => this.tend());
  }

  /** Sends what is due for an organization, a batch of it; where there is more another job goes on, behind those of other organizations. */
  private async deliver(organizationId: string, run: JobRun): Promise<void> {
    const due = await this.take(organizationId, run.id);
    if (due.length === 0) return;
    const attempts = await Promise.all(due.map((delivery) => this.sender.send(delivery, run.signal)));
    run.signal.throwIfAborted();
    await run.commit(() => this.finish(organizationId, run.id, attempts));
  }

  private take(organizationId: string, runId: string): Promise<DueDelivery[]> {
    return this.database.transaction(async () => {
      // The organization may have been removed since the job was enqueued.
      const organization = await this.database.one('SELECT FROM organization WHERE id = $1 FOR KEY SHARE', [organizationId]);
      if (!organization || !(await this.lanes.enter('webhooks.deliver', organizationId, runId))) return [];
      const due = await this.database.query<DueDelivery & Record<string, unknown>>(DUE, [organizationId, this.clock.now()]);
      if (due.length === 0) await this.lanes.leave('webhooks.deliver', organizationId, false);
      return due;
    });
  }

  private async finish(organizationId: string, runId: string, attempts: readonly Attempt[]): Promise<void> {
    if (!(await this.lanes.holds('webhooks.deliver', organizationId, runId))) return;
    const webhooks = [...new Set(attempts.map(({ delivery }) => delivery.webhookId))].sort();
    await this.database.query('SELECT FROM webhook WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE', [webhooks]);
    const [row] = await this.database.query<{ now: Date }>('SELECT now()');
    for (const attempt of attempts) await this.judge(organizationId, attempt, row?.now ?? attempt.at);
    const due = await this.database.one<{ due: boolean }>(IS_DUE, [organizationId]);
    await this.lanes.leave('webhooks.deliver', organizationId, due?.due ?? false);
  }

  /** `databaseNow` is compared with the dates until which receivers ask to wait. */
  private async judge(organizationId: string, { delivery, at, duration, answer, excerpt, problem }: Attempt, databaseNow: Date): Promise<void> {
    const now = this.clock.now();
    const verdict = verdictOf(answer, delivery.attempts + 1, databaseNow, Math.random());
    const afterSeconds = verdict.status === 'pending' ? verdict.delay : 0;
    const status = answer.kind === 'answered' ? answer.status : null;
    const judged = await this.database.execute(JUDGE, [delivery.id, delivery.attempts, verdict.status, afterSeconds, at, now, status, excerpt, duration, problem]);
    if (judged === 0) return;
    if (verdict.status === 'pending') await this.jobs.enqueue('webhooks.deliver', { organization: organizationId }, { afterSeconds });
    else await this.count(organizationId, delivery.webhookId, verdict.status === 'delivered', problem);
  }

  /** Counts what is given up in a row, and switches off a webhook where that is too much. */
  private async count(organizationId: string, id: string, delivered: boolean, problem: string | null): Promise<void> {
    const row = await this.database.one<{ failures: number }>('UPDATE webhook SET failures = CASE WHEN $2 THEN 0 ELSE failures + 1 END WHERE id = $1 RETURNING failures', [id, delivered]);
    if ((row?.failures ?? 0) >= MAX_FAILURES) await this.webhooks.disable(organizationId, id, `${MAX_FAILURES} deliveries in a row were given up; of the last one: ${problem ?? ''}`);
  }

  /** Removes what is older than 30 days and secrets that sign no longer, and finds what lost its job, as by a crash. */
  private async tend(): Promise<void> {
    const now = this.clock.now().getTime();
    const before = new Date(now - KEPT_DAYS * 24 * 3600 * 1000);
    while (
      (await this.database.execute(`DELETE FROM webhook_delivery WHERE id = ANY (ARRAY (SELECT id FROM webhook_delivery WHERE created_at < $1 LIMIT ${REMOVED_AT_ONCE}))`, [before])) === REMOVED_AT_ONCE
    );
    await this.database.execute('UPDATE webhook SET previous_secret = NULL, previous_secret_until = NULL WHERE previous_secret_until <= $1', [new Date(now)]);
    const waiting = await this.database.query<{ id: string }>(`SELECT DISTINCT organization_id AS id FROM webhook_delivery WHERE status = 'pending' AND due_at < ${databaseTime(`-${OVERDUE}`)} ORDER BY 1`);
    for (const { id } of waiting) await this.database.transaction(() => this.lanes.rouse('webhooks.deliver', id));
  }
}
