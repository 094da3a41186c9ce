import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { requireMatch } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { notFound } from '../../kernel/common/errors.js';
import { Pages, type Page, type SortKey } from '../../kernel/common/page.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { PULSE_WEEKS } from './domain/pulse.js';
import type { CLUSTER_ORDERS, ClusterRow, ClustersQuery, UpdateCluster } from './issues.schema.js';

/** The cluster that a cluster `k` was merged into. */
const MERGED_INTO = `(SELECT d.cluster_id FROM issues_decision d WHERE d.organization_id = k.organization_id AND d.other_id = k.id AND d.kind = 'merge')`;
/** Over the organization $1 and $2, the end of the pulse. */
const COLUMNS = `k.id, (SELECT coalesce(sum(a.issues), 0)::int FROM issues_cluster a WHERE a.organization_id = $1) AS "allIssues", k.organization_id AS "organizationId", k.label, k.icon, k.summary, k.issues, k.conversations, k.theme_id AS "themeId", k.reviewed_at IS NOT NULL AS "isReviewed", k.created_at AS "createdAt", k.updated_at AS "updatedAt", k.version, ${MERGED_INTO} AS "mergedInto",
  (SELECT coalesce(json_agg(w), '[]') FROM (
     SELECT s.name AS source, least(${PULSE_WEEKS}, floor(extract(epoch FROM $2::timestamptz - i.created_at) / 604800))::int AS week, count(*)::int AS issues
       FROM conversation_issue i JOIN conversation_source s ON s.organization_id = i.organization_id AND s.id = i.source_id AND s.deleted_at IS NULL
      WHERE i.organization_id = k.organization_id AND i.cluster_id = k.id GROUP BY 1, 2) w) AS weeks`;

const BY: Readonly<Record<(typeof CLUSTER_ORDERS)[number], readonly SortKey[]>> = {
  updatedAt: [],
  issues: [{ expression: 'k.issues', type: 'integer' }],
  conversations: [{ expression: 'k.conversations', type: 'integer' }],
  // The same for all.
  tasksTotal: [],
  tasksBacklog: [],
  tasksStarted: [],
};
const TIES: readonly SortKey[] = [
  { expression: 'k.updated_at', type: 'timestamptz' },
  { expression: 'k.id', type: 'text' },
];

/** Clusters of similar issues of many conversations. */
@Injectable()
export class Clusters {
  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
  ) {}

  list(organizationId: string, query: ClustersQuery): Promise<Page<ClusterRow>> {
    const { orderBy, order, theme } = query;
    return this.pages.list<ClusterRow & Record<string, unknown>>(query, {
      scope: ['conversations-clusters', organizationId, orderBy, order, theme ?? null],
      select: COLUMNS,
      from: `FROM issues_cluster k WHERE k.organization_id = $1 AND $2::timestamptz IS NOT NULL AND ${MERGED_INTO} IS NULL${theme === undefined ? '' : ' AND k.theme_id = $3'}`,
      values: [organizationId, this.clock.now(), ...(theme === undefined ? [] : [theme])],
      order: [...BY[orderBy], ...TIES],
      direction: order,
    });
  }

  async get(organizationId: string, id: string): Promise<ClusterRow> {
    const row = await this.database.one<ClusterRow & Record<string, unknown>>(
      `SELECT ${COLUMNS} FROM issues_cluster k WHERE k.organization_id = $1 AND k.id = $3`,
      [organizationId, this.clock.now(), id],
    );
    if (!row) throw notFound('Cluster');
    return row;
  }

  /** Reviews a cluster, or changes its fields, which also marks it as reviewed unless the change says otherwise. */
  async update(
    organizationId: string,
    id: string,
    { reviewed, label, summary, icon }: UpdateCluster,
  ): Promise<ClusterRow> {
    await this.database.transaction(async () => {
      const before = await this.database.one<{ version: number }>(
        'SELECT version FROM issues_cluster WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE',
        [organizationId, id],
      );
      if (!before) throw notFound('Cluster');
      requireMatch(before.version);
      const given = { label: label?.trim(), summary: summary?.trim(), icon };
      const says = Object.values(given).some((value) => value !== undefined);
      const isReviewed = reviewed ?? (says ? true : undefined);
      const changed = await this.database.execute(
        `UPDATE issues_cluster k SET label = n.label, summary = n.summary, icon = n.icon, reviewed_at = CASE WHEN n.reviewed THEN coalesce(k.reviewed_at, $3) END, updated_at = $3, version = k.version + 1
           FROM (SELECT id, coalesce($4, label) AS label, coalesce($5, summary) AS summary, coalesce($6, icon) AS icon,
                        coalesce($7, reviewed_at IS NOT NULL) AS reviewed
                   FROM issues_cluster WHERE organization_id = $1) n
          WHERE k.organization_id = $1 AND k.id = $2 AND n.id = k.id
            AND (k.label, k.summary, k.icon, k.reviewed_at IS NOT NULL) IS DISTINCT FROM (n.label, n.summary, n.icon, n.reviewed)`,
        [
          organizationId,
          id,
          this.clock.now(),
          given.label ?? null,
          given.summary ?? null,
          given.icon ?? null,
          isReviewed ?? null,
        ],
      );
      const fields = Object.entries({ ...given, reviewed }).flatMap(([name, value]) =>
        value === undefined ? [] : [name],
      );
      if (changed > 0)
        await this.outbox.record({ type: 'issues_cluster_updated', organizationId, target: id, payload: { fields } });
    });
    return this.get(organizationId, id);
  }
}
