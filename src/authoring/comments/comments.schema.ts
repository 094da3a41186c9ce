import type { Viewer } from '../../kernel/access/access.service.js';
import { allows, type Rights } from '../../kernel/access/permissions.js';
import type { Addresses } from '../../kernel/common/addresses.js';
import {
  Amount,
  Flag,
  Free,
  Id,
  Nested,
  ObjectName,
  OneOf,
  Repeated,
  Text,
  Timestamp,
  Url,
} from '../../kernel/common/fields.js';
import { OrderedPageQuery, PageQuery } from '../../kernel/common/page-query.js';
import { versioned } from '../../kernel/common/versioned.js';
import type { BodyFormat, ShownBody } from '../content/document-bodies.js';
import { DocumentUnion } from '../content/document-union.js';
import type { Block, Document } from '../../formats/document/types.js';
import { AgentName, presentUserTo, UserBody, type UserFacts } from '../../identity/users/users.schema.js';

const MAX_MARKDOWN = 20_000;
const EMOJI = '1f44d';
const TEXT_EXAMPLE = { markdown: 'Does this hold for **all** plans?' };

export class CommentText {
  @Text({ optional: true, max: MAX_MARKDOWN, example: TEXT_EXAMPLE.markdown }) markdown?: string;
  @Free({ optional: true, example: { object: 'document', data: { schemaVersion: 8 }, nodes: [] } }) document?: Document;
}

/** The text of a comment or reply. */
export function CommentTextField(
  options: { readonly optional?: boolean; readonly description?: string } = {},
): PropertyDecorator {
  return DocumentUnion(() => CommentText, { ...options, example: TEXT_EXAMPLE });
}

export class TableCell {
  @Text({ min: 1, max: 200, description: 'The row', example: 'AbCdEfGh01' }) record: string;
  @Text({ min: 1, max: 200, description: 'The column', example: 'AbCdEfGh02' }) definition: string;
}

const SIDES = ['before', 'after'] as const;
type Side = (typeof SIDES)[number];

class SuggestedText {
  @Text({
    max: MAX_MARKDOWN,
    description: 'Markdown in the place of the block; links are those of the page. An empty text takes the block away',
    example: 'This holds for all plans.',
  })
  markdown: string;
}

export class PostComment {
  @CommentTextField() body: CommentText;
  @Id({ optional: true, description: 'The page that the comment is about' }) page?: string;
  @Text({ optional: true, min: 1, max: 200, description: 'The key of a block of the page', example: 'AbCdEfGh01' })
  node?: string;
  @Nested(() => TableCell, { optional: true, description: 'A cell of that block, where it is a table' })
  tableCell?: TableCell;
  @OneOf(SIDES, {
    optional: true,
    description:
      'In a change request, with `node`: whether the block is one of the content that it is compared with, or its own; `after` when omitted',
  })
  side?: Side;
  @Nested(() => SuggestedText, {
    optional: true,
    description: 'In a change request, with `node`: what should stand in the place of the block',
  })
  suggestion?: SuggestedText;
}

export class PostReply {
  @CommentTextField() body: CommentText;
}

export class UpdateReply {
  @CommentTextField({ optional: true }) body?: CommentText;
  @Text({
    optional: true,
    list: true,
    min: 1,
    max: 100,
    maxItems: 50,
    example: [EMOJI],
    description: 'Emoji, as codes or characters, with which the caller reacts',
  })
  addedReactions?: string[];
  @Text({
    optional: true,
    list: true,
    min: 1,
    max: 100,
    maxItems: 50,
    example: [EMOJI],
    description: 'Reactions of the caller that go',
  })
  removedReactions?: string[];
}

export class UpdateComment extends UpdateReply {
  @Flag({ optional: true, description: 'The discussion is settled' }) resolved?: boolean;
}

const FORMAT = { optional: true, description: 'Form of the bodies; Markdown when omitted' } as const;

export class FormatQuery {
  @OneOf(['document', 'markdown'], FORMAT) format: BodyFormat = 'markdown';
}

export class CommentListQuery extends OrderedPageQuery {
  @OneOf(['all', 'open', 'resolved'], { optional: true, default: 'all' }) status: 'all' | 'open' | 'resolved' = 'all';
  @Id({ optional: true, description: 'Only comments on this page' }) targetPage?: string;
  @Repeated()
  @Id({ optional: true, list: true, maxItems: 100, description: 'Only comments that these users posted' })
  authors?: string[];
  @OneOf(['document', 'markdown'], FORMAT) format: BodyFormat = 'markdown';
}

export class ReplyListQuery extends PageQuery {
  @OneOf(['document', 'markdown'], FORMAT) format: BodyFormat = 'markdown';
}

