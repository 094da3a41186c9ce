import { Module } from '@nestjs/common';
import { OrganizationsModule } from '../../identity/organizations/organizations.module.js';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ContentModule } from '../content/content.module.js';
import { CommentReader } from './comment-reader.js';
import { Commenters } from './commenters.service.js';
import { CommentsController } from './comments.controller.js';
import { Comments } from './comments.service.js';
import { SuggestionReader } from './suggestion-reader.js';
import { SuggestionsController } from './suggestions.controller.js';
import { Suggestions } from './suggestions.service.js';
import { RepliesController } from './replies.controller.js';
import { Comment } from './comment.entity.js';
import { CommentReaction } from './comment-reaction.entity.js';
import { brings } from '../../kernel/platform/manifest/registry.js';
import { comments } from './comments.manifest.js';

/** The discussion of content: comments on spaces and change requests, with replies and reactions. */
@Module({
  imports: [OrganizationsModule, TypeOrmModule.forFeature([Comment, CommentReaction]), ContentModule],
  controllers: [CommentsController, RepliesController, SuggestionsController],
  providers: [brings(comments), CommentReader, Commenters, Comments, SuggestionReader, Suggestions],
  exports: [CommentReader, Comments],
})
export class CommentsModule {}
