import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InOrganization, InSite } from '../../kernel/access/access.decorators.js';
import type { OrganizationAccess, SiteAccess } from '../../kernel/access/access.service.js';
import { Addresses } from '../../kernel/common/addresses.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { PageQuery } from '../../kernel/common/page-query.js';
import { ChangeRequestBody, presentChangeRequest } from '../../authoring/change-requests/change-request.schema.js';
import {
  FindingsQuery,
  FindingStatsQuery,
  presentFinding,
  presentFindingStats,
  SiteFindingBody,
  SiteFindingStatsBody,
  UpdateFinding,
} from './site-findings.schema.js';
import { SiteFindings } from './site-findings.service.js';
import { presentSiteQuestion, SiteQuestionBody } from './site-questions.schema.js';

@ApiTags('Conversations')
@Controller('orgs/:organizationId/sites/:siteId')
export class SiteFindingsController {
  constructor(
    private readonly findings: SiteFindings,
    private readonly addresses: Addresses,
  ) {}

  @Get('findings')
  @Can('organization:viewConversations')
  @Operation({
    id: 'listSiteFindings',
    summary: 'List what readers of a site asked for and did not find',
    description: 'The clusters of issues with questions of readers. Those that were changed last come first.',
    type: SiteFindingBody,
    list: true,
  })
  list(@InSite() site: SiteAccess, @Query() query: FindingsQuery) {
    return this.findings.list(site, query).then((page) => page.map((row) => presentFinding(row, site, this.addresses)));
  }

  @Get('stats/findings')
  @Can('organization:viewConversations')
  @Operation({ id: 'getSiteFindingStats', summary: 'Count the findings of a site', type: SiteFindingStatsBody })
  stats(@InSite() site: SiteAccess, @Query() query: FindingStatsQuery) {
    return this.findings.stats(site, query).then(presentFindingStats);
  }

  @Get('findings/:siteFindingId')
  @Can('organization:viewConversations')
  @Operation({ id: 'getSiteFindingById', summary: 'Get a finding of a site', type: SiteFindingBody })
  get(@InSite() site: SiteAccess, @Param('siteFindingId') id: string) {
    return this.findings.get(site, id).then((row) => presentFinding(row, site, this.addresses));
  }

  @Patch('findings/:siteFindingId')
  @Can('organization:reviewConversations')
  @Operation({
    id: 'updateSiteFindingById',
    summary: 'Settle, dismiss or reopen a finding',
    description: 'No content is changed. The cluster counts as reviewed: it stays when clusters are built anew.',
    type: SiteFindingBody,
    errors: [412],
  })
  update(@InSite() site: SiteAccess, @Param('siteFindingId') id: string, @Body() { status }: UpdateFinding) {
    return this.findings.settle(site, id, status).then((row) => presentFinding(row, site, this.addresses));
  }

  @Get('findings/:siteFindingId/questions')
  @Can('organization:viewConversations')
  @Operation({
    id: 'listQuestionsForSiteFinding',
    summary: 'List the questions of readers in a finding',
    type: SiteQuestionBody,
    list: true,
  })
  listQuestions(@InSite() site: SiteAccess, @Param('siteFindingId') id: string, @Query() query: PageQuery) {
    return this.findings
      .questionsOf(site, id, query)
      .then((page) => page.map((row) => presentSiteQuestion(row, site, this.addresses)));
  }

  @Get('findings/:siteFindingId/change-requests')
  @Can('organization:viewConversations')
  @Operation({
    id: 'listChangeRequestsForSiteFinding',
    summary: 'List the change requests for a finding, in spaces that the caller can read',
    type: ChangeRequestBody,
    list: true,
  })
  listChangeRequests(
    @ByCaller() caller: Caller,
    @InOrganization() organization: OrganizationAccess,
    @InSite() site: SiteAccess,
    @Param('siteFindingId') id: string,
    @Query() query: PageQuery,
  ) {
    return this.findings
      .requestsOf(caller, site, id, query)
      .then((page) => page.map((row) => presentChangeRequest(row, organization, this.addresses)));
  }

  @Post('findings/:siteFindingId/change-requests')
  @Can('organization:viewConversations')
  @Operation({
    id: 'triggerChangeRequestsForSiteFinding',
    summary: 'Draft a change request for a finding',
    description:
      'As for a cluster, in the space of the site whose pages are nearest. A change request that is not finished yet is returned instead. Needs the permission to propose changes in the space.',
    status: 202,
    type: ChangeRequestBody,
  })
  draft(
    @ByCaller() caller: Caller,
    @InOrganization() organization: OrganizationAccess,
    @InSite() site: SiteAccess,
    @Param('siteFindingId') id: string,
  ) {
    return this.findings.draft(caller, organization, site, id);
  }
}
