import { setImmediate } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { stackOf } from '../../kernel/common/errors.js';
import { newId } from '../../kernel/common/ids.js';
import type { JobRun } from '../../kernel/platform/jobs/job-run.js';
import { Jobs } from '../../kernel/platform/jobs/jobs.js';
import { Lanes } from '../../kernel/platform/jobs/lanes.js';
import { TaskLimitExceeded, WorkerPool } from '../../kernel/platform/workers/worker-pool.js';
import { Analyses, PENDING } from './analyses.js';
import { CONVERSATION_TEXT, type StoredConversation } from './conversation-tasks.js';
import { Decisions } from './decisions.service.js';
import { issueChanges, type StoredIssue } from './domain/issue-changes.js';
import { ConversationEngine, type ConversationText, type DerivedIssue, type IssueText } from './engine/engine.js';

const LANE = 'conversations.derive';
const CONVERSATIONS_AT_ONCE = 200;
const BYTES_AT_ONCE = 4_000_000;
const ISSUES_AT_ONCE = 5000;

const TAKE = `SELECT id, version, subject, parts FROM (
    SELECT c.id, c.version, c.subject, c.parts, c.ingested_at, sum(octet_length(c.parts::text)) OVER sofar AS bytes, row_number() OVER sofar AS place
      ${PENDING} WINDOW sofar AS (ORDER BY c.ingested_at, c.id ROWS UNBOUNDED PRECEDING) ORDER BY c.ingested_at, c.id LIMIT ${CONVERSATIONS_AT_ONCE}) p
  WHERE place = 1 OR bytes <= ${BYTES_AT_ONCE} ORDER BY ingested_at, id`;
/** Issues of an organization ($1) without a cluster that were not tried with its current model. */
const UNPLACED = `FROM conversation_issue i
    JOIN conversation_source s ON s.organization_id = i.organization_id AND s.id = i.source_id AND s.deleted_at IS NULL
    JOIN conversation_analysis a ON a.organization_id = i.organization_id
  WHERE i.organization_id = $1 AND i.cluster_id IS NULL AND i.model_version < a.model_version`;
const STORE = `INSERT INTO conversation_issue (id, organization_id, conversation_id, source_id, cluster_id, model_version, title, summary, text, language, created_at, ingested_at)
  SELECT n.id, $1, c.id, c.source_id, k.id, $2, n.title, n.summary, n.text, n.language, c.created_at, c.ingested_at
    FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[]) AS n (id, conversation, cluster, title, summary, text, language)
    JOIN conversation c ON c.organization_id = $1 AND c.id = n.conversation
    LEFT JOIN issues_cluster k ON k.organization_id = $1 AND k.id = n.cluster
  ON CONFLICT (id) DO UPDATE SET title = excluded.title, summary = excluded.summary, language = excluded.language, created_at = excluded.created_at, ingested_at = excluded.ingested_at
  RETURNING cluster_id AS "clusterId"`;

interface PendingConversation extends StoredConversation {
  readonly [column: string]: unknown;
  readonly id: string;
  readonly version: number;
}

interface Model {
  readonly version: number;
  readonly bytes: Uint8Array | undefined;
}

/** The next work for an organization. */
interface Batch {
  readonly conversations: readonly PendingConversation[];
  readonly unplaced: readonly IssueText[];
  readonly model: Model;
}

interface Found extends DerivedIssue {
  readonly id: string;
  readonly conversationId: string;
}

