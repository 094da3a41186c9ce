import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { requireMatch } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, invalid, notFound } from '../../kernel/common/errors.js';
import { newId, randomCharacters } from '../../kernel/common/ids.js';
import { Pages, type Page, type PageRequest } from '../../kernel/common/page.js';
import { Secrets } from '../../kernel/common/secrets.js';
import { Members } from '../../identity/organizations/members.service.js';
import { OutboundError } from '../../kernel/platform/outbound/outbound-error.js';
import { Outbound } from '../../kernel/platform/outbound/outbound.js';
import { changesOf, originOf } from '../../kernel/platform/audit-changes.js';
import { OutboxRelay } from '../../kernel/platform/outbox-relay.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { CONSUMER } from './fan-out.js';
import { Webhook } from './webhook.entity.js';
import type { CreateWebhook, RotateSecret, UpdateWebhook, WebhookRow } from './webhooks.schema.js';

const FIELDS = ['url', 'events', 'spaces', 'description', 'active'] as const;
const MAX_WEBHOOKS = 50;
const SECRET_LENGTH = 40;
const DEFAULT_GRACE_HOURS = 24;
const HOUR = 3_600_000;

const COLUMNS = `w.id, w.organization_id AS "organizationId", w.url, w.events, w.spaces, w.description, w.active, w.disabled_reason AS "disabledReason",
  w.disabled_at AS "disabledAt", w.previous_secret_until AS "previousSecretUntil", w.created_by AS "createdBy", w.created_at AS "createdAt",
  w.updated_at AS "updatedAt", w.version,
  (SELECT json_build_object('id', d.id, 'status', d.status, 'createdAt', to_char(d.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'responseStatus', d.response_status)
     FROM webhook_delivery d WHERE d.organization_id = w.organization_id AND d.webhook_id = w.id ORDER BY d.created_at DESC, d.id DESC LIMIT 1) AS "lastDelivery"`;

type WebhookSettings = Pick<WebhookRow, 'url' | 'events' | 'spaces' | 'description' | 'active' | 'version'>;

