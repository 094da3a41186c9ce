import { Injectable } from '@nestjs/common';
import { Access } from '../access/access.service.js';
import { Clock } from '../common/clock.js';
import type { Caller } from '../common/context.js';
import { Database } from '../common/database.js';
import { DomainError, notFound } from '../common/errors.js';
import { newId } from '../common/ids.js';
import { Pages, type Page } from '../common/page.js';
import { isActive } from '../content/domain/request-status.js';
import { Lines } from '../content/lines.js';
import { Outbox } from '../platform/outbox.js';
import { userFacts } from '../users/users.schema.js';
import type { ReviewListQuery, ReviewRow, SubmitReview } from './reviews.schema.js';

const COLUMNS = `v.id, v.space_id AS "spaceId", v.change_request_id AS "changeRequestId", v.revision_id AS "revisionId", v.status,
  v.sequence < r.written_sequence AS outdated, v.created_at AS "createdAt",
  ${userFacts('u')} AS reviewer, CASE WHEN q.id IS NOT NULL THEN ${userFacts('q')} END AS "requestedBy"`;

const FROM = `FROM change_request_review v
  JOIN change_request r ON r.space_id = v.space_id AND r.id = v.change_request_id
  JOIN account u ON u.id = v.reviewer_id LEFT JOIN account q ON q.id = v.requested_by
 WHERE v.space_id = $1 AND v.change_request_id = $2`;

/** What people say of change requests: approved, or changes requested. */
@Injectable()
export class Reviews {
  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
    private readonly clock: Clock,
    private readonly access: Access,
    private readonly lines: Lines,
    private readonly outbox: Outbox,
  ) {}

  /** All reviews of a change request, newest first. */
  async list(spaceId: string, idOrNumber: string, query: ReviewListQuery): Promise<Page<ReviewRow>> {
    const { id } = await this.lines.request(spaceId, idOrNumber);
    const values = [spaceId, id, query.outdated ?? null];
    return this.pages.list<ReviewRow & Record<string, unknown>>(query, {
      scope: ['reviews', ...values],
      select: COLUMNS,
      from: `${FROM} AND ($3::boolean IS NULL OR (v.sequence < r.written_sequence) = $3)`,
      values,
      order: [
        { expression: 'v.created_at', type: 'timestamptz' },
        { expression: 'v.id', type: 'text' },
      ],
      direction: 'desc',
    });
  }

  async get(spaceId: string, idOrNumber: string, reviewId: string): Promise<ReviewRow> {
    const { id } = await this.lines.request(spaceId, idOrNumber);
    const row = await this.database.one<ReviewRow & Record<string, unknown>>(`SELECT ${COLUMNS} ${FROM} AND v.id = $3`, [spaceId, id, reviewId]);
    if (!row) throw notFound('Review');
    return row;
  }

  /**
   * Reviews a change request as it is now; that answers whoever asked for it. Throws `forbidden` for the author, `conflict`
   * where the change request is archived or merged.
   */
  async submit(caller: Caller, spaceId: string, idOrNumber: string, { status }: SubmitReview): Promise<ReviewRow> {
    const now = this.clock.now();
    const id = newId(now.getTime());
    await this.database.transaction(async () => {
      const request = await this.lines.lockRequest(spaceId, idOrNumber);
      await this.access.requireSpace(caller, spaceId, 'space:review');
      if (request.createdBy === caller.userId) throw new DomainError('forbidden', 'Nobody reviews their own change request');
      if (!isActive(request.status)) throw new DomainError('conflict', `The change request is ${request.status}: it takes no reviews`);
      await this.database.execute(
        `WITH asked AS (
           DELETE FROM requested_reviewer WHERE space_id = $2 AND change_request_id = $3 AND user_id = $4 RETURNING requested_by)
         INSERT INTO change_request_review (id, space_id, change_request_id, reviewer_id, status, revision_id, sequence, created_at, requested_by)
         SELECT $1, $2, $3, $4, $5, $6, $7, $8, (SELECT requested_by FROM asked)`,
        [id, spaceId, request.id, caller.userId, status, request.revisionId, request.sequence, now],
      );
      const { organizationId, number } = request;
      await this.outbox.record({ type: 'change_request.reviewed', organizationId, spaceId, target: request.id, payload: { number, review: id, status } });
    });
    return this.get(spaceId, idOrNumber, id);
  }
}
