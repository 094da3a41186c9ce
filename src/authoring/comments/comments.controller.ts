import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InSpace, LeavesOutHiddenPages } from '../../kernel/access/access.decorators.js';
import type { SpaceAccess } from '../../kernel/access/access.service.js';
import type { Caller } from '../../kernel/common/context.js';
import { PageQuery } from '../../kernel/common/page-query.js';
import { AtPlace, linePlacesOf, OperationAt } from '../content/content-operation.js';
import { ContentPlaces, type ContentPath } from '../content/content-places.js';
import { MemberBody } from '../../identity/organizations/members.schema.js';
import { CommentReader } from './comment-reader.js';
import { Commenters } from './commenters.service.js';
import { CommentBody, CommentListQuery, FormatQuery, PostComment, UpdateComment } from './comments.schema.js';
import { Comments } from './comments.service.js';

/** Comments on the primary content of a space and on change requests: one controller, two places. */
@ApiTags('Comments')
@LeavesOutHiddenPages()
@Controller()
export class CommentsController {
  constructor(
    private readonly places: ContentPlaces,
    private readonly reader: CommentReader,
    private readonly comments: Comments,
    private readonly commenters: Commenters,
  ) {}

  @Get(linePlacesOf('/comments'))
  @Can('space:view')
  @OperationAt(['listCommentsInSpace', 'listCommentsInChangeRequest'], {
    summary: 'List comments, those posted last first',
    description: 'A space lists the comments on its primary content; those of its change requests are listed there.',
    type: CommentBody,
    list: true,
  })
  list(
    @ByCaller() caller: Caller,
    @InSpace() space: SpaceAccess,
    @AtPlace() path: ContentPath,
    @Query() query: CommentListQuery,
  ) {
    return this.places.at(space, path).then((place) => this.reader.list(caller, place, query));
  }

  @Post(linePlacesOf('/comments'))
  @Can('space:comment')
  @OperationAt(['postCommentInSpace', 'postCommentInChangeRequest'], {
    summary: 'Post a comment, on the whole or on a page, a block or a cell of a table',
    description:
      'A block is named by its key. The comment stays with it when the block is moved or changed, and stays readable when the block or the page is deleted.',
    type: CommentBody,
  })
  post(
    @ByCaller() caller: Caller,
    @InSpace() space: SpaceAccess,
    @AtPlace() path: ContentPath,
    @Query() { format }: FormatQuery,
    @Body() body: PostComment,
  ) {
    return this.places
      .at(space, path)
      .then((place) =>
        this.comments.post(caller, place, body).then((id) => this.reader.get(caller, place, id, format)),
      );
  }

  @Get(linePlacesOf('/comments/:commentId'))
  @Can('space:view')
  @OperationAt(['getCommentInSpace', 'getCommentInChangeRequest'], { summary: 'Get a comment', type: CommentBody })
  get(
    @ByCaller() caller: Caller,
    @InSpace() space: SpaceAccess,
    @AtPlace() path: ContentPath,
    @Param('commentId') commentId: string,
    @Query() { format }: FormatQuery,
  ) {
    return this.places.at(space, path).then((place) => this.reader.get(caller, place, commentId, format));
  }

  @Put(linePlacesOf('/comments/:commentId'))
  @Can('space:comment')
  @OperationAt(['updateCommentInSpace', 'updateCommentInChangeRequest'], {
    summary: 'Change a comment, resolve or reopen it, react to it',
    description:
      'Only its author changes the body. Its author and everybody who may edit resolve and reopen it. Reactions are those of the caller.',
    type: CommentBody,
    errors: [409, 412],
  })
  update(
    @ByCaller() caller: Caller,
    @InSpace() space: SpaceAccess,
    @AtPlace() path: ContentPath,
    @Param('commentId') commentId: string,
    @Query() { format }: FormatQuery,
    @Body() body: UpdateComment,
  ) {
    return this.places
      .at(space, path)
      .then((place) =>
        this.comments
          .update(caller, place, { commentId }, body)
          .then(() => this.reader.get(caller, place, commentId, format)),
      );
  }

  @Delete(linePlacesOf('/comments/:commentId'))
  @Can('space:comment')
  @OperationAt(['deleteCommentInSpace', 'deleteCommentInChangeRequest'], {
    summary: 'Delete a comment with its replies',
    description: 'For its author and administrators of the space.',
    status: 204,
    errors: [412],
  })
  remove(
    @ByCaller() caller: Caller,
    @InSpace() space: SpaceAccess,
    @AtPlace() path: ContentPath,
    @Param('commentId') commentId: string,
  ) {
    return this.places.at(space, path).then((place) => this.comments.remove(caller, place, { commentId }));
  }

  @Get(linePlacesOf('/commenters'))
  @Can('space:view')
  @OperationAt(['listCommentersInSpace', 'listCommentersInChangeRequest'], {
    summary: 'List the members who posted comments or replies',
    description: 'Guests see themselves only.',
    type: MemberBody,
    list: true,
  })
  listCommenters(
    @ByCaller() caller: Caller,
    @InSpace() space: SpaceAccess,
    @AtPlace() path: ContentPath,
    @Query() query: PageQuery,
  ) {
    return this.places.at(space, path).then((place) => this.commenters.list(caller, place, query));
  }
}
