import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError } from '../../kernel/common/errors.js';
import { newId } from '../../kernel/common/ids.js';
import { Lanes } from '../../kernel/platform/jobs/lanes.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { TaskLimitExceeded, WorkerPool } from '../../kernel/platform/workers/worker-pool.js';
import { batchesOf, PREPARE_CONVERSATIONS, ReadingPlace } from './conversation-tasks.js';
import type { ConversationInput } from './domain/conversation.js';
import type { GivenConversation } from './ingest.schema.js';
import { ConversationsSettings } from './settings.service.js';

const MAX_SOURCES = 100;

/**
 * Rows are locked in the order of their ids, so that the same conversations can be ingested concurrently. Unchanged
 * conversations are not written, and issues are derived again only after changes. Times in the future are set to now:
 * otherwise the conversation would be kept forever.
 */
const UPSERT = `INSERT INTO conversation AS c (id, organization_id, source_id, external_id, subject, parts, metadata, created_at, ingested_at)
  SELECT n.id, $1, $2, n.external_id, n.subject, n.parts, n.metadata, least(n.created_at, $3), $3
    FROM unnest($4::text[], $5::text[], $6::text[], $7::jsonb[], $8::jsonb[], $9::timestamptz[]) AS n (id, external_id, subject, parts, metadata, created_at)
  ON CONFLICT (source_id, external_id) DO UPDATE SET subject = excluded.subject, parts = excluded.parts, metadata = excluded.metadata, ingested_at = excluded.ingested_at, version = c.version + 1,
         created_at = CASE WHEN excluded.metadata ? 'createdAt' THEN excluded.created_at ELSE c.created_at END,
         processed_at = CASE WHEN (c.subject, c.parts) IS NOT DISTINCT FROM (excluded.subject, excluded.parts)
                              AND (NOT excluded.metadata ? 'createdAt' OR excluded.created_at = c.created_at) THEN c.processed_at END
   WHERE (c.subject, c.parts, c.metadata) IS DISTINCT FROM (excluded.subject, excluded.parts, excluded.metadata)
  RETURNING xmax = 0 AS "isNew", processed_at IS NULL AS "isPending"`;

/** Conversations in stored form. */
interface Prepared {
  readonly isRedacted: boolean;
  readonly conversations: readonly ConversationInput[];
}

/**
 * Ingests conversations: clean, and without personal data if the organization requires it. No other form of them is
 * ever written.
 */
@Injectable()
export class Ingestion {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly lanes: Lanes,
    private readonly settings: ConversationsSettings,
    private readonly workers: WorkerPool,
  ) {}

  /**
   * Adds conversations of a source or replaces them by id, all of them or none; of several with one id the last one
   * counts. Throws 422 for a text that takes more time or memory to read than allowed.
   */
  async ingest(organizationId: string, source: string, conversations: readonly GivenConversation[]): Promise<void> {
    if (conversations.length === 0) return;
    while (!(await this.store(organizationId, source, await this.prepare(organizationId, conversations))));
  }

  /**
   * Stores prepared conversations; false if they still contain personal data, and the organization requires redaction
   * by now.
   */
  private store(organizationId: string, source: string, { isRedacted, conversations }: Prepared): Promise<boolean> {
    return this.database.transaction(async () => {
      if (!isRedacted && (await this.settings.redacts(organizationId, 'FOR SHARE'))) return false;
      const sourceId = await this.source(organizationId, source);
      const now = this.clock.now();
      const rows = await this.database.query<{ isNew: boolean; isPending: boolean }>(UPSERT, [
        organizationId,
        sourceId,
        now,
        conversations.map(() => newId(now.getTime())),
        conversations.map(({ id }) => id),
        conversations.map(({ subject }) => subject ?? null),
        conversations.map(({ parts }) => JSON.stringify(parts.map(({ role, body }) => ({ role, body })))),
        conversations.map(({ metadata }) => JSON.stringify(metadata)),
        // In UTC: the database does not support all offsets.
        conversations.map(({ metadata: { createdAt } }) =>
          createdAt === undefined ? null : new Date(createdAt).toISOString(),
        ),
      ]);
      if (rows.length === 0) return true;
      const created = rows.filter(({ isNew }) => isNew).length;
      await this.outbox.record({
        type: 'conversations_ingested',
        organizationId,
        target: organizationId,
        payload: { source, created, updated: rows.length - created },
      });
      if (rows.some(({ isPending }) => isPending)) await this.lanes.wake('conversations.derive', organizationId);
      return true;
    });
  }

  /** Conversations in stored form, without duplicates, in the order of their ids. */
  private async prepare(organizationId: string, conversations: readonly GivenConversation[]): Promise<Prepared> {
    const isRedacted = await this.settings.redacts(organizationId);
    const once = [...new Map(conversations.map((each) => [each.id, each]))]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, conversation]) => conversation);
    const prepared: ConversationInput[] = [];
    for (const batch of batchesOf(once)) prepared.push(...(await this.prepareSome(batch, isRedacted)));
    return { isRedacted, conversations: prepared };
  }

  private async prepareSome(
    batch: readonly GivenConversation[],
    isRedacted: boolean,
  ): Promise<readonly ConversationInput[]> {
    const place = new ReadingPlace();
    try {
      return await this.workers.run(PREPARE_CONVERSATIONS, {
        conversations: batch.map(({ place: _, ...conversation }) => conversation),
        isRedacted,
        place: place.memory,
      });
    } catch (error) {
      if (!(error instanceof TaskLimitExceeded)) throw error;
      const parts = [...(batch[place.conversation]?.place ?? []), 'parts'];
      throw error.at((place.part === undefined ? parts : [...parts, place.part, 'body']).join('.'));
    }
  }

  /** The id of a source, created if it is new; it cannot be deleted before the end of the transaction. */
  private async source(organizationId: string, name: string): Promise<string> {
    for (;;) {
      const known = await this.database.one<{ id: string }>(
        'SELECT id FROM conversation_source WHERE organization_id = $1 AND name = $2 AND deleted_at IS NULL FOR SHARE',
        [organizationId, name],
      );
      if (known) return known.id;
      const now = this.clock.now();
      const held = await this.database.one<{ count: number }>(
        'SELECT count(*)::int AS count FROM conversation_source WHERE organization_id = $1 AND deleted_at IS NULL',
        [organizationId],
      );
      if ((held?.count ?? 0) >= MAX_SOURCES)
        throw new DomainError('conflict', `An organization has ${MAX_SOURCES} sources of conversations at most`);
      await this.database.execute(
        'INSERT INTO conversation_source (id, organization_id, name, created_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
        [newId(now.getTime()), organizationId, name, now],
      );
    }
  }
}
