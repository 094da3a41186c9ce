import { Body, Controller, Get, Headers, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import {
  AnswerEvent,
  AnswerEvents,
  AnswerFormat,
  eventsOf,
  RecommendedQuestionEvent,
} from '../../../authoring/answers/answers.schema.js';
import { ByCaller, ByReader, Can, ForReaders, InSite } from '../../../kernel/access/access.decorators.js';
import type { SiteAccess } from '../../../kernel/access/access.service.js';
import type { ReaderAccess } from '../../../kernel/access/readers.js';
import type { Caller } from '../../../kernel/common/context.js';
import { preferredLanguage } from '../../../kernel/common/languages.js';
import { Operation } from '../../../kernel/common/operation.js';
import { sendEvents } from '../../../kernel/platform/http/event-stream.js';
import { ShowsSecret } from '../../../kernel/platform/idempotency.interceptor.js';
import { PublishedAnswers } from './published-answers.service.js';
import { AskSite, SiteQuestionsQuery } from './site-ask.schema.js';

@ApiTags('Sites')
@AnswerEvents()
@Controller('orgs/:organizationId/sites/:siteId/ask')
export class SiteAskController {
  constructor(private readonly answers: PublishedAnswers) {}

  @Post()
  @Can('site:view')
  @ForReaders()
  // A stream is not stored: a repeat with the same key is refused.
  @ShowsSecret()
  @Operation({
    id: 'streamAskInSite',
    summary: 'Ask a question about a site',
    description:
      'Server-sent events, each with the whole answer so far: the passages, then the answer of the language model if there is one. The event `done` ends them. Members get answers from whatever they can read in the spaces of the site, readers from what it shows them, and only where `ai.mode` of the customization is not `none`.',
    schema: eventsOf(AnswerEvent),
  })
  async ask(
    @ByCaller() caller: Caller,
    @ByReader() reader: ReaderAccess | undefined,
    @InSite() site: SiteAccess,
    @Query() format: AnswerFormat,
    @Body() body: AskSite,
    @Res() response: Response,
    @Headers('accept-language') language?: string,
  ) {
    await sendEvents(response, this.answers.ask(caller, reader, site, body, preferredLanguage(language), format));
  }

  @Get('questions')
  @Can('site:view')
  @ForReaders()
  @Operation({
    id: 'streamRecommendedQuestionsInSite',
    summary: 'List questions to ask about a site, as server-sent events',
    description:
      'One event for each question: the suggestions of the customization, then at most ten headings that are questions. The event `done` ends them.',
    schema: eventsOf(RecommendedQuestionEvent),
  })
  async questions(
    @ByCaller() caller: Caller,
    @ByReader() reader: ReaderAccess | undefined,
    @InSite() site: SiteAccess,
    @Query() query: SiteQuestionsQuery,
    @Res() response: Response,
  ) {
    await sendEvents(response, this.answers.questions(caller, reader, site, query));
  }
}