/** The webhooks of organizations: their events, and the secrets that sign them. */
@Injectable()
export class Webhooks {
  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
    private readonly clock: Clock,
    private readonly secrets: Secrets,
    private readonly members: Members,
    private readonly outbound: Outbound,
    private readonly outbox: Outbox,
    private readonly relay: OutboxRelay,
  ) {}

  /** The webhooks of an organization, latest first. */
  list(organizationId: string, request: PageRequest): Promise<Page<WebhookRow>> {
    return this.pages.list<WebhookRow & Record<string, unknown>>(request, {
      scope: ['webhooks', organizationId],
      select: COLUMNS,
      from: 'FROM webhook w WHERE w.organization_id = $1',
      values: [organizationId],
      order: [
        { expression: 'w.created_at', type: 'timestamptz' },
        { expression: 'w.id', type: 'text' },
      ],
      direction: 'desc',
    });
  }

  async get(organizationId: string, id: string): Promise<WebhookRow> {
    const row = await this.database.one<WebhookRow & Record<string, unknown>>(
      `SELECT ${COLUMNS} FROM webhook w WHERE w.organization_id = $1 AND w.id = $2`,
      [organizationId, id],
    );
    if (!row) throw notFound('Webhook');
    return row;
  }

  /**
   * Creates a webhook with its secret. Throws `invalid` for an address that is never reachable and for spaces of other
   * organizations, `conflict` for too many.
   */
  async create(
    callerId: string,
    organizationId: string,
    { url, events, spaces = null, description = '', active = true }: CreateWebhook,
  ): Promise<{ row: WebhookRow; secret: string }> {
    this.requireReachable(url);
    const now = this.clock.now();
    const id = newId(now.getTime());
    const secret = newSecret();
    await this.database.transaction(async () => {
      await this.members.lockAsAdmin(callerId, organizationId);
      const held = await this.database.one<{ count: number }>(
        'SELECT count(*)::int AS count FROM webhook WHERE organization_id = $1',
        [organizationId],
      );
      if ((held?.count ?? 0) >= MAX_WEBHOOKS)
        throw new DomainError('conflict', `An organization has ${MAX_WEBHOOKS} webhooks at most`);
      await this.requireSpaces(organizationId, spaces);
      await this.database.of(Webhook).insert({
        id,
        organizationId,
        url,
        description,
        events: distinct(events),
        spaces: spaces && distinct(spaces),
        active,
        secret: this.secrets.encrypt(secret),
        createdBy: callerId,
        createdAt: now,
        updatedAt: now,
      });
      await this.relay.attend(CONSUMER, organizationId, true);
      await this.outbox.record({ type: 'webhook_created', organizationId, target: id });
    });
    return { row: await this.get(organizationId, id), secret };
  }

  /** Changes the given fields. Disabling abandons waiting deliveries; enabling resets the webhook's failures. */
  async update(callerId: string, organizationId: string, id: string, changes: UpdateWebhook): Promise<WebhookRow> {
    if (changes.url !== undefined) this.requireReachable(changes.url);
    await this.database.transaction(async () => {
      const before = await this.lock(callerId, organizationId, id);
      if (!before) throw notFound('Webhook');
      requireMatch(before.version);
      if (changes.spaces !== undefined) await this.requireSpaces(organizationId, changes.spaces);
      const next = changed(before, changes);
      const fields = FIELDS.filter((field) => JSON.stringify(next[field]) !== JSON.stringify(before[field]));
      if (fields.length === 0) return;
      const now = this.clock.now();
      await this.database.execute(
        `UPDATE webhook SET url = $2, events = $3, spaces = $4, description = $5, active = $6, updated_at = $7, version = version + 1,
           failures = CASE WHEN $8 THEN 0 ELSE failures END, disabled_reason = CASE WHEN NOT $8 THEN disabled_reason END, disabled_at = CASE WHEN NOT $8 THEN disabled_at END
          WHERE organization_id = $9 AND id = $1`,
        [
          id,
          next.url,
          next.events,
          next.spaces,
          next.description,
          next.active,
          now,
          next.active && !before.active,
          organizationId,
        ],
      );
      if (before.active && !next.active) await this.giveUp(organizationId, id, 'the webhook was switched off');
      await this.outbox.record({
        type: 'webhook_updated',
        organizationId,
        target: id,
        payload: { fields },
        audit: {
          changes: changesOf({ ...before, url: originOf(before.url) }, { ...next, url: originOf(next.url) }, FIELDS),
        },
      });
    });
    return this.get(organizationId, id);
  }

  /** Removes a webhook with its deliveries. */
  async remove(callerId: string, organizationId: string, id: string): Promise<void> {
    await this.database.transaction(async () => {
      const webhook = await this.lock(callerId, organizationId, id);
      if (!webhook) return;
      requireMatch(webhook.version);
      await this.database.of(Webhook).delete({ organizationId, id });
      const other = await this.database.one('SELECT FROM webhook WHERE organization_id = $1 LIMIT 1', [organizationId]);
      if (!other) await this.relay.attend(CONSUMER, organizationId, false);
      await this.outbox.record({
        type: 'webhook_deleted',
        organizationId,
        target: id,
        audit: { label: webhook.description || originOf(webhook.url) },
      });
    });
  }

  /** Creates a new secret for a webhook. The previous one signs as well for a while, and older ones no longer do. */
  async rotate(
    callerId: string,
    organizationId: string,
    id: string,
    { graceHours = DEFAULT_GRACE_HOURS }: RotateSecret,
  ): Promise<{ row: WebhookRow; secret: string }> {
    const secret = newSecret();
    await this.database.transaction(async () => {
      const webhook = await this.lock(callerId, organizationId, id);
      if (!webhook) throw notFound('Webhook');
      const now = this.clock.now();
      await this.database.execute(
        `UPDATE webhook SET secret = $2, previous_secret = CASE WHEN $5 THEN secret END, previous_secret_until = CASE WHEN $5 THEN $3::timestamptz END, updated_at = $4, version = version + 1
          WHERE organization_id = $6 AND id = $1`,
        [
          id,
          this.secrets.encrypt(secret),
          new Date(now.getTime() + graceHours * HOUR),
          now,
          graceHours > 0,
          organizationId,
        ],
      );
      await this.outbox.record({ type: 'webhook_secret_rotated', organizationId, target: id });
    });
    return { row: await this.get(organizationId, id), secret };
  }

  /** Disables a webhook that fails for too long, in the ambient transaction. */
  async disable(organizationId: string, id: string, reason: string): Promise<void> {
    const now = this.clock.now();
    const disabled = await this.database.execute(
      'UPDATE webhook SET active = false, disabled_reason = $2, disabled_at = $3, updated_at = $3, version = version + 1 WHERE organization_id = $4 AND id = $1 AND active',
      [id, reason, now, organizationId],
    );
    if (disabled === 0) return;
    await this.giveUp(organizationId, id, 'the webhook was switched off, because it failed for too long');
    await this.outbox.record({ type: 'webhook_disabled', organizationId, target: id });
  }

  private async giveUp(organizationId: string, id: string, problem: string): Promise<void> {
    await this.database.execute(
      `UPDATE webhook_delivery SET status = 'failed', problem = $2, completed_at = $3 WHERE organization_id = $4 AND webhook_id = $1 AND status = 'pending'`,
      [id, problem, this.clock.now(), organizationId],
    );
  }

  private async lock(callerId: string, organizationId: string, id: string): Promise<WebhookSettings | undefined> {
    await this.members.lockAsAdmin(callerId, organizationId);
    return this.database.one<WebhookSettings & Record<string, unknown>>(
      'SELECT url, events, spaces, description, active, version FROM webhook WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE',
      [organizationId, id],
    );
  }

  private requireReachable(url: string): void {
    try {
      this.outbound.check(url, { httpsOnly: 'in-public' });
    } catch (error) {
      throw error instanceof OutboundError ? invalid('url', error.message) : error;
    }
  }

  private async requireSpaces(organizationId: string, spaces: readonly string[] | null): Promise<void> {
    if (spaces === null) return;
    const rows = await this.database.query<{ id: string }>(
      'SELECT id FROM space WHERE organization_id = $1 AND id = ANY ($2) AND deleted_at IS NULL',
      [organizationId, spaces],
    );
    const known = new Set(rows.map(({ id }) => id));
    const missing = spaces.findIndex((id) => !known.has(id));
    if (missing >= 0) throw invalid(`spaces.${missing}`, 'is not a space of this organization');
  }
}

const distinct = (texts: readonly string[]): string[] => [...new Set(texts)];

const newSecret = (): string => `whsec_${randomCharacters(SECRET_LENGTH)}`;

function changed(
  before: WebhookSettings,
  { url, events, spaces, description, active }: UpdateWebhook,
): Omit<WebhookSettings, 'version'> {
  return {
    url: url ?? before.url,
    events: events ? distinct(events) : before.events,
    spaces: spaces === undefined ? before.spaces : spaces && distinct(spaces),
    description: description ?? before.description,
    active: active ?? before.active,
  };
}
