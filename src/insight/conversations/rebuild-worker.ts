import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { stackOf } from '../../kernel/common/errors.js';
import { newId } from '../../kernel/common/ids.js';
import type { JobRun } from '../../kernel/platform/jobs/job-run.js';
import { Jobs } from '../../kernel/platform/jobs/jobs.js';
import { Lanes } from '../../kernel/platform/jobs/lanes.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { Analyses, OUTDATED } from './analyses.js';
import { Decisions } from './decisions.service.js';
import { ENGINE_VERSION } from './domain/rebuild-policy.js';
import { Themes } from './themes.service.js';
import { ConversationEngine, type KnownCluster, type Rebuild } from './engine/engine.js';

const LANE = 'conversations.rebuild';
/** Clusters are built from the latest issues; older ones are placed among them. */
const MOST_ISSUES = 20_000;

/** An issue is held in the cluster of the latest decision about it, also where a server of a release without decisions has moved it. */
const ISSUES = `SELECT i.id, i.text, i.cluster_id AS "clusterId",
    (SELECT d.cluster_id FROM issues_hold h JOIN issues_decision d ON d.organization_id = h.organization_id AND d.id = h.decision_id
      WHERE h.organization_id = i.organization_id AND h.issue_id = i.id ORDER BY d.number DESC LIMIT 1) AS "heldIn"
  FROM conversation_issue i
  JOIN conversation_source s ON s.organization_id = i.organization_id AND s.id = i.source_id AND s.deleted_at IS NULL
  WHERE i.organization_id = $1 ORDER BY i.created_at DESC, i.id DESC LIMIT ${MOST_ISSUES}`;
const CLUSTERS = `SELECT k.id, k.theme_id AS "themeId", k.reviewed_at IS NOT NULL OR EXISTS (SELECT FROM change_request r WHERE r.issues_cluster_id = k.id)
    OR EXISTS (SELECT FROM issues_decision d WHERE d.organization_id = k.organization_id AND k.id IN (d.cluster_id, d.other_id)) AS "isPinned"
  FROM issues_cluster k WHERE k.organization_id = $1 ORDER BY k.id`;
/** Texts written by people are kept. */
const STORE = `INSERT INTO issues_cluster AS k (id, organization_id, label, icon, summary, created_at, updated_at)
  SELECT n.id, $1, n.label, n.icon, n.summary, $2, $2 FROM unnest($3::text[], $4::text[], $5::text[], $6::text[]) AS n (id, label, icon, summary)
  ON CONFLICT (id) DO UPDATE SET label = excluded.label, icon = excluded.icon, summary = excluded.summary, updated_at = excluded.updated_at, version = k.version + 1
   WHERE k.organization_id = $1 AND k.reviewed_at IS NULL AND (k.label, k.icon, k.summary) IS DISTINCT FROM (excluded.label, excluded.icon, excluded.summary)`;
const MOVE = `WITH moved AS (
    UPDATE conversation_issue i SET cluster_id = k.id, model_version = $2
      FROM unnest($3::text[], $4::text[]) AS n (id, cluster)
      JOIN conversation_issue o ON o.organization_id = $1 AND o.id = n.id
      LEFT JOIN issues_cluster k ON k.organization_id = $1 AND k.id = n.cluster
     WHERE i.id = n.id AND i.organization_id = $1 AND (i.cluster_id IS DISTINCT FROM k.id OR k.id IS NULL) RETURNING o.cluster_id AS before, i.cluster_id AS after)
  SELECT DISTINCT c.id FROM moved CROSS JOIN LATERAL (VALUES (before), (after)) AS c (id) WHERE c.id IS NOT NULL AND before IS DISTINCT FROM after`;

interface Snapshot {
  readonly issues: readonly {
    readonly id: string;
    readonly text: string;
    readonly clusterId: string | null;
    readonly heldIn: string | null;
  }[];
  readonly known: readonly KnownCluster[];
  readonly knownThemes: readonly KnownCluster[];
  /** Number of changes in the snapshot. */
  readonly changed: number;
  /** The count of decisions at the time of the snapshot. */
  readonly decisions: number;
}

