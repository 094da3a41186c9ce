import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { requireMatch } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { notFound } from '../../kernel/common/errors.js';
import { Members } from '../../identity/organizations/members.service.js';
import { changesOf } from '../../kernel/platform/audit-changes.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { PENDING } from './analyses.js';
import type { ConversationsSettingsRow, UpdateConversationsSettings } from './settings.schema.js';

const GET = `SELECT o.id AS "organizationId", coalesce(s.redact, true) AS redact, s.retention_days AS "retentionDays", coalesce(s.version, 0) AS version,
    (SELECT count(*)::int ${PENDING}) AS waiting,
    EXISTS (SELECT FROM job_lane l WHERE l.organization_id = o.id AND l.job LIKE 'conversations.%' AND l.woken) AS "isWaiting",
    EXISTS (SELECT FROM job_lane l WHERE l.organization_id = o.id AND l.job LIKE 'conversations.%' AND l.leased_until > now()) AS "isWorking",
    a.built_at AS "builtAt", a.problem
  FROM organization o LEFT JOIN conversation_settings s ON s.organization_id = o.id LEFT JOIN conversation_analysis a ON a.organization_id = o.id
 WHERE o.id = $1`;

/** The settings of an organization for its conversations. */
@Injectable()
export class ConversationsSettings {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly members: Members,
  ) {}

  async get(organizationId: string): Promise<ConversationsSettingsRow> {
    const row = await this.database.one<ConversationsSettingsRow & Record<string, unknown>>(GET, [organizationId]);
    if (!row) throw notFound('Organization');
    return row;
  }

  /** Changes the given settings; they apply to later ingestions, and retention at its next run. */
  async update(
    callerId: string,
    organizationId: string,
    { redaction, retentionDays }: UpdateConversationsSettings,
  ): Promise<ConversationsSettingsRow> {
    await this.database.transaction(async () => {
      await this.members.lockAsAdmin(callerId, organizationId);
      const before = await this.get(organizationId);
      requireMatch(before.version);
      const after = {
        redact: redaction ?? before.redact,
        retentionDays: retentionDays === undefined ? before.retentionDays : retentionDays,
      };
      const fields = [
        ...(after.redact === before.redact ? [] : ['redaction']),
        ...(after.retentionDays === before.retentionDays ? [] : ['retentionDays']),
      ];
      if (fields.length === 0) return;
      await this.database.execute(
        `INSERT INTO conversation_settings AS s (organization_id, redact, retention_days, updated_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (organization_id) DO UPDATE SET redact = excluded.redact, retention_days = excluded.retention_days, updated_at = excluded.updated_at, version = s.version + 1`,
        [organizationId, after.redact, after.retentionDays, this.clock.now()],
      );
      await this.outbox.record({
        type: 'conversations_settings_updated',
        organizationId,
        target: organizationId,
        payload: { fields },
        audit: {
          changes: changesOf(
            { redaction: before.redact, retentionDays: before.retentionDays },
            { redaction: after.redact, retentionDays: after.retentionDays },
            ['redaction', 'retentionDays'],
          ),
        },
      });
    });
    return this.get(organizationId);
  }

  /**
   * Tells whether personal data is masked before anything is stored; with `FOR SHARE` that stays so until the
   * transaction ends.
   */
  async redacts(organizationId: string, lock: '' | 'FOR SHARE' = ''): Promise<boolean> {
    const row = await this.database.one<{ redact: boolean }>(
      `SELECT redact FROM conversation_settings WHERE organization_id = $1 ${lock}`,
      [organizationId],
    );
    return row?.redact ?? true;
  }
}
