import { Module } from '@nestjs/common';
import { brings } from '../../kernel/platform/manifest/registry.js';
import { AgentInstructionsModule } from '../agent-instructions/agent-instructions.module.js';
import { ContentModule } from '../content/content.module.js';
import { SearchModule } from '../search/search.module.js';
import { AnswersController } from './answers.controller.js';
import { answers } from './answers.manifest.js';
import { Answers } from './answers.service.js';
import { OrganizationAnswers } from './organization-answers.service.js';
import { PassageReader } from './passage-reader.js';
import { RecommendedQuestionFinder } from './recommended-questions.js';

@Module({
  imports: [AgentInstructionsModule, ContentModule, SearchModule],
  controllers: [AnswersController],
  providers: [brings(answers), Answers, OrganizationAnswers, PassageReader, RecommendedQuestionFinder],
  exports: [Answers, RecommendedQuestionFinder],
})
export class AnswersModule {}
