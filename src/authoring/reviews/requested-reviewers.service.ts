import { Injectable } from '@nestjs/common';
import { Access, type SpaceAccess } from '../../kernel/access/access.service.js';
import { ChangeRequests } from '../change-requests/change-requests.service.js';
import { Clock } from '../../kernel/common/clock.js';
import type { Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, invalid, notFound } from '../../kernel/common/errors.js';
import { Pages, type Page, type PageRequest } from '../../kernel/common/page.js';
import { isActive } from '../content/domain/request-status.js';
import { ContentLines } from '../content/content-lines.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { userFacts } from '../../identity/users/users.schema.js';
import { RequestedReviewer } from './requested-reviewer.entity.js';
import type { RequestedReviewerRow, RequestReviewers } from './reviews.schema.js';

const COLUMNS = `q.revision_id AS "revisionId", q.created_at AS "createdAt", ${userFacts('u')} AS "user", ${userFacts('b')} AS "requestedBy"`;

const FROM = `FROM requested_reviewer q JOIN account u ON u.id = q.user_id JOIN account b ON b.id = q.requested_by
 WHERE q.space_id = $1 AND q.change_request_id = $2`;

/** The users among $2 who can read the space $1. */
const READERS = `SELECT u.id FROM unnest($2::text[]) AS asked (id) JOIN account u ON u.id = asked.id AND NOT u.disabled
  CROSS JOIN LATERAL space_access(u.id, ARRAY[$1]::text[]) a WHERE a.role > 'none'`;

/** The pending review requests of a change request. */
@Injectable()
export class RequestedReviewers {
  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
    private readonly clock: Clock,
    private readonly access: Access,
    private readonly lines: ContentLines,
    private readonly requests: ChangeRequests,
    private readonly outbox: Outbox,
  ) {}

  async list(spaceId: string, idOrNumber: string, query: PageRequest): Promise<Page<RequestedReviewerRow>> {
    const { id } = await this.lines.request(spaceId, idOrNumber);
    return this.pages.list<RequestedReviewerRow & Record<string, unknown>>(query, {
      scope: ['requested-reviewers', spaceId, id],
      select: COLUMNS,
      from: FROM,
      values: [spaceId, id],
      order: [
        { expression: 'q.created_at', type: 'timestamptz' },
        { expression: 'q.user_id', type: 'text' },
      ],
      direction: 'desc',
    });
  }

  /**
   * Requests reviews from people, which opens a draft; returns the requests to them, including existing ones. Throws
   * `invalid` for the author and for people who cannot read the space, `conflict` if the change request is archived or
   * merged.
   */
  async request(
    caller: Caller,
    space: SpaceAccess,
    idOrNumber: string,
    { users, subject, description }: RequestReviewers,
  ): Promise<RequestedReviewerRow[]> {
    return this.database.transaction(async () => {
      await this.holdReaders(space, users);
      const request = await this.lines.lockRequest(space.id, idOrNumber);
      if (!isActive(request.status))
        throw new DomainError('conflict', `The change request is ${request.status}: it accepts no reviews`);
      const author = users.indexOf(request.createdBy);
      if (author >= 0) throw invalid(`users.${author}`, 'is the author, who cannot review their own change request');
      await this.requests.update(caller, space.id, request.id, {
        ...(subject !== undefined && { subject }),
        ...(description !== undefined && { description }),
        ...(request.status === 'draft' && { status: 'open' }),
      });
      const added = await this.database.query<{ id: string }>(
        `INSERT INTO requested_reviewer (space_id, change_request_id, user_id, requested_by, revision_id, created_at)
         SELECT DISTINCT $1, $2, asked.id, $4, $5, $6::timestamptz FROM unnest($3::text[]) AS asked (id) ON CONFLICT DO NOTHING RETURNING user_id AS id`,
        [space.id, request.id, users, caller.userId, request.revisionId, this.clock.now()],
      );
      if (added.length > 0)
        await this.record(
          'change_request_review_requested',
          request,
          added.map(({ id }) => id),
        );
      return this.database.query<RequestedReviewerRow & Record<string, unknown>>(
        `SELECT ${COLUMNS} ${FROM} AND q.user_id = ANY ($3) ORDER BY array_position($3::text[], q.user_id)`,
        [space.id, request.id, users],
      );
    });
  }

  /** Withdraws a request; does nothing if there is none. */
  async remove(caller: Caller, spaceId: string, idOrNumber: string, userId: string): Promise<void> {
    await this.database.transaction(async () => {
      const request = await this.lines.lockRequest(spaceId, idOrNumber);
      await this.access.requireSpace(caller, spaceId, 'space:propose');
      const { affected } = await this.database
        .of(RequestedReviewer)
        .delete({ spaceId, changeRequestId: request.id, userId });
      if (affected) await this.record('change_request_review_request_removed', request, [userId]);
    });
  }

  /**
   * Locks the membership of people, and the space, until the transaction ends: people who are removed or lose the space
   * by a transfer afterwards lose these requests. Throws `invalid` for people who cannot read the space.
   */
  private async holdReaders({ id, organizationId }: SpaceAccess, users: readonly string[]): Promise<void> {
    await this.database.execute(
      'SELECT FROM member WHERE organization_id = $1 AND user_id = ANY ($2) ORDER BY user_id FOR KEY SHARE',
      [organizationId, users],
    );
    const space = await this.database.one('SELECT FROM space WHERE id = $1 AND organization_id = $2 FOR KEY SHARE', [
      id,
      organizationId,
    ]);
    if (!space) throw notFound('Space');
    const readers = await this.database.query<{ id: string }>(READERS, [id, users]);
    const missing = users.findIndex((user) => !readers.some((reader) => reader.id === user));
    if (missing >= 0) throw invalid(`users.${missing}`, 'is not a person who can read the space');
  }

  private record(
    type: 'change_request_review_requested' | 'change_request_review_request_removed',
    request: {
      readonly id: string;
      readonly spaceId: string;
      readonly organizationId: string;
      readonly number: number;
    },
    users: readonly string[],
  ): Promise<string> {
    const { organizationId, spaceId, number } = request;
    return this.outbox.record({
      type,
      organizationId,
      spaceId,
      target: request.id,
      payload: { number, userIds: users },
    });
  }
}
