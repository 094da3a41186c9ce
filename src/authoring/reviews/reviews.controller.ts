import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InSpace, LeavesOutHiddenPages } from '../../kernel/access/access.decorators.js';
import type { SpaceAccess } from '../../kernel/access/access.service.js';
import { FormatQuery } from '../comments/comments.schema.js';
import { Addresses } from '../../kernel/common/addresses.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { PageQuery } from '../../kernel/common/page-query.js';
import { Contributors } from './contributors.service.js';
import { RequestedReviewers } from './requested-reviewers.service.js';
import {
  ContributorBody,
  presentContributor,
  presentRequestedReviewer,
  presentReview,
  RequestedReviewerBody,
  RequestedReviewersBody,
  RequestReviewers,
  ReviewBody,
  ReviewListQuery,
  SubmitReview,
} from './reviews.schema.js';
import { Reviews } from './reviews.service.js';

@ApiTags('Change requests')
@LeavesOutHiddenPages()
@Controller('spaces/:spaceId/change-requests/:changeRequestId')
export class ReviewsController {
  constructor(
    private readonly reviews: Reviews,
    private readonly requested: RequestedReviewers,
    private readonly people: Contributors,
    private readonly addresses: Addresses,
  ) {}

  @Get('reviews')
  @Can('space:view')
  @Operation({
    id: 'getReviewsByChangeRequestId',
    summary: 'List the reviews of a change request, newest first',
    type: ReviewBody,
    list: true,
  })
  list(
    @ByCaller() caller: Caller,
    @InSpace() space: SpaceAccess,
    @Param('changeRequestId') changeRequestId: string,
    @Query() query: ReviewListQuery,
  ) {
    return this.reviews
      .list(caller, space, changeRequestId, query)
      .then((page) => page.map((row) => presentReview(row, space, this.addresses)));
  }

  @Post('reviews')
  @Can('space:review')
  @Operation({
    id: 'submitChangeRequestReview',
    summary: 'Review a change request',
    description:
      'The review is of the content as it is now; the last one of a person counts. Authors cannot review their own change requests.',
    status: 201,
    type: ReviewBody,
    errors: [409],
  })
  submit(
    @ByCaller() caller: Caller,
    @InSpace() space: SpaceAccess,
    @Param('changeRequestId') changeRequestId: string,
    @Query() { format }: FormatQuery,
    @Body() body: SubmitReview,
  ) {
    return this.reviews
      .submit(caller, space, changeRequestId, body, format)
      .then((row) => presentReview(row, space, this.addresses));
  }

  @Get('reviews/:reviewId')
  @Can('space:view')
  @Operation({ id: 'getChangeRequestReviewById', summary: 'Get a review', type: ReviewBody })
  get(
    @ByCaller() caller: Caller,
    @InSpace() space: SpaceAccess,
    @Param('changeRequestId') changeRequestId: string,
    @Param('reviewId') reviewId: string,
    @Query() { format }: FormatQuery,
  ) {
    return this.reviews
      .get(caller, space, changeRequestId, reviewId, format)
      .then((row) => presentReview(row, space, this.addresses));
  }

  @Get('requested-reviewers')
  @Can('space:view')
  @Operation({
    id: 'getRequestedReviewersByChangeRequestId',
    summary: 'List the requested reviewers whose review is pending',
    type: RequestedReviewerBody,
    list: true,
  })
  listRequested(
    @InSpace() space: SpaceAccess,
    @Param('changeRequestId') changeRequestId: string,
    @Query() query: PageQuery,
  ) {
    return this.requested
      .list(space.id, changeRequestId, query)
      .then((page) => page.map((row) => presentRequestedReviewer(row, space, this.addresses)));
  }

  @Post('requested-reviewers')
  @Can('space:propose')
  @Operation({
    id: 'requestReviewersForChangeRequest',
    summary: 'Ask people for their review',
    description:
      'Opens a draft. Everybody who is asked can read the space; a review requires the role `review` or higher.',
    type: RequestedReviewersBody,
    errors: [409, 412],
  })
  request(
    @ByCaller() caller: Caller,
    @InSpace() space: SpaceAccess,
    @Param('changeRequestId') changeRequestId: string,
    @Body() body: RequestReviewers,
  ) {
    return this.requested
      .request(caller, space, changeRequestId, body)
      .then((rows) => ({ users: rows.map((row) => presentRequestedReviewer(row, space, this.addresses)) }));
  }

  @Delete('requested-reviewers/:userId')
  @Can('space:propose')
  @Operation({
    id: 'removeRequestedReviewerFromChangeRequest',
    summary: 'Ask somebody no longer for a review',
    status: 204,
  })
  withdraw(
    @ByCaller() caller: Caller,
    @InSpace() { id }: SpaceAccess,
    @Param('changeRequestId') changeRequestId: string,
    @Param('userId') userId: string,
  ) {
    return this.requested.remove(caller, id, changeRequestId, userId);
  }

  @Get('contributors')
  @Can('space:view')
  @Operation({
    id: 'getContributorsByChangeRequestId',
    summary: 'List the contributors to a change request, latest contribution first',
    type: ContributorBody,
    list: true,
  })
  contributors(
    @InSpace() space: SpaceAccess,
    @Param('changeRequestId') changeRequestId: string,
    @Query() query: PageQuery,
  ) {
    return this.people
      .list(space.id, changeRequestId, query)
      .then((page) => page.map((row) => presentContributor(row, space, this.addresses)));
  }
}
