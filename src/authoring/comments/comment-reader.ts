import { Injectable } from '@nestjs/common';
import type { Caller } from '../../kernel/common/context.js';
import { Addresses } from '../../kernel/common/addresses.js';
import { Database } from '../../kernel/common/database.js';
import { notFound } from '../../kernel/common/errors.js';
import { Pages, type Page, type PageRequest } from '../../kernel/common/page.js';
import { DocumentBodies, type BodyFormat } from '../content/document-bodies.js';
import type { ContentPlace } from '../content/content-places.js';
import {
  presentComment,
  presentReply,
  type CommentBody,
  type CommentListQuery,
  type CommentReplyBody,
  type CommentRow,
  type CommentView,
  type ShownSuggestion,
  type ReplyListQuery,
} from './comments.schema.js';
import { SuggestionReader } from './suggestion-reader.js';
import { COMMENT_BYTES, COMMENT_COLUMNS, COMMENTS_FROM, isOnSeenPage, SEEN } from './comments.statements.js';

const ORDER = [
  { expression: 'c.posted_at', type: 'timestamptz' },
  { expression: 'c.id', type: 'text' },
] as const;

const ONE = `SELECT ${COMMENT_COLUMNS} ${COMMENTS_FROM} AND c.id = $3 AND c.parent_id IS NOT DISTINCT FROM $4`;
const OF_REVIEWS = `SELECT ${COMMENT_COLUMNS} ${COMMENTS_FROM} AND c.review_id = ANY ($3::text[])`;

type Row = CommentRow & Record<string, unknown>;
type Present<Shown> = (
  row: CommentRow,
  body: CommentBody['body'],
  view: CommentView,
  suggestion: ShownSuggestion | undefined,
) => Shown;

/** The line of the discussed content: '' is the primary one. */
export function discussedLine({ point }: ContentPlace): string {
  return point.line ?? '';
}

