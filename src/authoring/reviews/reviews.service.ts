import { Injectable } from '@nestjs/common';
import { Access, type SpaceAccess } from '../../kernel/access/access.service.js';
import { CommentReader } from '../comments/comment-reader.js';
import { COMMENT_BYTES } from '../comments/comments.statements.js';
import { Comments } from '../comments/comments.service.js';
import { Clock } from '../../kernel/common/clock.js';
import type { Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, notFound } from '../../kernel/common/errors.js';
import { newId } from '../../kernel/common/ids.js';
import { Pages, type Page } from '../../kernel/common/page.js';
import type { BodyFormat } from '../content/document-bodies.js';
import { ContentPlaces, type ContentPlace } from '../content/content-places.js';
import { isActive } from '../content/domain/request-status.js';
import { ContentLines } from '../content/content-lines.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { userFacts } from '../../identity/users/users.schema.js';
import type { CommentedReview, ReviewListQuery, ReviewRow, SubmitReview } from './reviews.schema.js';

const COLUMNS = `v.id, v.space_id AS "spaceId", v.change_request_id AS "changeRequestId", v.revision_id AS "revisionId", v.status,
  v.sequence < r.written_sequence AS outdated, v.created_at AS "createdAt", v.agent,
  ${userFacts('u')} AS reviewer, CASE WHEN q.id IS NOT NULL THEN ${userFacts('q')} END AS "requestedBy"`;

const FROM = `FROM change_request_review v
  JOIN change_request r ON r.space_id = v.space_id AND r.id = v.change_request_id
  JOIN account u ON u.id = v.reviewer_id LEFT JOIN account q ON q.id = v.requested_by
 WHERE v.space_id = $1 AND v.change_request_id = $2`;

/**
 * Completes the request of the reviewer, unless an agent reviews for them. The times of reviews follow the order of the lock, whatever the clocks of
 * servers: the last one counts.
 */
const INSERT = `WITH asked AS (
    DELETE FROM requested_reviewer WHERE space_id = $2 AND change_request_id = $3 AND user_id = $4 AND $9::text IS NULL RETURNING requested_by)
  INSERT INTO change_request_review (id, space_id, change_request_id, reviewer_id, status, revision_id, sequence, created_at, requested_by, agent)
  SELECT $1, $2, $3, $4, $5, $6, $7,
         greatest($8::timestamptz, (SELECT max(created_at) + interval '1 millisecond' FROM change_request_review WHERE space_id = $2 AND change_request_id = $3)),
         (SELECT requested_by FROM asked), $9`;

/** Reviews of change requests: approved, or changes requested. */
@Injectable()
export class Reviews {
  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
    private readonly clock: Clock,
    private readonly access: Access,
    private readonly lines: ContentLines,
    private readonly places: ContentPlaces,
    private readonly comments: Comments,
    private readonly commentReader: CommentReader,
    private readonly outbox: Outbox,
  ) {}

  /** All reviews of a change request, newest first. */
  async list(
    caller: Caller,
    space: SpaceAccess,
    changeRequestId: string,
    { format, outdated, ...request }: ReviewListQuery,
  ): Promise<Page<CommentedReview>> {
    const place = await this.places.at(space, { changeRequestId });
    const values = [space.id, place.point.line, outdated ?? null];
    const page = await this.pages.list<ReviewRow & Record<string, unknown>>(request, {
      scope: ['reviews', ...values],
      select: COLUMNS,
      from: `${FROM} AND ($3::boolean IS NULL OR (v.sequence < r.written_sequence) = $3)`,
      values,
      bytes: `coalesce((SELECT ${COMMENT_BYTES} FROM comment c WHERE c.space_id = v.space_id AND c.review_id = v.id), 0)`,
      order: [
        { expression: 'v.created_at', type: 'timestamptz' },
        { expression: 'v.id', type: 'text' },
      ],
      direction: 'desc',
    });
    return page.with(await this.withComments(caller, place, page.items, format));
  }

  async get(
    caller: Caller,
    space: SpaceAccess,
    changeRequestId: string,
    reviewId: string,
    format: BodyFormat,
  ): Promise<CommentedReview> {
    const place = await this.places.at(space, { changeRequestId });
    const rows = await this.database.query<ReviewRow & Record<string, unknown>>(
      `SELECT ${COLUMNS} ${FROM} AND v.id = $3`,
      [space.id, place.point.line, reviewId],
    );
    const [review] = await this.withComments(caller, place, rows, format);
    if (!review) throw notFound('Review');
    return review;
  }

  /**
   * Reviews the current state of a change request, with an optional comment; this completes a request for the review.
   * Throws `forbidden` for the author, `conflict` if the change request is archived or merged.
   */
  async submit(
    caller: Caller,
    space: SpaceAccess,
    changeRequestId: string,
    { status, comment }: SubmitReview,
    format: BodyFormat,
  ): Promise<CommentedReview> {
    const spaceId = space.id;
    const now = this.clock.now();
    const id = newId(now.getTime());
    await this.database.transaction(async () => {
      const request = await this.lines.lockRequest(spaceId, changeRequestId);
      await this.access.requireSpace(caller, spaceId, 'space:review');
      if (request.createdBy === caller.userId)
        throw new DomainError('forbidden', 'Authors cannot review their own change requests');
      if (!isActive(request.status))
        throw new DomainError('conflict', `The change request is ${request.status}: it accepts no reviews`);
      await this.database.execute(INSERT, [
        id,
        spaceId,
        request.id,
        caller.userId,
        status,
        request.revisionId,
        request.sequence,
        now,
        caller.agent ?? null,
      ]);
      if (comment)
        await this.comments.post(
          caller,
          await this.places.at(space, { changeRequestId }),
          { body: comment },
          { review: id, path: 'comment' },
        );
      const { organizationId, number } = request;
      await this.outbox.record({
        type: 'change_request_reviewed',
        organizationId,
        spaceId,
        target: request.id,
        payload: { number, reviewId: id, status },
      });
    });
    return this.get(caller, space, changeRequestId, id, format);
  }

  private async withComments(
    caller: Caller,
    place: ContentPlace,
    rows: readonly ReviewRow[],
    format: BodyFormat,
  ): Promise<CommentedReview[]> {
    const comments = await this.commentReader.ofReviews(
      caller,
      place,
      rows.map(({ id }) => id),
      format,
    );
    return rows.map((row) => ({ ...row, comment: comments.get(row.id) }));
  }
}
