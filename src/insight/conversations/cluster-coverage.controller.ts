import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InOrganization } from '../../kernel/access/access.decorators.js';
import type { OrganizationAccess } from '../../kernel/access/access.service.js';
import { Addresses } from '../../kernel/common/addresses.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { ChangeRequestBody } from '../../authoring/change-requests/change-request.schema.js';
import { ClusterCoverageBody, DraftClusterChangeRequest, presentCoverage } from './cluster-coverage.schema.js';
import { ClusterCoverages } from './cluster-coverage.service.js';
import { ClusterDrafts } from './cluster-drafts.service.js';

@ApiTags('Conversations')
@Controller('orgs/:organizationId/conversations-clusters/:clusterId')
export class ClusterCoverageController {
  constructor(
    private readonly coverages: ClusterCoverages,
    private readonly drafts: ClusterDrafts,
    private readonly addresses: Addresses,
  ) {}

  @Get('coverage')
  @Can('organization:viewConversations')
  @Operation({
    id: 'getConversationsClusterCoverage',
    summary: 'Get the pages that should have answered a cluster, and the change requests for it',
    description: 'Compares the questions of the cluster with the pages that the caller can read, by the search.',
    type: ClusterCoverageBody,
  })
  coverage(
    @ByCaller() caller: Caller,
    @InOrganization() organization: OrganizationAccess,
    @Param('clusterId') clusterId: string,
  ) {
    return this.coverages
      .of(caller, organization, clusterId)
      .then((found) => presentCoverage(found, organization, this.addresses));
  }

  @Post('change-requests')
  @Can('organization:viewConversations')
  @Operation({
    id: 'draftConversationsClusterChangeRequest',
    summary: 'Draft a change request from a cluster',
    description:
      'Adds a section to the page that should have answered, or a page: the questions, what customers wrote, and related pages; with the language model of the operator a text to check. A change request for the cluster that is not finished yet is returned instead. Needs the permission to propose changes in the space.',
    type: ChangeRequestBody,
  })
  draft(
    @ByCaller() caller: Caller,
    @InOrganization() organization: OrganizationAccess,
    @Param('clusterId') clusterId: string,
    @Body() { space }: DraftClusterChangeRequest,
  ) {
    return this.drafts.draft(caller, organization, clusterId, space);
  }
}
