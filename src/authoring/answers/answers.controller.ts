import { Body, Controller, Get, Headers, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { ByCaller, Can, InOrganization } from '../../kernel/access/access.decorators.js';
import type { OrganizationAccess } from '../../kernel/access/access.service.js';
import type { Caller } from '../../kernel/common/context.js';
import { preferredLanguage } from '../../kernel/common/languages.js';
import { Operation } from '../../kernel/common/operation.js';
import { sendEvents } from '../../kernel/platform/http/event-stream.js';
import {
  AnswerEnvelope,
  AnswerEvent,
  AnswerEvents,
  AnswerQuery,
  AskQuestion,
  eventsOf,
  RecommendedQuestionEvent,
  RecommendedQuestions,
  StreamedAnswerQuery,
} from './answers.schema.js';
import { OrganizationAnswers } from './organization-answers.service.js';

@ApiTags('Organizations, members, teams')
@AnswerEvents()
@Controller('orgs/:organizationId/ask')
export class AnswersController {
  constructor(private readonly answers: OrganizationAnswers) {}

  @Post()
  @Can('organization:ask')
  @Operation({
    id: 'askInOrganization',
    summary: 'Ask a question about the content that the caller can read',
    description:
      'Answers from the spaces that the caller can read, with the sections that the answer is from. Written by the language model of the operator if there is one and the organization allows it (`ai`); else the best passages as they stand.',
    type: AnswerEnvelope,
  })
  async ask(
    @ByCaller() { userId }: Caller,
    @InOrganization() organization: OrganizationAccess,
    @Query() query: AnswerQuery,
    @Body() { query: text, previousQueries = [] }: AskQuestion,
    @Headers('accept-language') language?: string,
  ) {
    return this.answers.ask(
      userId,
      organization,
      { text, context: previousQueries, language: preferredLanguage(language) },
      query,
    );
  }

  @Get('stream')
  @Can('organization:ask')
  @Operation({
    id: 'streamAskInOrganization',
    summary: 'Ask a question and read the answer as it is made',
    description:
      'Server-sent events, each with the whole answer so far: the passages, then the answer of the language model if there is one. The event `done` ends them.',
    schema: eventsOf(AnswerEvent),
  })
  async stream(
    @ByCaller() { userId }: Caller,
    @InOrganization() organization: OrganizationAccess,
    @Query() query: StreamedAnswerQuery,
    @Res() response: Response,
    @Headers('accept-language') language?: string,
  ) {
    await sendEvents(
      response,
      this.answers.stream(
        userId,
        organization,
        { text: query.query, context: [], language: preferredLanguage(language) },
        query,
      ),
    );
  }

  @Get('questions')
  @Can('organization:ask')
  @Operation({
    id: 'getRecommendedQuestionsInOrganization',
    summary: 'List questions that the content answers',
    description: 'At most ten headings that are questions, of the spaces that the caller can read.',
    type: RecommendedQuestions,
  })
  async questions(@ByCaller() { userId }: Caller, @InOrganization() organization: OrganizationAccess) {
    return { questions: await this.answers.questions(userId, organization) };
  }

  @Get('questions/stream')
  @Can('organization:ask')
  @Operation({
    id: 'streamRecommendedQuestionsInOrganization',
    summary: 'List questions that the content answers, as server-sent events',
    description: 'One event for each question. The event `done` ends them.',
    schema: eventsOf(RecommendedQuestionEvent),
  })
  async questionStream(
    @ByCaller() { userId }: Caller,
    @InOrganization() organization: OrganizationAccess,
    @Res() response: Response,
  ) {
    await sendEvents(response, this.answers.questionStream(userId, organization));
  }
}
