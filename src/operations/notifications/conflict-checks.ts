import { Injectable, type OnModuleInit } from '@nestjs/common';
import { MergeConflicts } from '../../authoring/change-requests/merge-conflicts.service.js';
import { NOTHING_HIDDEN } from '../../authoring/content/content-store.js';
import { Database } from '../../kernel/common/database.js';
import { databaseTime } from '../../kernel/common/database-time.js';
import { DomainError } from '../../kernel/common/errors.js';
import type { JobRun } from '../../kernel/platform/jobs/job-run.js';
import { Jobs } from '../../kernel/platform/jobs/jobs.js';
import type { OutboxEvent } from '../../kernel/platform/outbox.js';
import { ConflictCheck } from './conflict-check.entity.js';
import { NotificationWriter } from './notification-writer.js';
import { choiceOf, type Recipient } from './recipients.statements.js';

/** Change requests that one check merges, the latest first. */
const CHECKED = 50;
/** Seconds in which the revisions of a space become one check. */
const DELAY = 5;

/** Spaces without any change request that could get into conflict need no check. */
const NOTE = `INSERT INTO conflict_check (space_id, from_sequence, to_sequence, noted_at)
  SELECT v.space_id, min(v.sequence), max(v.sequence), ${databaseTime()} FROM unnest($1::text[], $2::text[]) AS n (space_id, revision_id)
    JOIN revision v ON v.space_id = n.space_id AND v.id = n.revision_id
   WHERE EXISTS (SELECT FROM change_request r WHERE r.space_id = v.space_id AND r.status IN ('draft', 'open'))
   GROUP BY 1 ORDER BY 1
  ON CONFLICT (space_id) DO UPDATE SET from_sequence = least(conflict_check.from_sequence, excluded.from_sequence), to_sequence = greatest(conflict_check.to_sequence, excluded.to_sequence)
  RETURNING space_id AS "spaceId", xmax = 0 AS added`;

/** The name of the conflict of a change request `r` with primary content that is newer than its base. */
const CONFLICT = `'conflict-' || r.id || '-' || r.base_sequence`;

/** The items of the change request `r` that revisions from the sequence `$2` have changed on the primary line as well. */
const SHARED_ITEMS = `FROM content_item i JOIN content_undo u ON u.space_id = i.space_id AND u.line = '' AND u.kind = i.kind AND u.id = i.id AND u.sequence > greatest(r.base_sequence, $2 - 1)
  WHERE i.space_id = r.space_id AND i.line = r.id`;

/** Change requests that touch what has changed since, and whose authors have not been told of a conflict with this base. */
const TOUCHED = `SELECT r.id FROM change_request r
  WHERE r.space_id = $1 AND r.status IN ('draft', 'open') AND EXISTS (SELECT ${SHARED_ITEMS})
    AND NOT EXISTS (SELECT FROM notification n WHERE n.event_id = ${CONFLICT} AND n.user_id = r.created_by)
  ORDER BY r.updated_at DESC, r.id LIMIT ${CHECKED}`;

/** The authors of change requests `$3` in conflict, unless they made the change themselves. The latest revision is what they are told of. */
const AUTHORS = `SELECT ${CONFLICT} AS "eventId", u.id AS "userId", 'conflict' AS kind, cause.at, s.id AS "spaceId", NULL AS "siteId", r.id AS "changeRequestId", NULL AS "commentId", NULL AS "pageId",
    NULL AS "subjectId", NULL AS outcome, cause.author_id AS "actorId", ${choiceOf('u.id')} AS choice, u.email_verified AS verified
  FROM change_request r JOIN space s ON s.id = r.space_id AND s.deleted_at IS NULL
  JOIN account u ON u.id = r.created_by AND NOT u.disabled
 CROSS JOIN LATERAL (SELECT v.author_id, v.created_at AS at FROM revision v
   WHERE v.space_id = r.space_id AND v.line = '' AND v.sequence = (SELECT max(u.sequence) ${SHARED_ITEMS})) cause
 CROSS JOIN LATERAL space_access(u.id, ARRAY[s.id]) a
 WHERE r.space_id = $1 AND r.id = ANY ($3) AND a.role > 'none' AND cause.author_id IS DISTINCT FROM u.id ORDER BY u.id, r.id`;

const ROUSE = `UPDATE conflict_check SET noted_at = ${databaseTime()} WHERE noted_at < now() - interval '1 hour' RETURNING space_id AS id`;

interface Check extends Record<string, unknown> {
  readonly from: string;
  readonly to: string;
}

/** Finds out which change requests new primary content brings into conflict, and tells their authors. */
@Injectable()
export class ConflictChecks implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly jobs: Jobs,
    private readonly conflicts: MergeConflicts,
    private readonly writer: NotificationWriter,
  ) {}

  onModuleInit(): void {
    this.jobs.handle('notifications.find-conflicts', ({ space }, run) => this.find(space, run));
  }

  /** Notes what new primary content has to be compared with, in the transaction that takes the events. */
  async note(events: readonly OutboxEvent[]): Promise<void> {
    const updates = events.flatMap((event) =>
      event.type === 'space_content_updated' && event.spaceId !== null
        ? [{ space: event.spaceId, revision: event.payload.revisionId }]
        : [],
    );
    if (updates.length === 0) return;
    const noted = await this.database.query<{ spaceId: string; added: boolean }>(NOTE, [
      updates.map(({ space }) => space),
      updates.map(({ revision }) => revision),
    ]);
    for (const { spaceId, added } of noted)
      if (added) await this.jobs.enqueue('notifications.find-conflicts', { space: spaceId }, { afterSeconds: DELAY });
  }

  /** Compares the change requests that touch what has changed; revisions that came meanwhile are left to another job. */
  private async find(spaceId: string, run: JobRun): Promise<void> {
    const check = await this.database.one<Check>(
      'SELECT from_sequence AS "from", to_sequence AS "to" FROM conflict_check WHERE space_id = $1',
      [spaceId],
    );
    if (!check) return;
    const touched = await this.database.query<{ id: string }>(TOUCHED, [spaceId, check.from]);
    const found: string[] = [];
    for (const { id } of touched) {
      run.signal.throwIfAborted();
      if (await this.isInConflict(spaceId, id)) found.push(id);
    }
    await run.commit(async () => {
      if (found.length > 0)
        await this.writer.tell(await this.database.query<Recipient>(AUTHORS, [spaceId, check.from, found]));
      const done = await this.database.of(ConflictCheck).delete({ spaceId, toSequence: check.to });
      if (done.affected) return;
      await this.database.execute(
        `UPDATE conflict_check SET from_sequence = $2::bigint + 1, noted_at = ${databaseTime()} WHERE space_id = $1`,
        [spaceId, check.to],
      );
      await this.jobs.enqueue('notifications.find-conflicts', { space: spaceId }, { afterSeconds: DELAY });
    });
  }

  /** Enqueues the jobs of checks again that have waited for longer than their attempts take. */
  async rouse(): Promise<void> {
    await this.database.transaction(async () => {
      const waiting = await this.database.query<{ id: string }>(ROUSE);
      for (const { id } of waiting) await this.jobs.enqueue('notifications.find-conflicts', { space: id });
    });
  }

  /** False for change requests that have gone, and for those that take more time or memory to merge than they may. */
  private async isInConflict(spaceId: string, id: string): Promise<boolean> {
    try {
      return (await this.conflicts.list({ id: spaceId, hiddenPages: NOTHING_HIDDEN }, id, { limit: 0 })).page.count > 0;
    } catch (error) {
      if (error instanceof DomainError && error.code !== 'unavailable') return false;
      throw error;
    }
  }
}
