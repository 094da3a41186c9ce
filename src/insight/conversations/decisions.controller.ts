import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Can, InOrganization } from '../../kernel/access/access.decorators.js';
import type { OrganizationAccess } from '../../kernel/access/access.service.js';
import { Addresses } from '../../kernel/common/addresses.js';
import { Operation } from '../../kernel/common/operation.js';
import { DecisionBody, DecisionsQuery, MergeClusters, presentDecision, SplitCluster } from './decisions.schema.js';
import { Decisions } from './decisions.service.js';

@ApiTags('Conversations')
@Controller('orgs/:organizationId')
export class DecisionsController {
  constructor(
    private readonly decisions: Decisions,
    private readonly addresses: Addresses,
  ) {}

  @Post('conversations-clusters/:clusterId/merge')
  @Can('organization:reviewConversations')
  @Operation({
    id: 'mergeConversationsClusters',
    summary: 'Merge another cluster into a cluster',
    description:
      'The cluster keeps its id and what it says, and gets all issues of the other one, at once and in every rebuild; new issues that are like those of either join it. The other cluster is not listed any more, and names the one that it is part of. deleteConversationsDecision undoes it.',
    status: 201,
    type: DecisionBody,
    errors: [409, 412],
  })
  merge(
    @InOrganization() { id }: OrganizationAccess,
    @Param('clusterId') clusterId: string,
    @Body() { cluster }: MergeClusters,
  ) {
    return this.decisions.merge(id, clusterId, cluster).then((row) => presentDecision(row, this.addresses));
  }

  @Post('conversations-clusters/:clusterId/split')
  @Can('organization:reviewConversations')
  @Operation({
    id: 'splitConversationsCluster',
    summary: 'Make issues of a cluster a cluster of their own',
    description:
      'They stay together and apart from the others in every rebuild, and new issues that are like them join them. deleteConversationsDecision undoes it.',
    status: 201,
    type: DecisionBody,
    errors: [409, 412],
  })
  split(
    @InOrganization() { id }: OrganizationAccess,
    @Param('clusterId') clusterId: string,
    @Body() body: SplitCluster,
  ) {
    return this.decisions.split(id, clusterId, body).then((row) => presentDecision(row, this.addresses));
  }

  @Get('conversations-decisions')
  @Can('organization:viewConversations')
  @Operation({
    id: 'listConversationsDecisions',
    summary: 'List the merges and splits of clusters',
    description: 'The latest come first. Every rebuild respects them until they are undone.',
    type: DecisionBody,
    list: true,
  })
  list(@InOrganization() { id }: OrganizationAccess, @Query() query: DecisionsQuery) {
    return this.decisions.list(id, query).then((page) => page.map((row) => presentDecision(row, this.addresses)));
  }

  @Get('conversations-decisions/:decisionId')
  @Can('organization:viewConversations')
  @Operation({ id: 'getConversationsDecision', summary: 'Get a merge or a split of clusters', type: DecisionBody })
  get(@InOrganization() { id }: OrganizationAccess, @Param('decisionId') decisionId: string) {
    return this.decisions.get(id, decisionId).then((row) => presentDecision(row, this.addresses));
  }

  @Delete('conversations-decisions/:decisionId')
  @Can('organization:reviewConversations')
  @Operation({
    id: 'deleteConversationsDecision',
    summary: 'Undo a merge or a split of clusters',
    description:
      'After a merge, the other cluster is listed again with the issues that it brought. After a split, all issues of the new cluster go back and the cluster is removed, unless a change request is linked with it. Later decisions about the same clusters are undone first: until then, it answers 409.',
    status: 204,
    errors: [409],
  })
  undo(@InOrganization() { id }: OrganizationAccess, @Param('decisionId') decisionId: string) {
    return this.decisions.undo(id, decisionId);
  }
}