/** Derives the issues of conversations and their clusters, batch by batch, one batch of an organization at a time. */
@Injectable()
export class DeriveWorker implements OnModuleInit {
  private readonly logger = new Logger('Conversations');

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
    private readonly lanes: Lanes,
    private readonly analyses: Analyses,
    private readonly decisions: Decisions,
    private readonly engine: ConversationEngine,
    private readonly workers: WorkerPool,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(LANE, ({ organization }, run) => this.work(organization, run));
  }

  private async work(organizationId: string, run: JobRun): Promise<void> {
    const batch = await this.take(organizationId, run.id);
    if (!batch) return;
    const { conversations, unplaced, model } = batch;
    await run.workOrGiveUp(
      async () => {
        const found = conversations.length === 0 ? [] : await this.derive(organizationId, conversations);
        const placed = await this.place(model, [...found, ...unplaced]);
        run.signal.throwIfAborted();
        await run.commit(async () => {
          const changed = await this.store(organizationId, batch, found, placed);
          await this.analyses.changed(organizationId, changed);
          await this.analyses.tell(organizationId, null);
          await this.leave(organizationId, run.id, true);
        });
      },
      async (error) => {
        this.logger.error(`conversations of ${organizationId} could not be read: ${stackOf(error)}`);
        await this.analyses.lock(organizationId);
        await this.analyses.tell(organizationId, 'Conversations could not be read: it is tried again');
        await this.leave(organizationId, run.id, false);
      },
    );
  }

  /** Takes the lane and its next work; undefined if there is none, or another run has the lane. */
  private take(organizationId: string, runId: string): Promise<Batch | undefined> {
    return this.database.transaction(async () => {
      // The organization may have been removed since the job was enqueued.
      const organization = await this.database.one('SELECT FROM organization WHERE id = $1 FOR KEY SHARE', [
        organizationId,
      ]);
      if (!organization || !(await this.lanes.enter(LANE, organizationId, runId))) return undefined;
      const model = await this.database.one<{ version: number; bytes: Buffer | null }>(
        'SELECT model_version AS version, model AS bytes FROM conversation_analysis WHERE organization_id = $1',
        [organizationId],
      );
      const conversations = await this.database.query<PendingConversation>(TAKE, [organizationId]);
      const unplaced =
        conversations.length > 0
          ? []
          : await this.database.query<IssueText & Record<string, unknown>>(
              `SELECT i.id, i.text ${UNPLACED} ORDER BY i.id LIMIT ${ISSUES_AT_ONCE}`,
              [organizationId],
            );
      if (conversations.length > 0 || unplaced.length > 0)
        return { conversations, unplaced, model: { version: model?.version ?? 0, bytes: model?.bytes ?? undefined } };
      await this.lanes.leave(LANE, organizationId, false);
      return undefined;
    });
  }

  /** The issues of conversations. An unreadable one has none, as long as others can be read. */
  private async derive(organizationId: string, conversations: readonly PendingConversation[]): Promise<Found[]> {
    const texts: ConversationText[] = [];
    for (const conversation of conversations) {
      texts.push(await this.textOf(organizationId, conversation));
      await setImmediate();
    }
    const derived = await this.engine
      .derive(texts)
      .catch((error: unknown) => this.deriveSingly(conversations, texts, error));
    const now = this.clock.now().getTime();
    return conversations.flatMap(({ id }, index) =>
      (derived[index] ?? []).map((issue) => ({ ...issue, id: newId(now), conversationId: id })),
    );
  }

  /** The text of a conversation; empty if it takes too long to read: one must not block all others. */
  private async textOf(party: string, { id, subject, parts }: PendingConversation): Promise<ConversationText> {
    try {
      return await this.workers.run(CONVERSATION_TEXT, { subject, parts }, { party });
    } catch (error) {
      if (!(error instanceof TaskLimitExceeded)) throw error;
      this.logger.warn(`conversation ${id} could not be read: ${error.message}`);
      return { messages: [] };
    }
  }

  private async deriveSingly(
    conversations: readonly PendingConversation[],
    texts: readonly ConversationText[],
    cause: unknown,
  ): Promise<(readonly DerivedIssue[])[]> {
    const derived: (readonly DerivedIssue[])[] = [];
    let failed = 0;
    for (const [index, text] of texts.entries()) {
      const issues = await this.engine.derive([text]).catch(() => undefined);
      derived.push(issues?.[0] ?? []);
      if (issues) continue;
      failed++;
      this.logger.warn(
        `conversation ${conversations[index]?.id ?? ''} could not be read: ${cause instanceof Error ? cause.message : String(cause)}`,
      );
    }
    if (failed === texts.length) throw cause;
    return derived;
  }

  /** The clusters of issues by the model, as ids. */
  private async place({ bytes }: Model, issues: readonly IssueText[]): Promise<ReadonlyMap<string, string>> {
    if (bytes === undefined || issues.length === 0) return new Map();
    const clusters = await this.engine.assign(
      bytes,
      issues.map(({ id, text }) => ({ id, text })),
    );
    return new Map(
      issues.flatMap(({ id }, index) => (clusters[index] === undefined ? [] : [[id, clusters[index]] as const])),
    );
  }

  /**
   * Stores the derived issues, unless the conversation has changed meanwhile; returns the number of issues added or
   * removed.
   */
  private async store(
    organizationId: string,
    { conversations, unplaced, model }: Batch,
    found: readonly Found[],
    given: ReadonlyMap<string, string>,
  ): Promise<number> {
    const locked = await this.database.query<{ id: string; version: number }>(
      `SELECT id, version FROM conversation WHERE organization_id = $1 AND id = ANY ($2) AND processed_at IS NULL
        ORDER BY source_id, external_id FOR NO KEY UPDATE`,
      [organizationId, conversations.map(({ id }) => id)],
    );
    await this.analyses.lock(organizationId);
    const placed = await this.decisions.followed(organizationId, given);
    const versions = new Map(locked.map(({ id, version }) => [id, version]));
    const read = conversations.filter(({ id, version }) => versions.get(id) === version).map(({ id }) => id);
    const isRead = new Set(read);
    const stored = await this.database.query<StoredIssue & Record<string, unknown>>(
      'SELECT id, conversation_id AS "conversationId", text, cluster_id AS "clusterId" FROM conversation_issue WHERE organization_id = $1 AND conversation_id = ANY ($2)',
      [organizationId, read],
    );
    const asked = found
      .filter(({ conversationId }) => isRead.has(conversationId))
      .map((issue) => ({ ...issue, cluster: placed.get(issue.id) ?? null }));
    const { issues, removed } = issueChanges(stored, asked);
    await this.database.execute('DELETE FROM conversation_issue WHERE organization_id = $1 AND id = ANY ($2)', [
      organizationId,
      removed.map(({ id }) => id),
    ]);
    const written = await this.database.query<{ clusterId: string | null }>(STORE, [
      organizationId,
      model.version,
      ...(['id', 'conversationId', 'cluster', 'title', 'summary', 'text', 'language'] as const).map((name) =>
        issues.map((issue) => issue[name]),
      ),
    ]);
    await this.database.execute(
      'UPDATE conversation SET processed_at = $3 WHERE organization_id = $1 AND id = ANY ($2)',
      [organizationId, read, this.clock.now()],
    );
    const filled = await this.fill(organizationId, model.version, unplaced, placed);
    await this.analyses.recount(organizationId, [
      ...new Set([...[...removed, ...written].flatMap(({ clusterId }) => clusterId ?? []), ...filled]),
    ]);
    return issues.length - (stored.length - removed.length) + removed.length;
  }

  /** Assigns issues without a cluster to the one that the model returns, and returns the clusters that gained some. */
  private async fill(
    organizationId: string,
    version: number,
    unplaced: readonly IssueText[],
    placed: ReadonlyMap<string, string>,
  ): Promise<string[]> {
    if (unplaced.length === 0) return [];
    const rows = await this.database.query<{ clusterId: string | null }>(
      `UPDATE conversation_issue i SET cluster_id = k.id, model_version = $2
         FROM unnest($3::text[], $4::text[]) AS n (id, cluster) LEFT JOIN issues_cluster k ON k.organization_id = $1 AND k.id = n.cluster
        WHERE i.id = n.id AND i.organization_id = $1 AND i.cluster_id IS NULL RETURNING i.cluster_id AS "clusterId"`,
      [organizationId, version, unplaced.map(({ id }) => id), unplaced.map(({ id }) => placed.get(id) ?? null)],
    );
    return rows.flatMap(({ clusterId }) => clusterId ?? []);
  }

  private async leave(organizationId: string, runId: string, goesOn: boolean): Promise<void> {
    if (!(await this.lanes.holds(LANE, organizationId, runId))) return;
    const isDue = goesOn && (await this.isDue(organizationId));
    await this.lanes.leave(LANE, organizationId, isDue);
  }

  private async isDue(organizationId: string): Promise<boolean> {
    const row = await this.database.one<{ due: boolean }>(
      `SELECT EXISTS (SELECT ${PENDING}) OR EXISTS (SELECT ${UNPLACED}) AS due`,
      [organizationId],
    );
    return row?.due ?? false;
  }
}
