import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChangeRequestsModule } from '../change-requests/change-requests.module.js';
import { CommentsModule } from '../comments/comments.module.js';
import { ContentModule } from '../content/content.module.js';
import { Contributors } from './contributors.service.js';
import { RequestedReviewers } from './requested-reviewers.service.js';
import { ReviewsController } from './reviews.controller.js';
import { Reviews } from './reviews.service.js';
import { ChangeRequestReview } from './change-request-review.entity.js';
import { RequestedReviewer } from './requested-reviewer.entity.js';
import { brings } from '../../kernel/platform/manifest/registry.js';
import { reviews } from './reviews.manifest.js';

/** Requested reviews, their results, and the contributors of a change request. */
@Module({
  imports: [
    TypeOrmModule.forFeature([ChangeRequestReview, RequestedReviewer]),
    ContentModule,
    ChangeRequestsModule,
    CommentsModule,
  ],
  controllers: [ReviewsController],
  providers: [brings(reviews), Contributors, RequestedReviewers, Reviews],
})
export class ReviewsModule {}
