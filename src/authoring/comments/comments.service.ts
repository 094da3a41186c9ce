import { Injectable } from '@nestjs/common';
import { Access } from '../../kernel/access/access.service.js';
import { requirePermission } from '../../kernel/access/permissions.js';
import { Clock } from '../../kernel/common/clock.js';
import { actingAgent, requireMatch, type Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, invalid, notFound } from '../../kernel/common/errors.js';
import { newId } from '../../kernel/common/ids.js';
import { DocumentBodies } from '../content/document-bodies.js';
import type { DocumentInput } from '../content/change-input.js';
import type { ContentPlace } from '../content/content-places.js';
import { ContentReader } from '../content/content-reader.js';
import { keyed } from '../content/document-codec.js';
import { deriveDocument } from '../../formats/document/derive.js';
import { contentJson } from '../../formats/document/hash.js';
import type { Document } from '../../formats/document/types.js';
import { codeOfEmoji } from '../../formats/markdown/emoji-codes.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { CommentReader, discussedLine } from './comment-reader.js';
import { Comment } from './comment.entity.js';
import type { UpdateComment } from './comments.schema.js';
import { EMOJI_COUNT, HOLD, INSERT, LOCK, REACT, SEEING, UNREACT, UPDATE } from './comments.statements.js';
import { Suggestions } from './suggestions.service.js';
import type { PreparedSuggestion } from './suggestion-tasks.js';
import { faultOfAnchor, type Anchor } from './domain/anchor.js';

/** Different emoji on one comment. */
const MAX_EMOJI = 100;

/** The address of a comment, or of one of its replies. */
export interface CommentAddress {
  readonly commentId: string;
  readonly commentReplyId?: string;
}

export interface NewComment extends Anchor {
  readonly body: DocumentInput;
  readonly page?: string;
  /** The side of the comparison of a change request that has the block. */
  readonly side?: 'before' | 'after';
  readonly suggestion?: { readonly markdown: string };
}

/** The columns of a new comment beside its text. */
interface NewFacts extends Anchor {
  readonly parentId?: string;
  readonly review?: string | undefined;
  readonly page?: string | undefined;
  readonly side?: 'before' | 'after' | undefined;
  readonly suggested?: PreparedSuggestion | undefined;
}

interface LockedComment {
  readonly id: string;
  readonly line: string;
  readonly parentId: string | null;
  /** The page of the comment, or of the one that a reply answers. */
  readonly pageId: string | null;
  readonly body: Document;
  readonly authorId: string;
  readonly resolvedAt: Date | null;
  readonly version: number;
  readonly organizationId: string;
}

/**
 * Writes comments on the content of a place and replies to them. Each change locks only the comment, and uses the role
 * that the caller has then.
 */
