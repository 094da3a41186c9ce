import { Body, Controller, Get, Param, Patch, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Can, InOrganization } from '../../kernel/access/access.decorators.js';
import type { OrganizationAccess } from '../../kernel/access/access.service.js';
import { Addresses } from '../../kernel/common/addresses.js';
import { Operation } from '../../kernel/common/operation.js';
import { Clusters } from './clusters.service.js';
import {
  ClusterBody,
  ClustersQuery,
  IssueOfConversationBody,
  IssuesQuery,
  presentCluster,
  presentIssue,
  UpdateCluster,
} from './issues.schema.js';
import { Issues } from './issues.service.js';

@ApiTags('Conversations')
@Controller('orgs/:organizationId')
export class IssuesController {
  constructor(
    private readonly issues: Issues,
    private readonly clusters: Clusters,
    private readonly addresses: Addresses,
  ) {}

  @Get('conversations-issues')
  @Can('organization:viewConversations')
  @Operation({
    id: 'listConversationsIssues',
    summary: 'List the issues that were found in conversations',
    description: 'Those of the latest conversations come first.',
    type: IssueOfConversationBody,
    list: true,
  })
  list(@InOrganization() { id }: OrganizationAccess, @Query() query: IssuesQuery) {
    return this.issues.list(id, query).then((page) => page.map((row) => presentIssue(row, this.addresses)));
  }

  @Get('conversations-issues/:issueId')
  @Can('organization:viewConversations')
  @Operation({
    id: 'getConversationIssueById',
    summary: 'Get an issue and the conversation that it is from',
    type: IssueOfConversationBody,
  })
  get(@InOrganization() { id }: OrganizationAccess, @Param('issueId') issueId: string) {
    return this.issues.get(id, issueId).then((row) => presentIssue(row, this.addresses));
  }

  @Get('conversations-clusters')
  @Can('organization:viewConversations')
  @Operation({
    id: 'listConversationsIssuesClusters',
    summary: 'List the clusters of issues that are alike',
    type: ClusterBody,
    list: true,
  })
  listClusters(@InOrganization() { id }: OrganizationAccess, @Query() query: ClustersQuery) {
    return this.clusters.list(id, query).then((page) => page.map((row) => presentCluster(row, this.addresses)));
  }

  @Get('conversations-clusters/:clusterId')
  @Can('organization:viewConversations')
  @Operation({ id: 'getConversationsIssuesCluster', summary: 'Get a cluster of issues', type: ClusterBody })
  getCluster(@InOrganization() { id }: OrganizationAccess, @Param('clusterId') clusterId: string) {
    return this.clusters.get(id, clusterId).then((row) => presentCluster(row, this.addresses));
  }

  @Patch('conversations-clusters/:clusterId')
  @Can('organization:reviewConversations')
  @Operation({
    id: 'updateConversationsIssuesCluster',
    summary: 'Review a cluster, or change what it says',
    description:
      'A cluster that was reviewed stays when clusters are built anew, with its id, label, summary and icon.',
    type: ClusterBody,
    errors: [412],
  })
  updateCluster(
    @InOrganization() { id }: OrganizationAccess,
    @Param('clusterId') clusterId: string,
    @Body() body: UpdateCluster,
  ) {
    return this.clusters.update(id, clusterId, body).then((row) => presentCluster(row, this.addresses));
  }
}
