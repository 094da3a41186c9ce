import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InSpace, LeavesOutHiddenPages } from '../../kernel/access/access.decorators.js';
import type { SpaceAccess } from '../../kernel/access/access.service.js';
import type { Caller } from '../../kernel/common/context.js';
import { AtPlace, linePlacesOf, OperationAt } from '../content/content-operation.js';
import { ContentPlaces, type ContentPath } from '../content/content-places.js';
import { CommentReader } from './comment-reader.js';
import { CommentReplyBody, FormatQuery, PostReply, ReplyListQuery, UpdateReply } from './comments.schema.js';
import { Comments, type CommentAddress } from './comments.service.js';

const REPLIES = linePlacesOf('/comments/:commentId/replies');
const REPLY = linePlacesOf('/comments/:commentId/replies/:commentReplyId');

/** Replies to comments, at the same two places. */
@ApiTags('Comments')
@LeavesOutHiddenPages()
@Controller()
export class RepliesController {
  constructor(
    private readonly places: ContentPlaces,
    private readonly reader: CommentReader,
    private readonly comments: Comments,
  ) {}

  @Get(REPLIES)
  @Can('space:view')
  @OperationAt(['listCommentRepliesInSpace', 'listCommentRepliesInChangeRequest'], {
    summary: 'List the replies to a comment, those posted last first',
    type: CommentReplyBody,
    list: true,
  })
  list(
    @ByCaller() caller: Caller,
    @InSpace() space: SpaceAccess,
    @AtPlace() path: ContentPath,
    @Param('commentId') commentId: string,
    @Query() query: ReplyListQuery,
  ) {
    return this.places.at(space, path).then((place) => this.reader.replies(caller, place, commentId, query));
  }

  @Post(REPLIES)
  @Can('space:comment')
  @OperationAt(['postCommentReplyInSpace', 'postCommentReplyInChangeRequest'], {
    summary: 'Reply to a comment',
    type: CommentReplyBody,
  })
  post(
    @ByCaller() caller: Caller,
    @InSpace() space: SpaceAccess,
    @AtPlace() path: ContentPath,
    @Param('commentId') commentId: string,
    @Query() { format }: FormatQuery,
    @Body() { body }: PostReply,
  ) {
    return this.places
      .at(space, path)
      .then((place) =>
        this.comments
          .reply(caller, place, commentId, body)
          .then((id) => this.reader.reply(caller, place, commentId, id, format)),
      );
  }

  @Get(REPLY)
  @Can('space:view')
  @OperationAt(['getCommentReplyInSpace', 'getCommentReplyInChangeRequest'], {
    summary: 'Get a reply',
    type: CommentReplyBody,
  })
  get(
    @ByCaller() caller: Caller,
    @InSpace() space: SpaceAccess,
    @AtPlace() path: ContentPath,
    @Param() { commentId, commentReplyId }: Required<CommentAddress>,
    @Query() { format }: FormatQuery,
  ) {
    return this.places
      .at(space, path)
      .then((place) => this.reader.reply(caller, place, commentId, commentReplyId, format));
  }

  @Put(REPLY)
  @Can('space:comment')
  @OperationAt(['updateCommentReplyInSpace', 'updateCommentReplyInChangeRequest'], {
    summary: 'Change a reply, react to it',
    description: 'Only its author changes the body. Reactions are those of the caller.',
    type: CommentReplyBody,
    errors: [409, 412],
  })
  update(
    @ByCaller() caller: Caller,
    @InSpace() space: SpaceAccess,
    @AtPlace() path: ContentPath,
    @Param() address: Required<CommentAddress>,
    @Query() { format }: FormatQuery,
    @Body() body: UpdateReply,
  ) {
    return this.places
      .at(space, path)
      .then((place) =>
        this.comments
          .update(caller, place, address, body)
          .then(() => this.reader.reply(caller, place, address.commentId, address.commentReplyId, format)),
      );
  }

  @Delete(REPLY)
  @Can('space:comment')
  @OperationAt(['deleteCommentReplyInSpace', 'deleteCommentReplyInChangeRequest'], {
    summary: 'Delete a reply',
    description: 'For its author and administrators of the space.',
    status: 204,
    errors: [412],
  })
  remove(
    @ByCaller() caller: Caller,
    @InSpace() space: SpaceAccess,
    @AtPlace() path: ContentPath,
    @Param() address: Required<CommentAddress>,
  ) {
    return this.places.at(space, path).then((place) => this.comments.remove(caller, place, address));
  }
}
