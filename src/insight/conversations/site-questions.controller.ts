import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Can, InSite } from '../../kernel/access/access.decorators.js';
import type { SiteAccess } from '../../kernel/access/access.service.js';
import { Addresses } from '../../kernel/common/addresses.js';
import { Operation } from '../../kernel/common/operation.js';
import {
  AskedQuery,
  presentQuestionStats,
  presentSiteQuestion,
  QuestionsQuery,
  SiteQuestionBody,
  SiteQuestionStatsBody,
} from './site-questions.schema.js';
import { SiteQuestions } from './site-questions.service.js';

@ApiTags('Conversations')
@Controller('orgs/:organizationId/sites/:siteId')
export class SiteQuestionsController {
  constructor(
    private readonly questions: SiteQuestions,
    private readonly addresses: Addresses,
  ) {}

  @Get('questions')
  @Can('organization:viewConversations')
  @Operation({
    id: 'listSiteQuestions',
    summary: 'List the questions of readers that a site did not answer',
    description:
      'A site records them where its `unansweredQuestions` is `recorded`. Questions that differ in case, white space and punctuation only are one, and count once a day.',
    type: SiteQuestionBody,
    list: true,
  })
  list(@InSite() site: SiteAccess, @Query() query: QuestionsQuery) {
    return this.questions
      .list(site, query)
      .then((page) => page.map((row) => presentSiteQuestion(row, site, this.addresses)));
  }

  @Get('questions/:siteQuestionId')
  @Can('organization:viewConversations')
  @Operation({ id: 'getSiteQuestionById', summary: 'Get a question of readers', type: SiteQuestionBody })
  get(@InSite() site: SiteAccess, @Param('siteQuestionId') id: string, @Query() query: AskedQuery) {
    return this.questions.get(site, id, query).then((row) => presentSiteQuestion(row, site, this.addresses));
  }

  @Get('question-stats')
  @Can('organization:viewConversations')
  @Operation({
    id: 'getSiteQuestionStats',
    summary: 'Count the questions of readers that a site did not answer',
    type: SiteQuestionStatsBody,
  })
  stats(@InSite() site: SiteAccess, @Query() query: AskedQuery) {
    return this.questions.stats(site, query).then(presentQuestionStats);
  }
}
