import type { Viewer } from '../../kernel/access/access.service.js';
import type { Addresses } from '../../kernel/common/addresses.js';
import { Amount, Flag, Free, Id, Nested, ObjectName, OneOf, Text, Timestamp, Url } from '../../kernel/common/fields.js';
import { CommentBody, CommentTextField, type CommentText } from '../comments/comments.schema.js';
import { PageQuery } from '../../kernel/common/page-query.js';
import type { BodyFormat } from '../content/document-bodies.js';
import type { Document } from '../../formats/document/types.js';
import { AgentName, presentUserTo, UserBody, type UserFacts } from '../../identity/users/users.schema.js';

export const REVIEW_STATUSES = ['changes-requested', 'approved'] as const;
export type ReviewStatus = (typeof REVIEW_STATUSES)[number];

export class ReviewListQuery extends PageQuery {
  @OneOf(['document', 'markdown'], { optional: true, description: 'Form of the comments; Markdown when omitted' })
  format: BodyFormat = 'markdown';
  @Flag({
    optional: true,
    query: true,
    description: 'true: only reviews of content that has changed since; false: only the others',
    example: false,
  })
  outdated?: boolean;
}

export class SubmitReview {
  @OneOf(REVIEW_STATUSES) status: ReviewStatus;
  @CommentTextField({ optional: true, description: 'Becomes a comment on the change request' }) comment?: CommentText;
}

class ReviewUrls {
  @Url() location: string;
}

export class ReviewBody {
  @ObjectName('change-request-review') object: 'change-request-review';
  @Id() id: string;
  @Id({ description: 'The revision of the change request that was reviewed' }) revision: string;
  @Nested(() => UserBody) reviewer: UserBody;
  @AgentName({
    description: 'Name of the agent that reviewed for the user: such a review counts for `require_agent_review` alone',
  })
  agent?: string;
  @Nested(() => UserBody, { optional: true, description: 'User who requested the review' }) requestedBy?: UserBody;
  @OneOf(REVIEW_STATUSES) status: ReviewStatus;
  @Flag({ description: 'The content of the change request has changed since', example: false }) outdated: boolean;
  @Nested(() => CommentBody, { optional: true, description: 'Absent without one, and when it was deleted' })
  comment?: CommentBody;
  @Timestamp() createdAt: string;
  @Timestamp() updatedAt: string;
  @Nested(() => ReviewUrls) urls: ReviewUrls;
}

export interface ReviewRow {
  readonly id: string;
  readonly spaceId: string;
  readonly changeRequestId: string;
  readonly revisionId: string;
  readonly status: ReviewStatus;
  readonly outdated: boolean;
  readonly createdAt: Date;
  readonly reviewer: UserFacts;
  readonly agent: string | null;
  readonly requestedBy: UserFacts | null;
}

/** A review with its comment, in the requested form. */
export interface CommentedReview extends ReviewRow {
  readonly comment: CommentBody | undefined;
}

export function presentReview(row: CommentedReview, viewer: Viewer, addresses: Addresses): ReviewBody {
  return {
    object: 'change-request-review',
    id: row.id,
    revision: row.revisionId,
    reviewer: presentUserTo(viewer, row.reviewer, addresses),
    ...(row.requestedBy && { requestedBy: presentUserTo(viewer, row.requestedBy, addresses) }),
    ...(row.agent !== null && { agent: row.agent }),
    status: row.status,
    outdated: row.outdated,
    ...(row.comment && { comment: row.comment }),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.createdAt.toISOString(),
    urls: {
      location: addresses.location(`/spaces/${row.spaceId}/change-requests/${row.changeRequestId}/reviews/${row.id}`),
    },
  };
}

export class RequestReviewers {
  @Id({
    list: true,
    minItems: 1,
    maxItems: 50,
    description: 'Members who can read the space, and not the author',
    example: ['AbCdEfGh0123456789Xy'],
  })
  users: string[];
  @Text({ optional: true, max: 100, example: 'Explain the installation' }) subject?: string;
  @Free({ optional: true, example: { object: 'document', data: { schemaVersion: 8 }, nodes: [] } })
  description?: Document;
}

export class RequestedReviewerBody {
  @ObjectName('change-request-requested-reviewer') object: 'change-request-requested-reviewer';
  @Id({ description: 'The revision of the change request for which the review was asked' }) revision: string;
  @Nested(() => UserBody) requestedBy: UserBody;
  @Timestamp() createdAt: string;
  @OneOf(['user']) kind: 'user';
  @Nested(() => UserBody) user: UserBody;
}

export class RequestedReviewersBody {
  @Nested(() => RequestedReviewerBody, { optional: true, list: true, description: 'Those whom the request names' })
  users?: RequestedReviewerBody[];
}

export interface RequestedReviewerRow {
  readonly revisionId: string;
  readonly createdAt: Date;
  readonly user: UserFacts;
  readonly requestedBy: UserFacts;
}

export function presentRequestedReviewer(
  row: RequestedReviewerRow,
  viewer: Viewer,
  addresses: Addresses,
): RequestedReviewerBody {
  return {
    object: 'change-request-requested-reviewer',
    revision: row.revisionId,
    requestedBy: presentUserTo(viewer, row.requestedBy, addresses),
    createdAt: row.createdAt.toISOString(),
    kind: 'user',
    user: presentUserTo(viewer, row.user, addresses),
  };
}

export class ContributorBody {
  @Timestamp({ description: 'Time of the last contribution' }) updatedAt: string;
  @Amount({ min: 1, description: 'Contributions of this kind' }) count: number;
  @Nested(() => UserBody) user: UserBody;
  @OneOf(['edit', 'comment']) actionType: 'edit' | 'comment';
}

export interface ContributorRow {
  readonly updatedAt: Date;
  readonly count: number;
  readonly actionType: 'edit' | 'comment';
  readonly user: UserFacts;
}

export function presentContributor(
  { updatedAt, count, user, actionType }: ContributorRow,
  viewer: Viewer,
  addresses: Addresses,
): ContributorBody {
  return { updatedAt: updatedAt.toISOString(), count, user: presentUserTo(viewer, user, addresses), actionType };
}
