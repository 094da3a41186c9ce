import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { requireMatch } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, invalid, invalidFields, notFound } from '../../kernel/common/errors.js';
import { newId } from '../../kernel/common/ids.js';
import { Pages, type Page } from '../../kernel/common/page.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { Analyses } from './analyses.js';
import type { DecisionRow, DecisionsQuery, SplitCluster } from './decisions.schema.js';
import { IssuesDecision } from './issues-decision.entity.js';
import { decidedBy, type Decided, type Decision } from './domain/decided-clusters.js';

/** The number of decisions of an organization; the clusters of all of them are kept, and read for each rebuild. */
const MOST_DECISIONS = 5000;

const COLUMNS = `d.id, d.organization_id AS "organizationId", d.kind, d.cluster_id AS "clusterId", d.other_id AS "otherId", d.created_at AS "createdAt",
  (SELECT k.label FROM issues_cluster k WHERE k.organization_id = d.organization_id AND k.id = d.other_id) AS "otherLabel",
  (SELECT count(*)::int FROM issues_hold h WHERE h.organization_id = d.organization_id AND h.decision_id = d.id AND h.is_moved) AS issues`;
const ADD = `INSERT INTO issues_decision (organization_id, id, number, kind, cluster_id, other_id, created_at)
  SELECT $1, $2, coalesce(max(number), 0) + 1, $3, $4, $5, $6 FROM issues_decision WHERE organization_id = $1`;
const NEW_CLUSTER = `INSERT INTO issues_cluster (id, organization_id, label, icon, summary, theme_id, reviewed_at, created_at, updated_at)
  SELECT $3, $1, coalesce($4, left(i.title, 100)), k.icon, left(i.summary, 1000), k.theme_id, CASE WHEN $4::text IS NOT NULL THEN $6::timestamptz END, $6, $6
    FROM issues_cluster k JOIN conversation_issue i ON i.organization_id = k.organization_id AND i.id = $5 WHERE k.organization_id = $1 AND k.id = $2`;
/** A later decision about a cluster of a decision: it has to be undone first. */
const LATER = `SELECT l.id FROM issues_decision l WHERE l.organization_id = $1 AND l.number > $2
  AND (l.cluster_id = ANY ($3) OR l.other_id = ANY ($3)) ORDER BY l.number DESC LIMIT 1`;

