import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { Lanes } from '../../kernel/platform/jobs/lanes.js';
import { ENGINE_VERSION, secondsToRebuild, type Analysis } from './domain/rebuild-policy.js';

/** Conversations of an organization ($1) whose issues are still to be derived. */
export const PENDING = `FROM conversation c JOIN conversation_source s ON s.organization_id = c.organization_id AND s.id = c.source_id AND s.deleted_at IS NULL
 WHERE c.organization_id = $1 AND c.processed_at IS NULL`;

/**
 * Analyses whose last rebuild is that of an older engine. A replica of an older release may rebuild while a newer one runs:
 * it leaves `engine_version` as it was, but gives the model another version.
 */
export const OUTDATED = `(built_issues > 0 AND (engine_version < ${ENGINE_VERSION} OR engine_model_version <> model_version))`;

const RECOUNT = `WITH member AS (
    SELECT i.cluster_id AS id, count(*)::int AS issues, count(DISTINCT i.conversation_id)::int AS conversations
      FROM conversation_issue i JOIN conversation_source s ON s.organization_id = i.organization_id AND s.id = i.source_id AND s.deleted_at IS NULL
     WHERE i.organization_id = $1 AND i.cluster_id = ANY ($2) GROUP BY i.cluster_id)
  UPDATE issues_cluster k SET issues = coalesce(m.issues, 0), conversations = coalesce(m.conversations, 0), updated_at = $3, version = k.version + 1
    FROM issues_cluster o LEFT JOIN member m ON m.id = o.id
   WHERE o.organization_id = $1 AND o.id = ANY ($2) AND k.organization_id = o.organization_id AND k.id = o.id`;

/** The state of the analysis of an organization's conversations, and the common part of its changes. */
@Injectable()
export class Analyses {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly lanes: Lanes,
  ) {}

  /**
   * Locks the issues of an organization for the rest of the transaction, after the conversations that it changes:
   * clusters and their members change under this lock only. Returns the version of the model.
   */
  async lock(organizationId: string): Promise<number> {
    await this.database.execute(
      'INSERT INTO conversation_analysis (organization_id) VALUES ($1) ON CONFLICT DO NOTHING',
      [organizationId],
    );
    const row = await this.database.one<{ version: number }>(
      'SELECT model_version AS version FROM conversation_analysis WHERE organization_id = $1 FOR UPDATE',
      [organizationId],
    );
    return row?.version ?? 0;
  }

  /** Recounts the members of changed clusters; empty ones are removed, unless they are pinned. */
  async recount(organizationId: string, clusterIds: readonly string[]): Promise<void> {
    if (clusterIds.length === 0) return;
    await this.database.execute(RECOUNT, [organizationId, clusterIds, this.clock.now()]);
    const empty = await this.database.query<{ id: string }>(
      'SELECT id FROM issues_cluster WHERE organization_id = $1 AND id = ANY ($2) AND issues = 0',
      [organizationId, clusterIds],
    );
    await this.drop(
      organizationId,
      empty.map(({ id }) => id),
    );
  }

  /**
   * Removes clusters that are neither reviewed nor linked to a change request nor part of a decision; their remaining
   * issues have no cluster then.
   */
  async drop(organizationId: string, clusterIds: readonly string[]): Promise<void> {
    if (clusterIds.length === 0) return;
    // Linking a change request locks the cluster by its key: only after this lock the linked clusters are known.
    const held = await this.database.query<{ id: string }>(
      'SELECT id FROM issues_cluster WHERE organization_id = $1 AND id = ANY ($2) AND reviewed_at IS NULL ORDER BY id FOR UPDATE',
      [organizationId, clusterIds],
    );
    await this.database.execute(
      `DELETE FROM issues_cluster k WHERE k.organization_id = $1 AND k.id = ANY ($2)
          AND NOT EXISTS (SELECT FROM change_request r WHERE r.issues_cluster_id = k.id)
          AND NOT EXISTS (SELECT FROM issues_decision d WHERE d.organization_id = $1 AND k.id IN (d.cluster_id, d.other_id))`,
      [organizationId, held.map(({ id }) => id)],
    );
  }

  /** Records that issues were added or removed, and schedules a rebuild of the clusters when it is due. */
  async changed(organizationId: string, issues: number): Promise<void> {
    const now = await this.database.one<Analysis & Record<string, unknown>>(
      `UPDATE conversation_analysis SET changed_issues = changed_issues + $2 WHERE organization_id = $1
       RETURNING built_issues AS built, changed_issues AS changed, ${OUTDATED} AS "isOutdated", EXISTS (SELECT ${PENDING}) AS "isReading"`,
      [organizationId, issues],
    );
    const seconds = now && secondsToRebuild(now);
    if (!now || seconds === undefined) return;
    const options = { afterSeconds: seconds };
    // A job that is scheduled later than now required is preceded by another.
    const isSooner = issues > 0 && secondsToRebuild({ ...now, changed: now.changed - issues }) !== seconds;
    await (isSooner
      ? this.lanes.rouse('conversations.rebuild', organizationId, options)
      : this.lanes.wake('conversations.rebuild', organizationId, options));
  }

  /**
   * Records that people have moved issues between clusters, and schedules a rebuild by that; one that runs already is
   * not stored. Must be called under the lock.
   */
  async decided(organizationId: string, issues: number): Promise<void> {
    await this.database.execute(
      'UPDATE conversation_analysis SET decisions = decisions + 1 WHERE organization_id = $1',
      [organizationId],
    );
    // The model places new issues as before the decision until the rebuild.
    await this.changed(organizationId, Math.max(1, issues));
  }

  /** Reports a problem to people, null once it is solved. */
  async tell(organizationId: string, problem: string | null): Promise<void> {
    await this.database.execute(
      'UPDATE conversation_analysis SET problem = $2 WHERE organization_id = $1 AND problem IS DISTINCT FROM $2',
      [organizationId, problem],
    );
  }
}
