import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { databaseTime } from '../../kernel/common/database-time.js';
import { DomainError, notFound } from '../../kernel/common/errors.js';
import { newId } from '../../kernel/common/ids.js';
import { Pages, type Page } from '../../kernel/common/page.js';
import { Lanes } from '../../kernel/platform/jobs/lanes.js';
import type { DeliveriesQuery, DeliveryRow } from './webhooks.schema.js';

const COLUMNS = `d.id, d.webhook_id AS "webhookId", d.event_id AS "eventId", d.type, d.body, d.status, d.attempts, d.due_at AS "dueAt", d.attempted_at AS "attemptedAt",
  d.completed_at AS "completedAt", d.response_status AS "responseStatus", d.response_excerpt AS "responseExcerpt", d.duration, d.problem, d.created_at AS "createdAt"`;

/** Past and pending deliveries of webhooks. */
@Injectable()
export class Deliveries {
  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
    private readonly clock: Clock,
    private readonly lanes: Lanes,
  ) {}

  /** The deliveries of a webhook, latest first. */
  async list(organizationId: string, webhookId: string, query: DeliveriesQuery): Promise<Page<DeliveryRow>> {
    await this.require(organizationId, webhookId);
    const { status = null } = query;
    return this.pages.list<DeliveryRow & Record<string, unknown>>(query, {
      scope: ['webhook-deliveries', webhookId, status],
      select: COLUMNS,
      from: 'FROM webhook_delivery d WHERE d.organization_id = $1 AND d.webhook_id = $2 AND ($3::text IS NULL OR d.status = $3)',
      values: [organizationId, webhookId, status],
      order: [
        { expression: 'd.created_at', type: 'timestamptz' },
        { expression: 'd.id', type: 'text' },
      ],
      direction: 'desc',
    });
  }

  async get(organizationId: string, webhookId: string, id: string): Promise<DeliveryRow> {
    const row = await this.database.one<DeliveryRow & Record<string, unknown>>(
      `SELECT ${COLUMNS} FROM webhook_delivery d WHERE d.organization_id = $1 AND d.webhook_id = $2 AND d.id = $3`,
      [organizationId, webhookId, id],
    );
    if (!row) throw notFound('Delivery');
    return row;
  }

  /** Sends a test event to a webhook, whatever its events. Throws `conflict` for a disabled one. */
  async ping(organizationId: string, webhookId: string): Promise<DeliveryRow> {
    const now = this.clock.now();
    const [id, eventId] = [newId(now.getTime()), newId(now.getTime())];
    await this.database.transaction(async () => {
      await this.requireActive(organizationId, webhookId);
      await this.database.execute(
        `INSERT INTO webhook_delivery (id, organization_id, webhook_id, event_id, type, body, status, due_at, created_at) VALUES ($1, $2, $3, $4, 'ping', $5, 'pending', ${databaseTime()}, $6)`,
        [
          id,
          organizationId,
          webhookId,
          eventId,
          JSON.stringify({ eventId, type: 'ping', createdAt: now.toISOString(), organizationId, webhookId }),
          now,
        ],
      );
      await this.lanes.wake('webhooks.deliver', organizationId);
    });
    return this.get(organizationId, webhookId, id);
  }

  /**
   * Delivers the same event again, at once and with as many attempts as the first time. Throws `conflict` for a
   * disabled webhook.
   */
  async redeliver(organizationId: string, webhookId: string, id: string): Promise<DeliveryRow> {
    await this.database.transaction(async () => {
      await this.requireActive(organizationId, webhookId);
      const again = await this.database.execute(
        `UPDATE webhook_delivery SET status = 'pending', attempts = 0, due_at = ${databaseTime()}, completed_at = NULL WHERE organization_id = $1 AND webhook_id = $2 AND id = $3`,
        [organizationId, webhookId, id],
      );
      if (again === 0) throw notFound('Delivery');
      await this.lanes.wake('webhooks.deliver', organizationId);
    });
    return this.get(organizationId, webhookId, id);
  }

  private async requireActive(organizationId: string, webhookId: string): Promise<void> {
    if (!(await this.require(organizationId, webhookId, 'FOR SHARE')))
      throw new DomainError('conflict', 'The webhook is switched off');
  }

  /**
   * Tells whether a webhook is active, which does not change during the ambient transaction if it is locked; throws
   * `notFound` if there is none.
   */
  private async require(organizationId: string, webhookId: string, lock: 'FOR SHARE' | '' = ''): Promise<boolean> {
    const webhook = await this.database.one<{ active: boolean }>(
      `SELECT active FROM webhook WHERE organization_id = $1 AND id = $2 ${lock}`,
      [organizationId, webhookId],
    );
    if (!webhook) throw notFound('Webhook');
    return webhook.active;
  }
}