/** Merges and splits of clusters by people, which every rebuild respects. All of them are made under the lock of the analysis. */
@Injectable()
export class Decisions {
  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly analyses: Analyses,
  ) {}

  /** Lists the decisions of an organization, or those about a cluster, the latest first. */
  list(organizationId: string, { cluster, ...query }: DecisionsQuery): Promise<Page<DecisionRow>> {
    return this.pages.list<DecisionRow & Record<string, unknown>>(query, {
      scope: ['conversations-decisions', organizationId, cluster ?? null],
      select: COLUMNS,
      from: `FROM issues_decision d WHERE d.organization_id = $1${cluster === undefined ? '' : ' AND $2 IN (d.cluster_id, d.other_id)'}`,
      values: [organizationId, ...(cluster === undefined ? [] : [cluster])],
      order: [{ expression: 'd.number', type: 'integer' }],
      direction: 'desc',
    });
  }

  async get(organizationId: string, id: string): Promise<DecisionRow> {
    const row = await this.database.one<DecisionRow & Record<string, unknown>>(
      `SELECT ${COLUMNS} FROM issues_decision d WHERE d.organization_id = $1 AND d.id = $2`,
      [organizationId, id],
    );
    if (!row) throw notFound('Decision');
    return row;
  }

  /** The effect of all decisions of an organization on its clusters. */
  async effectIn(organizationId: string): Promise<Decided> {
    const decisions = await this.database.query<Decision & Record<string, unknown>>(
      'SELECT kind, cluster_id AS "clusterId", other_id AS "otherId" FROM issues_decision WHERE organization_id = $1 ORDER BY number',
      [organizationId],
    );
    return decidedBy(decisions);
  }

  /** The clusters of issues by a model, which may be older than merges: a merged cluster is replaced by the one it is part of. */
  async followed(organizationId: string, placed: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, string>> {
    if (placed.size === 0) return placed;
    const { mergedInto } = await this.effectIn(organizationId);
    return new Map([...placed].map(([issue, cluster]) => [issue, mergedInto.get(cluster) ?? cluster]));
  }

  /** Moves all issues of a cluster into another one, and keeps the issues of both there. */
  async merge(organizationId: string, clusterId: string, otherId: string): Promise<DecisionRow> {
    const decisionId = await this.database.transaction(async () => {
      await this.analyses.lock(organizationId);
      await this.hold(organizationId, clusterId);
      if (otherId === clusterId) throw invalid('cluster', 'is the cluster that it would be merged into');
      if (!(await this.isListed(organizationId, otherId)))
        throw invalid('cluster', 'is not a cluster of this organization');
      const id = await this.add(organizationId, 'merge', clusterId, otherId);
      await this.database.execute(
        `INSERT INTO issues_hold (organization_id, decision_id, issue_id, is_moved)
         SELECT $1, $2, id, cluster_id = $4 FROM conversation_issue WHERE organization_id = $1 AND cluster_id IN ($3, $4)`,
        [organizationId, id, clusterId, otherId],
      );
      const moved = await this.database.execute(
        'UPDATE conversation_issue SET cluster_id = $2 WHERE organization_id = $1 AND cluster_id = $3',
        [organizationId, clusterId, otherId],
      );
      await this.database.execute('UPDATE issues_cluster SET theme_id = NULL WHERE organization_id = $1 AND id = $2', [
        organizationId,
        otherId,
      ]);
      await this.settle(organizationId, [clusterId, otherId], moved);
      await this.outbox.record({
        type: 'issues_clusters_merged',
        organizationId,
        target: clusterId,
        payload: { decision: id, other: otherId, issues: moved },
      });
      return id;
    });
    return this.get(organizationId, decisionId);
  }

  /** Makes issues of a cluster one of their own. */
  async split(organizationId: string, clusterId: string, { issues, label }: SplitCluster): Promise<DecisionRow> {
    const decisionId = await this.database.transaction(async () => {
      await this.analyses.lock(organizationId);
      await this.hold(organizationId, clusterId);
      await this.requireIssues(organizationId, clusterId, issues);
      const now = this.clock.now();
      const newCluster = newId(now.getTime());
      await this.database.execute(NEW_CLUSTER, [
        organizationId,
        clusterId,
        newCluster,
        label?.trim() ?? null,
        issues[0],
        now,
      ]);
      const id = await this.add(organizationId, 'split', newCluster, clusterId);
      const moved = await this.database.execute(
        `WITH moved AS (UPDATE conversation_issue SET cluster_id = $3 WHERE organization_id = $1 AND id = ANY ($4) RETURNING id)
         INSERT INTO issues_hold (organization_id, decision_id, issue_id, is_moved) SELECT $1, $2, id, true FROM moved`,
        [organizationId, id, newCluster, issues],
      );
      await this.settle(organizationId, [newCluster, clusterId], moved);
      await this.outbox.record({
        type: 'issues_cluster_split',
        organizationId,
        target: newCluster,
        payload: { decision: id, other: clusterId, issues: moved },
      });
      return id;
    });
    return this.get(organizationId, decisionId);
  }

  /** Undoes a decision, unless a later one builds on it; one that is absent is undone already. */
  async undo(organizationId: string, id: string): Promise<void> {
    await this.database.transaction(async () => {
      // No row of the analysis is made for a decision that is absent.
      if (!(await this.find(organizationId, id))) return;
      await this.analyses.lock(organizationId);
      const row = await this.find(organizationId, id);
      if (!row) return;
      const { kind, clusterId, otherId, number } = row;
      const later = await this.database.one<{ id: string }>(LATER, [organizationId, number, [clusterId, otherId]]);
      if (later)
        throw new DomainError('conflict', `Decision ${later.id} is later and about the same clusters: undo it first`);
      const moved = await this.database.execute(
        kind === 'merge'
          ? `UPDATE conversation_issue i SET cluster_id = $3 FROM issues_hold h
              WHERE h.organization_id = $1 AND h.decision_id = $4 AND h.is_moved AND i.organization_id = $1 AND i.id = h.issue_id AND i.cluster_id = $2`
          : 'UPDATE conversation_issue SET cluster_id = $3 WHERE organization_id = $1 AND cluster_id = $2 AND $4::text IS NOT NULL',
        [organizationId, clusterId, otherId, id],
      );
      await this.database.of(IssuesDecision).delete({ organizationId, id });
      // A label that was given with the split counts as a review, which must not keep the empty cluster.
      if (kind === 'split')
        await this.database.execute(
          'UPDATE issues_cluster SET reviewed_at = NULL WHERE organization_id = $1 AND id = $2',
          [organizationId, clusterId],
        );
      await this.settle(organizationId, [clusterId, otherId], moved);
      await this.outbox.record({
        type: 'issues_decision_undone',
        organizationId,
        target: clusterId,
        payload: { decision: id, kind, other: otherId, issues: moved },
      });
    });
  }

  private find(organizationId: string, id: string): Promise<(Decision & { readonly number: number }) | undefined> {
    return this.database.one<Decision & { readonly number: number } & Record<string, unknown>>(
      'SELECT kind, cluster_id AS "clusterId", other_id AS "otherId", number FROM issues_decision WHERE organization_id = $1 AND id = $2',
      [organizationId, id],
    );
  }

  /** Locks a cluster that is about to change, in the version that the request names. */
  private async hold(organizationId: string, id: string): Promise<void> {
    const row = await this.database.one<{ version: number }>(
      'SELECT version FROM issues_cluster WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE',
      [organizationId, id],
    );
    if (!row) throw notFound('Cluster');
    requireMatch(row.version);
    if (!(await this.isListed(organizationId, id)))
      throw new DomainError('conflict', 'The cluster was merged into another one');
  }

  /** Tells whether a cluster is there and was not merged into another one. */
  private async isListed(organizationId: string, id: string): Promise<boolean> {
    const row = await this.database.one(
      `SELECT FROM issues_cluster k WHERE k.organization_id = $1 AND k.id = $2
          AND NOT EXISTS (SELECT FROM issues_decision d WHERE d.organization_id = $1 AND d.other_id = k.id AND d.kind = 'merge')`,
      [organizationId, id],
    );
    return row !== undefined;
  }

  /** Throws unless all issues are those of a cluster, which keeps others. */
  private async requireIssues(organizationId: string, clusterId: string, issues: readonly string[]): Promise<void> {
    const own = await this.database.query<{ id: string }>(
      'SELECT id FROM conversation_issue WHERE organization_id = $1 AND cluster_id = $2 AND id = ANY ($3)',
      [organizationId, clusterId, issues],
    );
    const ids = new Set(own.map(({ id }) => id));
    const faults = issues.flatMap((id, at) =>
      ids.has(id) ? [] : [{ path: `issues.${at}`, message: 'is not an issue of the cluster' }],
    );
    if (faults.length > 0) throw invalidFields(faults);
    const other = await this.database.one(
      'SELECT FROM conversation_issue WHERE organization_id = $1 AND cluster_id = $2 AND id <> ALL ($3) LIMIT 1',
      [organizationId, clusterId, issues],
    );
    if (!other) throw invalid('issues', 'are all issues of the cluster: it would be empty');
  }

  private async add(
    organizationId: string,
    kind: Decision['kind'],
    clusterId: string,
    otherId: string,
  ): Promise<string> {
    const full = await this.database.one(
      `SELECT FROM issues_decision WHERE organization_id = $1 OFFSET ${MOST_DECISIONS - 1} LIMIT 1`,
      [organizationId],
    );
    if (full)
      throw new DomainError(
        'conflict',
        `An organization has at most ${MOST_DECISIONS} merges and splits: undo one first`,
      );
    const now = this.clock.now();
    const id = newId(now.getTime());
    await this.database.execute(ADD, [organizationId, id, kind, clusterId, otherId, now]);
    return id;
  }

  private async settle(organizationId: string, clusterIds: readonly string[], moved: number): Promise<void> {
    await this.analyses.recount(organizationId, clusterIds);
    await this.analyses.decided(organizationId, moved);
  }
}
