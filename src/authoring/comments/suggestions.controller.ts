import { Controller, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InSpace, LeavesOutHiddenPages } from '../../kernel/access/access.decorators.js';
import type { SpaceAccess } from '../../kernel/access/access.service.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { ContentPlaces } from '../content/content-places.js';
import { CommentReader } from './comment-reader.js';
import { CommentBody, FormatQuery } from './comments.schema.js';
import { Suggestions } from './suggestions.service.js';

@ApiTags('Comments')
@LeavesOutHiddenPages()
@Controller()
export class SuggestionsController {
  constructor(
    private readonly places: ContentPlaces,
    private readonly reader: CommentReader,
    private readonly suggestions: Suggestions,
  ) {}

  @Post('spaces/:spaceId/change-requests/:changeRequestId/comments/:commentId/suggestion/apply')
  @Can('space:propose')
  @Operation({
    id: 'applyCommentSuggestionInChangeRequest',
    summary: 'Take over the suggestion of a comment',
    description:
      'Replaces the block in one revision of the caller and resolves the comment. 409 when the block has changed since the suggestion was made, or the suggestion has been applied.',
    type: CommentBody,
    errors: [409, 412, 422],
  })
  apply(
    @ByCaller() caller: Caller,
    @InSpace() space: SpaceAccess,
    @Param('changeRequestId') changeRequestId: string,
    @Param('commentId') commentId: string,
    @Query() { format }: FormatQuery,
  ) {
    return this.suggestions
      .apply(caller, space.id, changeRequestId, commentId)
      .then(() => this.places.at(space, { changeRequestId }))
      .then((place) => this.reader.get(caller, place, commentId, format));
  }
}