class LocationUrl {
  @Url() location: string;
}

class CommentPermissions {
  @Flag() view: boolean;
  @Flag({ description: 'The body may be changed' }) edit: boolean;
  @Flag() reply: boolean;
  @Flag() delete: boolean;
}

class UserReaction {
  @Nested(() => UserBody) user: UserBody;
  @Timestamp() reactedAt: string;
}

class EmojiReaction {
  @Text({ example: EMOJI, description: 'The code of the emoji' }) emoji: string;
  @Amount({ min: 1 }) count: number;
  @Nested(() => UserReaction, { list: true, description: 'First come first' }) users: UserReaction[];
}

class UserContributor {
  @Timestamp({ description: 'Time of the latest reply, or of its latest change' }) updatedAt: string;
  @Amount({ min: 1, description: 'Replies of the user' }) count: number;
  @Nested(() => UserBody) user: UserBody;
}

class NodeTarget {
  @Text({ example: 'AbCdEfGh01' }) id: string;
}

class PageTarget {
  @Id() id: string;
}

class CommentTarget {
  @Nested(() => NodeTarget, { optional: true }) node?: NodeTarget;
  @Nested(() => TableCell, { optional: true }) tableCell?: TableCell;
  @OneOf(SIDES, { optional: true, description: 'The side of the comparison that has the block, as it was given' })
  side?: Side;
  @Id({ optional: true }) changeRequest?: string;
  @Id({ optional: true, description: 'The review that the comment belongs to' }) review?: string;
  @Nested(() => PageTarget, { optional: true }) page?: PageTarget;
  @Id() space: string;
  @Id({ description: 'Revision of the content when the comment was posted' }) revision: string;
}

const SUGGESTION_STATUSES = ['open', 'applied', 'outdated'] as const;

class CommentSuggestion {
  @Text({ example: 'This holds for all plans.\n' }) markdown: string;
  @Text({ description: 'The block when the suggestion was made', example: 'This holds.\n' }) before: string;
  @OneOf(SUGGESTION_STATUSES, { description: '`outdated` once the block is another one than when it was made' })
  status: (typeof SUGGESTION_STATUSES)[number];
  @Nested(() => UserBody, { optional: true }) appliedBy?: UserBody;
  @Timestamp({ optional: true }) appliedAt?: string;
}

export class CommentReplyBody {
  @ObjectName('comment-reply') object: 'comment-reply';
  @Id() id: string;
  @Nested(() => UserBody) postedBy: UserBody;
  @AgentName() agent?: string;
  @Timestamp() postedAt: string;
  @Timestamp({ optional: true, description: 'When the body was last changed' }) editedAt?: string;
  @Nested(() => EmojiReaction, { list: true, example: [] }) reactions: EmojiReaction[];
  @CommentTextField() body: ShownBody;
  @Nested(() => LocationUrl) urls: LocationUrl;
  @Nested(() => CommentPermissions) permissions: CommentPermissions;
}

export class CommentBody {
  @ObjectName('comment') object: 'comment';
  @Id() id: string;
  @Nested(() => UserBody) postedBy: UserBody;
  @AgentName() agent?: string;
  @Timestamp() postedAt: string;
  @Timestamp({ optional: true, description: 'When the body was last changed' }) editedAt?: string;
  @OneOf(['open', 'resolved']) status: 'open' | 'resolved';
  @Timestamp({ optional: true }) resolvedAt?: string;
  @Nested(() => UserBody, { optional: true }) resolvedBy?: UserBody;
  @Nested(() => EmojiReaction, { list: true, example: [] }) reactions: EmojiReaction[];
  @Amount({ min: 0, example: 0 }) replies: number;
  @Nested(() => UserContributor, {
    list: true,
    example: [],
    description: 'Everybody who replied, in the order in which they joined in',
  })
  repliers: UserContributor[];
  @CommentTextField() body: ShownBody;
  @Nested(() => CommentTarget) target: CommentTarget;
  @Nested(() => CommentSuggestion, {
    optional: true,
    description: 'Text that the comment suggests instead of its block',
  })
  suggestion?: CommentSuggestion;
  @Nested(() => LocationUrl) urls: LocationUrl;
  @Nested(() => CommentPermissions) permissions: CommentPermissions;
}

interface ReactionRow {
  readonly emoji: string;
  readonly users: readonly { readonly user: UserFacts; readonly reactedAt: string }[];
}

interface ReplierRow {
  readonly user: UserFacts;
  readonly count: number;
  readonly updatedAt: string;
}

