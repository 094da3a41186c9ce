import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { notFound } from '../../kernel/common/errors.js';
import { Pages, type ListStatement, type Page } from '../../kernel/common/page.js';
import type { PageQuery } from '../../kernel/common/page-query.js';
import { Jobs } from '../../kernel/platform/jobs/jobs.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { Analyses } from './analyses.js';
import { ConversationSource } from './conversation-source.entity.js';
import {
  CONVERSATION_COLUMNS,
  CONVERSATION_FROM,
  type ConversationRow,
  type ConversationsQuery,
  type ConversationsSourceRow,
  type WholeConversationRow,
} from './conversations.schema.js';

const ORDER = [
  { expression: 'c.created_at', type: 'timestamptz' },
  { expression: 'c.id', type: 'text' },
] as const;
const SOURCE_ORDER = [
  { expression: 's.name', type: 'text' },
  { expression: 's.id', type: 'text' },
] as const;
const OF_SOURCE =
  'AND c.source_id = (SELECT id FROM conversation_source WHERE organization_id = $1 AND name = $2 AND deleted_at IS NULL)';
const REMOVED_AT_ONCE = 1000;
const DAY = 24 * 3600 * 1000;

/** Ingested conversations of organizations, and their removal. */
@Injectable()
export class Conversations {
  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly jobs: Jobs,
    private readonly analyses: Analyses,
  ) {}

  /** Lists the conversations of an organization, latest first by start. */
  list(organizationId: string, query: ConversationsQuery): Promise<Page<ConversationRow>> {
    const { source, externalId } = query;
    return this.pages.list<ConversationRow & Record<string, unknown>>(query, {
      scope: ['conversations', organizationId, source ?? null, externalId ?? null],
      select: CONVERSATION_COLUMNS,
      ...filtered(organizationId, source, externalId),
      order: ORDER,
      direction: 'desc',
    });
  }

  async get(organizationId: string, id: string): Promise<WholeConversationRow> {
    const row = await this.database.one<WholeConversationRow & Record<string, unknown>>(
      `SELECT ${CONVERSATION_COLUMNS}, c.parts, c.metadata ${CONVERSATION_FROM} WHERE c.organization_id = $1 AND c.id = $2`,
      [organizationId, id],
    );
    if (!row) throw notFound('Conversation');
    return row;
  }

  /** Lists the sources of an organization by their names. */
  sources(organizationId: string, query: PageQuery): Promise<Page<ConversationsSourceRow>> {
    return this.pages.list<ConversationsSourceRow & Record<string, unknown>>(query, {
      scope: ['conversations-sources', organizationId],
      select: 's.id, s.name, s.created_at AS "createdAt"',
      from: 'FROM conversation_source s WHERE s.organization_id = $1 AND s.deleted_at IS NULL',
      values: [organizationId],
      order: SOURCE_ORDER,
      direction: 'asc',
    });
  }

  /** Removes a conversation with its issues; does nothing if it does not exist. */
  async remove(organizationId: string, id: string): Promise<void> {
    await this.database.transaction(async () => {
      const row = await this.database.one<{ source: string }>(
        `SELECT s.name AS source ${CONVERSATION_FROM} WHERE c.organization_id = $1 AND c.id = $2 FOR UPDATE OF c`,
        [organizationId, id],
      );
      if (!row) return;
      await this.erase(organizationId, [id]);
      await this.outbox.record({
        type: 'conversation_deleted',
        organizationId,
        target: id,
        payload: { source: row.source },
      });
    });
  }

  /** Removes a source with all its conversations, which disappear at once; their rows are deleted in the background. */
  async removeSource(organizationId: string, name: string): Promise<void> {
    await this.database.transaction(async () => {
      const now = this.clock.now();
      const source = await this.database.one<{ id: string; count: number }>(
        `UPDATE conversation_source s SET deleted_at = $3 WHERE s.organization_id = $1 AND s.name = $2 AND s.deleted_at IS NULL
         RETURNING s.id, (SELECT count(*)::int FROM conversation c WHERE c.organization_id = $1 AND c.source_id = s.id) AS count`,
        [organizationId, name, now],
      );
      if (!source) return;
      await this.analyses.lock(organizationId);
      const clusters = await this.database.query<{ id: string; issues: number }>(
        'SELECT cluster_id AS id, count(*)::int AS issues FROM conversation_issue WHERE organization_id = $1 AND source_id = $2 GROUP BY cluster_id',
        [organizationId, source.id],
      );
      await this.analyses.recount(
        organizationId,
        clusters.flatMap(({ id }) => (id === null ? [] : [id])),
      );
      await this.analyses.changed(
        organizationId,
        clusters.reduce((sum, { issues }) => sum + issues, 0),
      );
      await this.jobs.enqueue('conversations.forget', { source: source.id });
      await this.outbox.record({
        type: 'conversations_removed',
        organizationId,
        target: organizationId,
        payload: { source: name, count: source.count },
      });
    });
  }

  /** Deletes the rows of a deleted source. */
  async forget(sourceId: string, signal: AbortSignal): Promise<void> {
    const source = await this.database.one<{ organizationId: string }>(
      'SELECT organization_id AS "organizationId" FROM conversation_source WHERE id = $1 AND deleted_at IS NOT NULL',
      [sourceId],
    );
    if (!source) return;
    const key = [source.organizationId, sourceId];
    const batch = `DELETE FROM conversation WHERE organization_id = $1 AND id = ANY (ARRAY (
      SELECT c.id FROM conversation c WHERE c.organization_id = $1 AND c.source_id = $2 LIMIT ${REMOVED_AT_ONCE}))`;
    while ((await this.database.execute(batch, key)) > 0) signal.throwIfAborted();
    await this.database.of(ConversationSource).delete({ organizationId: source.organizationId, id: sourceId });
  }

  /** Removes conversations beyond their organization's retention period, in batches. */
  async removeExpired(signal: AbortSignal): Promise<void> {
    const settings = await this.database.query<{ organizationId: string; days: number }>(
      'SELECT organization_id AS "organizationId", retention_days AS days FROM conversation_settings WHERE retention_days IS NOT NULL ORDER BY organization_id',
    );
    for (const { organizationId, days } of settings) {
      const before = new Date(this.clock.now().getTime() - days * DAY);
      while (await this.removeBefore(organizationId, before)) signal.throwIfAborted();
    }
  }

  private removeBefore(organizationId: string, before: Date): Promise<boolean> {
    return this.database.transaction(async () => {
      const rows = await this.database.query<{ id: string }>(
        `SELECT c.id ${CONVERSATION_FROM} WHERE c.organization_id = $1 AND c.created_at < $2 ORDER BY c.source_id, c.external_id LIMIT ${REMOVED_AT_ONCE} FOR UPDATE OF c`,
        [organizationId, before],
      );
      if (rows.length === 0) return false;
      await this.erase(
        organizationId,
        rows.map(({ id }) => id),
      );
      await this.outbox.record({
        type: 'conversations_removed',
        organizationId,
        target: organizationId,
        payload: { count: rows.length },
      });
      return true;
    });
  }

  /** Removes locked conversations; clusters are recounted, and their texts change with the next rebuild. */
  private async erase(organizationId: string, ids: readonly string[]): Promise<void> {
    await this.analyses.lock(organizationId);
    const issues = await this.database.query<{ clusterId: string | null }>(
      'DELETE FROM conversation_issue WHERE organization_id = $1 AND conversation_id = ANY ($2) RETURNING cluster_id AS "clusterId"',
      [organizationId, ids],
    );
    await this.database.execute('DELETE FROM conversation WHERE organization_id = $1 AND id = ANY ($2)', [
      organizationId,
      ids,
    ]);
    await this.analyses.recount(organizationId, [...new Set(issues.flatMap(({ clusterId }) => clusterId ?? []))]);
    await this.analyses.changed(organizationId, issues.length);
  }
}

function filtered(
  organizationId: string,
  source: string | undefined,
  externalId: string | undefined,
): Pick<ListStatement, 'from' | 'values'> {
  const from = `${CONVERSATION_FROM} WHERE c.organization_id = $1`;
  if (source !== undefined && externalId !== undefined)
    return { from: `${from} ${OF_SOURCE} AND c.external_id = $3`, values: [organizationId, source, externalId] };
  if (source !== undefined) return { from: `${from} ${OF_SOURCE}`, values: [organizationId, source] };
  if (externalId !== undefined) return { from: `${from} AND c.external_id = $2`, values: [organizationId, externalId] };
  return { from, values: [organizationId] };
}