/** Rebuilds the clusters of an organization, one run at a time. */
@Injectable()
export class RebuildWorker implements OnModuleInit {
  private readonly logger = new Logger('Conversations');

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly jobs: Jobs,
    private readonly lanes: Lanes,
    private readonly analyses: Analyses,
    private readonly decisions: Decisions,
    private readonly themes: Themes,
    private readonly engine: ConversationEngine,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(LANE, ({ organization }, run) => this.work(organization, run));
  }

  private async work(organizationId: string, run: JobRun): Promise<void> {
    const snapshot = await this.take(organizationId, run.id);
    if (!snapshot) return;
    const issues = snapshot.issues.map(({ id, text }) => ({ id, text }));
    await run.workOrGiveUp(
      async () => {
        const rebuilt =
          issues.length === 0 ? undefined : await this.engine.rebuild(issues, snapshot.known, snapshot.knownThemes);
        run.signal.throwIfAborted();
        await run.commit(async () => {
          if (await this.isCurrent(organizationId, snapshot)) await this.store(organizationId, snapshot, rebuilt);
          await this.leave(organizationId, run.id);
        });
      },
      async (error) => {
        this.logger.error(`clusters of ${organizationId} could not be built: ${stackOf(error)}`);
        await this.analyses.lock(organizationId);
        await this.analyses.tell(organizationId, 'Issues could not be clustered: it is tried again');
        await this.lanes.leave(LANE, organizationId, false);
      },
    );
  }

  /** Takes the lane and its data; undefined if nothing has changed, or another run has the lane. */
  private take(organizationId: string, runId: string): Promise<Snapshot | undefined> {
    return this.database.transaction(async () => {
      const organization = await this.database.one('SELECT FROM organization WHERE id = $1 FOR KEY SHARE', [
        organizationId,
      ]);
      if (!organization) return undefined;
      await this.analyses.lock(organizationId);
      if (!(await this.lanes.enter(LANE, organizationId, runId))) return undefined;
      const row = await this.database.one<{ changed: number; decisions: number; isOutdated: boolean }>(
        `SELECT changed_issues AS changed, decisions, ${OUTDATED} AS "isOutdated" FROM conversation_analysis WHERE organization_id = $1`,
        [organizationId],
      );
      if (!row || (row.changed === 0 && !row.isOutdated)) {
        await this.lanes.leave(LANE, organizationId, false);
        return undefined;
      }
      const issues = await this.database.query<Snapshot['issues'][number] & Record<string, unknown>>(ISSUES, [
        organizationId,
      ]);
      const { mergedInto, apartFrom } = await this.decisions.effectIn(organizationId);
      const all = await this.database.query<{ id: string; themeId: string | null; isPinned: boolean }>(CLUSTERS, [
        organizationId,
      ]);
      const clusters = all.filter(({ id }) => !mergedInto.has(id));
      const members = new Map<string, Snapshot['issues'][number][]>(clusters.map(({ id }) => [id, []]));
      for (const issue of issues) {
        const cluster = issue.heldIn ?? issue.clusterId;
        if (cluster !== null) members.get(mergedInto.get(cluster) ?? cluster)?.push(issue);
      }
      const known = clusters.map(({ id, isPinned }) => ({
        id,
        isPinned,
        ...partsOf(members.get(id), apartFrom.get(id)),
      }));
      return { issues, known, knownThemes: themesOf(clusters, known), changed: row.changed, decisions: row.decisions };
    });
  }

  /** False if people have decided about clusters since the snapshot; the clusters are built once more then. */
  private async isCurrent(organizationId: string, { decisions }: Snapshot): Promise<boolean> {
    await this.analyses.lock(organizationId);
    const row = await this.database.one<{ decisions: number }>(
      'SELECT decisions FROM conversation_analysis WHERE organization_id = $1',
      [organizationId],
    );
    return row?.decisions === decisions;
  }

  /** Replaces the old clusters by new ones; issues that were added meanwhile to a removed cluster are placed again. */
  private async store(
    organizationId: string,
    { issues, known, changed }: Snapshot,
    rebuilt: Rebuild | undefined,
  ): Promise<void> {
    const version = (await this.analyses.lock(organizationId)) + 1;
    const now = this.clock.now();
    const clusters = (rebuilt?.clusters ?? []).map((cluster) => ({
      ...cluster,
      isNew: cluster.id === undefined,
      id: cluster.id ?? newId(now.getTime()),
    }));
    const model = rebuilt?.modelWith(clusters.flatMap(({ id, isNew }) => (isNew ? [id] : [])));
    // A cluster that is kept without issues goes on to say what it said.
    const worded = clusters.filter(({ issueIds }) => issueIds.length > 0);
    await this.database.execute(STORE, [
      organizationId,
      now,
      ...(['id', 'title', 'icon', 'summary'] as const).map((name) => worded.map((cluster) => cluster[name])),
    ]);
    const clusterOf = new Map(clusters.flatMap(({ id, issueIds }) => issueIds.map((issue) => [issue, id] as const)));
    const moved = await this.database.query<{ id: string }>(MOVE, [
      organizationId,
      version,
      issues.map(({ id }) => id),
      issues.map(({ id }) => clusterOf.get(id) ?? null),
    ]);
    await this.themes.replace(
      organizationId,
      (rebuilt?.themes ?? []).map(({ clusters: own, ...theme }) => ({
        ...theme,
        clusterIds: own.flatMap((cluster) => clusters[cluster]?.id ?? []),
      })),
      now,
    );
    const kept = new Set(clusters.map(({ id }) => id));
    await this.analyses.drop(
      organizationId,
      known.flatMap(({ id }) => (kept.has(id) ? [] : [id])),
    );
    await this.analyses.recount(
      organizationId,
      moved.map(({ id }) => id),
    );
    await this.database.execute(
      'UPDATE conversation_analysis SET model = $2, model_version = $3, engine_version = $7, engine_model_version = $3, built_at = $4, built_issues = $5, changed_issues = greatest(0, changed_issues - $6), problem = NULL WHERE organization_id = $1',
      [organizationId, model ? Buffer.from(model) : null, version, now, issues.length, changed, ENGINE_VERSION],
    );
    await this.lanes.wake('conversations.derive', organizationId);
    await this.outbox.record({
      type: 'issues_clusters_rebuilt',
      organizationId,
      target: organizationId,
      payload: { clusters: clusters.length, issues: issues.length },
    });
  }

  private async leave(organizationId: string, runId: string): Promise<void> {
    if (!(await this.lanes.holds(LANE, organizationId, runId))) return;
    await this.lanes.leave(LANE, organizationId, false);
    await this.analyses.changed(organizationId, 0);
  }
}

/** The issues of a known cluster; if people have decided about it, those that they put there are told apart. */
function partsOf(
  issues: Snapshot['issues'] = [],
  apartFrom: readonly string[] | undefined,
): Omit<KnownCluster, 'id' | 'isPinned'> {
  const issueIds = issues.map(({ id }) => id);
  if (apartFrom === undefined) return { issueIds };
  return { issueIds, apartFrom, heldIds: issues.flatMap(({ id, heldIn }) => (heldIn === null ? [] : [id])) };
}

/** The themes of clusters with the issues of these; no theme is pinned. */
function themesOf(
  clusters: readonly { readonly themeId: string | null }[],
  known: readonly KnownCluster[],
): KnownCluster[] {
  const issues = new Map<string, string[]>();
  clusters.forEach(({ themeId }, at) => {
    if (themeId !== null) issues.set(themeId, [...(issues.get(themeId) ?? []), ...(known[at]?.issueIds ?? [])]);
  });
  return [...issues].map(([id, issueIds]) => ({ id, isPinned: false, issueIds }));
}