/** A comment or reply with related data; times within lists are texts. */
export interface CommentRow {
  readonly id: string;
  readonly spaceId: string;
  /** '' or the id of a change request. */
  readonly line: string;
  readonly parentId: string | null;
  readonly reviewId: string | null;
  readonly revisionId: string;
  readonly pageId: string | null;
  readonly node: string | null;
  readonly record: string | null;
  readonly definition: string | null;
  readonly side: Side | null;
  readonly suggestion: readonly Block[] | null;
  readonly suggestionBefore: readonly Block[] | null;
  readonly appliedAt: Date | null;
  readonly appliedBy: UserFacts | null;
  readonly body: Document;
  readonly postedAt: Date;
  readonly postedBy: UserFacts;
  readonly agent: string | null;
  readonly editedAt: Date | null;
  readonly resolvedAt: Date | null;
  readonly resolvedBy: UserFacts | null;
  readonly version: number;
  readonly reactions: readonly ReactionRow[];
  readonly repliers: readonly ReplierRow[];
}

/** A suggestion as Markdown, and how it stands to the present content. */
export type ShownSuggestion = Pick<CommentSuggestion, 'markdown' | 'before' | 'status'>;

/** The viewer of a comment, and the addresses of the objects that it names. */
export interface CommentView extends Viewer, Rights {
  readonly userId: string;
  readonly addresses: Addresses;
}

/** A reply as a caller sees it. */
export function presentReply(row: CommentRow, body: ShownBody, view: CommentView): CommentReplyBody {
  return versioned({ object: 'comment-reply', ...presentPost(row, body, view) }, row.version);
}

export function presentComment(
  row: CommentRow,
  body: ShownBody,
  view: CommentView,
  suggestion?: ShownSuggestion,
): CommentBody {
  const person = (user: UserFacts): UserBody => presentUserTo(view, user, view.addresses);
  const { record, definition } = row;
  return versioned(
    {
      object: 'comment',
      ...presentPost(row, body, view),
      ...(row.resolvedAt && row.resolvedBy
        ? { status: 'resolved', resolvedAt: row.resolvedAt.toISOString(), resolvedBy: person(row.resolvedBy) }
        : { status: 'open' }),
      replies: row.repliers.reduce((sum, { count }) => sum + count, 0),
      repliers: row.repliers.map(({ user, count, updatedAt }) => ({
        updatedAt: new Date(updatedAt).toISOString(),
        count,
        user: person(user),
      })),
      target: {
        ...(row.node !== null && { node: { id: row.node } }),
        ...(record !== null && definition !== null && { tableCell: { record, definition } }),
        ...(row.side !== null && { side: row.side }),
        ...(row.line !== '' && { changeRequest: row.line }),
        ...(row.reviewId !== null && { review: row.reviewId }),
        ...(row.pageId !== null && { page: { id: row.pageId } }),
        space: row.spaceId,
        revision: row.revisionId,
      },
      ...(suggestion && {
        suggestion: {
          ...suggestion,
          ...(row.appliedAt &&
            row.appliedBy && { appliedBy: person(row.appliedBy), appliedAt: row.appliedAt.toISOString() }),
        },
      }),
    },
    row.version,
  );
}

function presentPost(row: CommentRow, body: ShownBody, view: CommentView): Omit<CommentReplyBody, 'object'> {
  const person = (user: UserFacts): UserBody => presentUserTo(view, user, view.addresses);
  return {
    id: row.id,
    postedBy: person(row.postedBy),
    ...(row.agent !== null && { agent: row.agent }),
    postedAt: row.postedAt.toISOString(),
    ...(row.editedAt && { editedAt: row.editedAt.toISOString() }),
    reactions: row.reactions.map(({ emoji, users }) => ({
      emoji,
      count: users.length,
      users: users.map(({ user, reactedAt }) => ({ user: person(user), reactedAt: new Date(reactedAt).toISOString() })),
    })),
    body,
    urls: { location: view.addresses.location(pathOf(row)) },
    permissions: commentFlags(row, view),
  };
}

/** Replies have no replies of their own. */
function commentFlags({ postedBy, parentId }: CommentRow, view: CommentView): CommentPermissions {
  const comments = allows('space:comment', view);
  return {
    view: allows('space:view', view),
    edit: comments && postedBy.id === view.userId,
    reply: comments && parentId === null,
    delete: comments && (postedBy.id === view.userId || allows('space:removeComments', view)),
  };
}

function pathOf({ spaceId, line, parentId, id }: CommentRow): string {
  const comments = `/spaces/${spaceId}${line === '' ? '' : `/change-requests/${line}`}/comments`;
  return parentId === null ? `${comments}/${id}` : `${comments}/${parentId}/replies/${id}`;
}