/** Reads the comments on the content of a place, with a constant number of queries. */
@Injectable()
export class CommentReader {
  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
    private readonly bodies: DocumentBodies,
    private readonly addresses: Addresses,
    private readonly suggestions: SuggestionReader,
  ) {}

  /** Lists the comments of the primary content, or those of a change request. */
  list(
    caller: Caller,
    place: ContentPlace,
    { status, targetPage, authors, order, format, ...request }: CommentListQuery,
  ): Promise<Page<CommentBody>> {
    const values: unknown[] = [place.space.id, discussedLine(place)];
    const conditions = ['c.parent_id IS NULL'];
    if (status !== 'all') conditions.push(`c.resolved_at IS ${status === 'open' ? '' : 'NOT '}NULL`);
    if (targetPage !== undefined) conditions.push(`c.page_id = $${values.push(targetPage)}`);
    if (authors !== undefined) conditions.push(`c.posted_by = ANY ($${values.push(authors)}::text[])`);
    if (place.space.hiddenPages.length > 0) conditions.push(isOnSeenPage(`$${values.push(place.space.hiddenPages)}`));
    const scope = ['comments', place.space.id, discussedLine(place), status, targetPage, authors, order];
    return this.page(caller, place, request, { scope, conditions, values, direction: order }, format, presentComment);
  }

  /** Lists the replies to a comment, latest first; throws `notFound` if there is no such comment. */
  async replies(
    caller: Caller,
    place: ContentPlace,
    commentId: string,
    { format, ...request }: ReplyListQuery,
  ): Promise<Page<CommentReplyBody>> {
    await this.requireSeen(place, commentId);
    const known = await this.database.one(
      'SELECT FROM comment WHERE space_id = $1 AND line = $2 AND id = $3 AND parent_id IS NULL',
      [place.space.id, discussedLine(place), commentId],
    );
    if (!known) throw notFound('Comment');
    const listed = {
      scope: ['replies', commentId],
      conditions: ['c.parent_id = $3'],
      values: [place.space.id, discussedLine(place), commentId],
      direction: 'desc' as const,
    };
    return this.page(caller, place, request, listed, format, presentReply);
  }

  async get(caller: Caller, place: ContentPlace, commentId: string, format: BodyFormat): Promise<CommentBody> {
    await this.requireSeen(place, commentId);
    const [comment] = await this.present(
      caller,
      place,
      await this.find(place, commentId, null),
      format,
      presentComment,
    );
    if (!comment) throw notFound('Comment');
    return comment;
  }

  async reply(
    caller: Caller,
    place: ContentPlace,
    commentId: string,
    replyId: string,
    format: BodyFormat,
  ): Promise<CommentReplyBody> {
    await this.requireSeen(place, commentId);
    const [reply] = await this.present(caller, place, await this.find(place, replyId, commentId), format, presentReply);
    if (!reply) throw notFound('Comment reply');
    return reply;
  }

  /** The comments of reviews of the change request of a place, by review; one query. */
  async ofReviews(
    caller: Caller,
    place: ContentPlace,
    reviewIds: readonly string[],
    format: BodyFormat = 'markdown',
  ): Promise<ReadonlyMap<string, CommentBody>> {
    if (reviewIds.length === 0) return new Map();
    const rows = await this.database.query<Row>(OF_REVIEWS, [place.space.id, discussedLine(place), reviewIds]);
    const comments = await this.present(caller, place, rows, format, presentComment);
    return new Map(comments.map((comment, index) => [rows[index]?.reviewId ?? '', comment]));
  }

  /** Throws `notFound` for a comment on a page that the caller of the place does not see. */
  async requireSeen(place: ContentPlace, commentId: string): Promise<void> {
    if (!(await this.isSeen(place, commentId))) throw notFound('Comment');
  }

  /** False for a comment on a page that is hidden from the caller of the place, and then for one that is not there. */
  async isSeen(place: ContentPlace, commentId: string): Promise<boolean> {
    const { id, hiddenPages } = place.space;
    if (hiddenPages.length === 0) return true;
    return (await this.database.one(SEEN, [id, discussedLine(place), commentId, hiddenPages])) !== undefined;
  }

  private find(place: ContentPlace, id: string, parentId: string | null): Promise<Row[]> {
    return this.database.query<Row>(ONE, [place.space.id, discussedLine(place), id, parentId]);
  }

  private async page<Shown>(
    caller: Caller,
    place: ContentPlace,
    request: PageRequest,
    {
      conditions,
      ...listed
    }: {
      readonly scope: readonly unknown[];
      readonly conditions: readonly string[];
      readonly values: readonly unknown[];
      readonly direction: 'asc' | 'desc';
    },
    format: BodyFormat,
    presentOne: Present<Shown>,
  ): Promise<Page<Shown>> {
    const from = `${COMMENTS_FROM} AND ${conditions.join(' AND ')}`;
    const page = await this.pages.list<Row>(request, {
      ...listed,
      select: COMMENT_COLUMNS,
      from,
      order: ORDER,
      bytes: COMMENT_BYTES,
    });
    return page.with(await this.present(caller, place, page.items, format, presentOne));
  }

  private async present<Shown>(
    caller: Caller,
    { point, space }: ContentPlace,
    rows: readonly CommentRow[],
    format: BodyFormat,
    presentOne: Present<Shown>,
  ): Promise<Shown[]> {
    const bodies = await this.bodies.show(
      point,
      rows.map((row) => row.body),
      format,
    );
    const suggestions = await this.suggestions.of(point, rows);
    const view: CommentView = {
      userId: caller.userId,
      guestId: space.guestId,
      role: space.role,
      added: space.added,
      addresses: this.addresses,
    };
    return rows.flatMap((row, index) => {
      const body = bodies[index];
      return body ? [presentOne(row, body, view, suggestions.get(row.id))] : [];
    });
  }
}