@Injectable()
export class Comments {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly access: Access,
    private readonly outbox: Outbox,
    private readonly content: ContentReader,
    private readonly bodies: DocumentBodies,
    private readonly suggestions: Suggestions,
    private readonly reader: CommentReader,
  ) {}

  /**
   * Posts a comment, in the ambient transaction if there is one, and returns its id; `review` is the review of a change
   * request to which it belongs. Throws `invalid` for an anchor that the content does not have, and for an invalid body
   * (in the field `path`).
   */
  async post(
    caller: Caller,
    place: ContentPlace,
    { body, page, side, suggestion, ...anchor }: NewComment,
    { review, path = 'body' }: { readonly review?: string; readonly path?: string } = {},
  ): Promise<string> {
    await this.requireAnchor(sideOf(place, side, anchor), page, anchor);
    if (suggestion && (side === 'before' || anchor.tableCell))
      throw invalid('suggestion', 'is for a whole block of the change request itself');
    const suggested = suggestion && (await this.suggestions.prepare(place, page, anchor.node, suggestion.markdown));
    const document = await this.read(caller, place, body, path);
    await this.requireMembers(place, document, path);
    return this.database.transaction(async () => {
      const { id, organizationId } = await this.insert(caller, place, document, {
        page,
        review,
        side,
        suggested,
        ...anchor,
      });
      await this.outbox.record({
        type: 'comment_created',
        organizationId,
        spaceId: place.space.id,
        target: id,
        payload: {
          changeRequestId: place.point.line ?? undefined,
          pageId: page,
          reviewId: review,
          ...(await this.mentions(place, document, page)),
        },
      });
      return id;
    });
  }

  /** Replies to a comment and returns the id of the reply; throws `notFound` if the comment no longer exists. */
  async reply(caller: Caller, place: ContentPlace, commentId: string, body: DocumentInput): Promise<string> {
    await this.reader.requireSeen(place, commentId);
    const document = await this.read(caller, place, body);
    await this.requireMembers(place, document, 'body');
    return this.database.transaction(async () => {
      const comment = await this.database.one<{ id: string; pageId: string | null }>(HOLD, [
        place.space.id,
        discussedLine(place),
        commentId,
        null,
      ]);
      if (!comment) throw notFound('Comment');
      const { id, organizationId } = await this.insert(caller, place, document, { parentId: commentId });
      await this.outbox.record({
        type: 'comment_reply_created',
        organizationId,
        spaceId: place.space.id,
        target: id,
        payload: {
          commentId,
          changeRequestId: place.point.line ?? undefined,
          ...(await this.mentions(place, document, comment.pageId)),
        },
      });
      return id;
    });
  }

  /**
   * Changes the body (authors), the status (authors, and everybody who edits) and the caller's own reactions; unchanged
   * values have no effect. Throws `notFound`, `forbidden`, and `conflict` for too many different emoji.
   */
  async update(
    caller: Caller,
    place: ContentPlace,
    address: CommentAddress,
    { body, resolved, addedReactions = [], removedReactions = [] }: UpdateComment,
  ): Promise<void> {
    const spaceId = place.space.id;
    await this.reader.requireSeen(place, address.commentId);
    const document = body && (await this.read(caller, place, body));
    const [added, removed] = [codesOf('addedReactions', addedReactions), codesOf('removedReactions', removedReactions)];
    await this.database.transaction(async () => {
      const comment = await this.lock(place, address);
      if (!comment) throw notFound(address.commentReplyId === undefined ? 'Comment' : 'Comment reply');
      const space = await this.access.requireSpace(caller, spaceId, 'space:comment');
      requireMatch(comment.version);
      if (document && comment.authorId !== caller.userId)
        throw new DomainError('forbidden', 'Only the author can change the body of a comment');
      if (resolved !== undefined && comment.authorId !== caller.userId)
        requirePermission(caller, 'space:resolveComments', space);
      if (document) await this.requireMembers(place, document, 'body', comment.body);
      const isEdited = document !== undefined && contentJson(document) !== contentJson(comment.body);
      const isSettled = resolved !== undefined && resolved !== (comment.resolvedAt !== null);
      if (isEdited || isSettled) {
        const json = isEdited ? JSON.stringify(keyed(document, comment.body)) : null;
        await this.database.execute(UPDATE, [
          spaceId,
          comment.id,
          json,
          this.clock.now(),
          isSettled,
          resolved ? caller.userId : null,
        ]);
      }
      const isReacted = await this.react(caller, place, comment.id, added, removed);
      const fields = [...(isEdited ? ['body'] : []), ...(isReacted ? ['reactions'] : [])];
      const mentions = isEdited ? await this.mentions(place, document, comment.pageId, comment.body) : {};
      if (fields.length > 0) await this.record('updated', comment, spaceId, fields, mentions);
      if (!isSettled) return;
      const { id, organizationId } = comment;
      await this.outbox.record({
        type: resolved ? 'comment_resolved' : 'comment_reopened',
        organizationId,
        spaceId,
        target: id,
        payload: { changeRequestId: requestOf(comment) },
      });
    });
  }

  /**
   * Removes a comment with its replies, or a reply; does nothing if it does not exist. Throws `forbidden` for comments
   * of other people, unless the caller has the role admin on the space.
   */
  async remove(caller: Caller, place: ContentPlace, address: CommentAddress): Promise<void> {
    if (!(await this.reader.isSeen(place, address.commentId))) {
      if (address.commentReplyId !== undefined) throw notFound('Comment');
      return;
    }
    await this.database.transaction(async () => {
      const comment = await this.lock(place, address);
      if (
        !comment &&
        address.commentReplyId !== undefined &&
        !(await this.lock(place, { commentId: address.commentId }))
      )
        throw notFound('Comment');
      const space = await this.access.requireSpace(caller, place.space.id, 'space:comment');
      if (!comment) return;
      requireMatch(comment.version);
      if (comment.authorId !== caller.userId) requirePermission(caller, 'space:removeComments', space);
      await this.database.of(Comment).delete({ spaceId: place.space.id, id: comment.id });
      await this.record('deleted', comment, place.space.id);
    });
  }

  private lock(place: ContentPlace, { commentId, commentReplyId }: CommentAddress): Promise<LockedComment | undefined> {
    const [id, parentId] = commentReplyId === undefined ? [commentId, null] : [commentReplyId, commentId];
    return this.database.one<LockedComment & Record<string, unknown>>(LOCK, [
      place.space.id,
      discussedLine(place),
      id,
      parentId,
    ]);
  }

  private async insert(
    caller: Caller,
    place: ContentPlace,
    document: Document,
    { parentId, review, page, node, tableCell, side, suggested }: NewFacts,
  ): Promise<{ readonly id: string; readonly organizationId: string }> {
    const now = this.clock.now();
    const id = newId(now.getTime());
    const anchor = [page ?? null, node ?? null, tableCell?.record ?? null, tableCell?.definition ?? null];
    const row = await this.database.one<{ organizationId: string }>(INSERT, [
      place.space.id,
      id,
      discussedLine(place),
      parentId ?? null,
      review ?? null,
      place.revisionId,
      ...anchor,
      JSON.stringify(keyed(document)),
      caller.userId,
      now,
      actingAgent(),
      side ?? null,
      suggested ? JSON.stringify(suggested.blocks) : null,
      suggested ? JSON.stringify(suggested.before) : null,
    ]);
    if (!row) throw notFound('Space');
    await this.access.requireSpace(caller, place.space.id, 'space:comment');
    return { id, organizationId: row.organizationId };
  }

  /** Returns whether anything changed. An emoji that is both added and removed ends up removed. */
  private async react(
    caller: Caller,
    place: ContentPlace,
    id: string,
    added: readonly string[],
    removed: readonly string[],
  ): Promise<boolean> {
    const given = added.filter((code) => !removed.includes(code));
    const comment = [place.space.id, id];
    const came =
      given.length === 0 ? 0 : await this.database.execute(REACT, [...comment, caller.userId, given, this.clock.now()]);
    const went = removed.length === 0 ? 0 : await this.database.execute(UNREACT, [...comment, caller.userId, removed]);
    const kinds = came === 0 ? undefined : await this.database.one<{ count: number }>(EMOJI_COUNT, comment);
    if (kinds && kinds.count > MAX_EMOJI)
      throw new DomainError('conflict', `A comment has at most ${MAX_EMOJI} different reactions`);
    return came + went > 0;
  }

  /** The page and block must exist now; a comment keeps its anchor when they are deleted. */
  private async requireAnchor(place: ContentPlace, page: string | undefined, anchor: Anchor): Promise<void> {
    if (page === undefined) {
      if (anchor.node !== undefined || anchor.tableCell !== undefined)
        throw invalid('page', 'is needed: it has the node');
      return;
    }
    const { json } = await this.content.documentOf(place, 'page', page, 'false').catch((error: unknown) => {
      throw error instanceof DomainError && error.code === 'notFound' ? invalid('page', 'is not a page here') : error;
    });
    const fault =
      anchor.node === undefined && anchor.tableCell === undefined
        ? undefined
        : faultOfAnchor(JSON.parse(json) as Document, anchor);
    if (fault) throw invalid(fault.path, fault.message);
  }

  /** Guests see no other people, so they cannot mention any; members mention members. */
  private async read(
    caller: Caller,
    { point, space }: ContentPlace,
    body: DocumentInput,
    path = 'body',
  ): Promise<Document> {
    const document = await this.bodies.read(point, body, path);
    const mentionsOthers = mentionedIn(document).some((user) => user !== caller.userId);
    if (mentionsOthers && space.guestId !== null) throw invalid(path, 'guests can only mention themselves');
    return document;
  }

  /**
   * Throws `invalid` for mentions of people who are not members of the organization, except those whom a body mentioned
   * before: they may have left since.
   */
  private async requireMembers(
    { space }: ContentPlace,
    document: Document,
    path: string,
    before?: Document,
  ): Promise<void> {
    const known = new Set(before && mentionedIn(before));
    const users = mentionedIn(document).filter((user) => !known.has(user));
    if (users.length === 0) return;
    const rows = await this.database.query<{ id: string }>(
      'SELECT user_id AS id FROM member WHERE organization_id = $1 AND user_id = ANY ($2)',
      [space.organizationId, users],
    );
    const stranger = users.find((user) => !rows.some(({ id }) => id === user));
    if (stranger !== undefined) throw invalid(path, `mentions ${stranger}, who is not a member of the organization`);
  }

  /** The people whom a text mentions and an earlier one did not, if they can see the space and the discussed page. */
  private async mentions(
    place: ContentPlace,
    document: Document,
    page: string | null | undefined,
    before?: Document,
  ): Promise<{ readonly mentionedUserIds?: readonly string[] }> {
    const known = new Set(before && mentionedIn(before));
    const users = mentionedIn(document).filter((user) => !known.has(user));
    if (users.length === 0) return {};
    const seeing = await this.database.query<{ id: string }>(SEEING, [
      users,
      place.space.id,
      discussedLine(place),
      page ?? null,
    ]);
    const ids = users.filter((user) => seeing.some(({ id }) => id === user));
    return ids.length === 0 ? {} : { mentionedUserIds: ids };
  }

  private async record(
    what: 'updated' | 'deleted',
    comment: LockedComment,
    spaceId: string,
    fields: readonly string[] = [],
    mentions: { readonly mentionedUserIds?: readonly string[] } = {},
  ): Promise<void> {
    const { id, parentId, organizationId } = comment;
    const about = { organizationId, spaceId, target: id };
    const payload = { changeRequestId: requestOf(comment) };
    if (parentId === null)
      await this.outbox.record(
        what === 'updated'
          ? { type: 'comment_updated', ...about, payload: { ...payload, fields, ...mentions } }
          : { type: 'comment_deleted', ...about, payload },
      );
    else
      await this.outbox.record(
        what === 'updated'
          ? {
              type: 'comment_reply_updated',
              ...about,
              payload: { ...payload, commentId: parentId, fields, ...mentions },
            }
          : { type: 'comment_reply_deleted', ...about, payload: { ...payload, commentId: parentId } },
      );
  }
}

/** The state that has the block of an anchor. Throws `invalid` for a side where nothing is compared. */
function sideOf(place: ContentPlace, side: NewComment['side'], { node }: Anchor): ContentPlace {
  if (side === undefined) return place;
  if (place.point.line === null) throw invalid('side', 'is for comments on change requests');
  if (node === undefined) throw invalid('side', 'needs a node: it says which side has it');
  return side === 'after' ? place : { ...place, point: { ...place.point, line: null, sequence: 0 } };
}

/** The people whom a document mentions or links to, without duplicates. */
function mentionedIn(document: Document): string[] {
  return [
    ...new Set(deriveDocument(document).references.flatMap(({ ref }) => (ref.kind === 'user' ? [ref.user] : []))),
  ];
}

function requestOf({ line }: LockedComment): string | undefined {
  return line === '' ? undefined : line;
}

/** The codes of emoji, without duplicates; throws `invalid` with the path of a value that is not an emoji. */
function codesOf(field: string, emoji: readonly string[]): string[] {
  const codes = emoji.map((text, index) => {
    const code = codeOfEmoji(text);
    if (code === undefined) throw invalid(`${field}.${index}`, 'is not an emoji');
    return code;
  });
  return [...new Set(codes)];
}
