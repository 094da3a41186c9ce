import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InOrganization, InSpace, LeavesOutHiddenPages } from '../../kernel/access/access.decorators.js';
import type { OrganizationAccess, SpaceAccess } from '../../kernel/access/access.service.js';
import { Addresses } from '../../kernel/common/addresses.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { PageQuery } from '../../kernel/common/page-query.js';
import { ChangeRequestBody, presentChangeRequest } from './change-request.schema.js';
import {
  ChangeRequestListQuery,
  ChangeRequestQuery,
  CreateChangeRequest,
  UpdateChangeRequest,
} from './change-requests.schema.js';
import { ChangeRequests } from './change-requests.service.js';
import { MergeGate } from './merge-gate.js';
import {
  ConflictsBody,
  MergeChecksBody,
  MergeResultBody,
  presentConflicts,
  UpdateRequest,
  UpdateResultBody,
} from './merges.schema.js';
import { MergeConflicts } from './merge-conflicts.service.js';
import { Merges } from './merges.service.js';
import { RequestDescriptions } from './request-descriptions.js';
import { RequestUpdates } from './request-updates.service.js';

@ApiTags('Change requests')
@LeavesOutHiddenPages()
@Controller()
export class ChangeRequestsController {
  constructor(
    private readonly requests: ChangeRequests,
    private readonly merges: Merges,
    private readonly updates: RequestUpdates,
    private readonly mergeConflicts: MergeConflicts,
    private readonly gate: MergeGate,
    private readonly addresses: Addresses,
    private readonly descriptions: RequestDescriptions,
  ) {}

  @Get('spaces/:spaceId/change-requests')
  @Can('space:view')
  @Operation({
    id: 'listChangeRequestsForSpace',
    summary: 'List the change requests of a space',
    type: ChangeRequestBody,
    list: true,
  })
  list(@InSpace() space: SpaceAccess, @Query() query: ChangeRequestListQuery) {
    return this.requests
      .list(space.id, query)
      .then((page) => page.map((row) => presentChangeRequest(row, space, this.addresses)));
  }

  @Get('orgs/:organizationId/change-requests')
  @Can('organization:view')
  @Operation({
    id: 'listChangeRequestsForOrganization',
    summary: 'List the change requests of all spaces that the caller can see',
    type: ChangeRequestBody,
    list: true,
  })
  listInOrganization(
    @ByCaller() caller: Caller,
    @InOrganization() organization: OrganizationAccess,
    @Query() query: ChangeRequestListQuery,
  ) {
    return this.requests
      .listInOrganization(caller, organization.id, query)
      .then((page) => page.map((row) => presentChangeRequest(row, organization, this.addresses)));
  }

  @Post('spaces/:spaceId/change-requests')
  @Can('space:propose')
  @Operation({
    id: 'createChangeRequest',
    summary: 'Create a change request as a draft',
    status: 201,
    type: ChangeRequestBody,
  })
  create(@ByCaller() caller: Caller, @InSpace() space: SpaceAccess, @Body() body: CreateChangeRequest) {
    return this.requests.create(caller, space.id, body).then((row) => presentChangeRequest(row, space, this.addresses));
  }

  @Get('spaces/:spaceId/change-requests/:changeRequestId')
  @Can('space:view')
  @Operation({
    id: 'getChangeRequestById',
    summary: 'Get a change request by its id or its number',
    type: ChangeRequestBody,
  })
  get(
    @InSpace() space: SpaceAccess,
    @Param('changeRequestId') changeRequestId: string,
    @Query() { format }: ChangeRequestQuery,
  ) {
    return this.descriptions.shown(space, changeRequestId, format);
  }

  @Patch('spaces/:spaceId/change-requests/:changeRequestId')
  @Can('space:propose')
  @Operation({
    id: 'updateChangeRequestById',
    summary: 'Change the subject, description or status',
    type: ChangeRequestBody,
    errors: [409, 412],
  })
  update(
    @ByCaller() caller: Caller,
    @InSpace() space: SpaceAccess,
    @Param('changeRequestId') changeRequestId: string,
    @Body() { description, ...body }: UpdateChangeRequest,
  ) {
    return this.descriptions
      .read(space, changeRequestId, description)
      .then((given) => this.requests.update(caller, space.id, changeRequestId, { ...body, ...given }))
      .then((row) => presentChangeRequest(row, space, this.addresses));
  }

  @Post('spaces/:spaceId/change-requests/:changeRequestId/merge')
  @Can('space:merge')
  @Operation({
    id: 'mergeChangeRequest',
    summary: 'Merge a change request into the primary content',
    description:
      'With conflicts nothing is applied: both sides changed the same thing, or put different blocks in the place of the same ones. Merging again answers with the revision of the first merge. Merge rules that are not fulfilled answer 403 and name the first of them. A merge after which the space would hold more than a space can answers 409.',
    status: 200,
    type: MergeResultBody,
    errors: [409, 412, 422],
  })
  merge(@ByCaller() caller: Caller, @InSpace() { id }: SpaceAccess, @Param('changeRequestId') changeRequestId: string) {
    return this.merges.merge(caller, id, changeRequestId);
  }

  @Post('spaces/:spaceId/change-requests/:changeRequestId/update')
  @Can('space:propose')
  @Operation({
    id: 'updateChangeRequest',
    summary: 'Pull the primary content into a change request',
    description: 'Conflicts can be settled in the body; while one is open nothing is applied.',
    type: UpdateResultBody,
    errors: [409, 412, 422],
  })
  pull(
    @ByCaller() caller: Caller,
    @InSpace() { id }: SpaceAccess,
    @Param('changeRequestId') changeRequestId: string,
    @Body() body: UpdateRequest,
  ) {
    return this.updates.update(caller, id, changeRequestId, body);
  }

  @Get('spaces/:spaceId/change-requests/:changeRequestId/conflicts')
  @Can('space:view')
  @Operation({
    id: 'listChangeRequestConflicts',
    summary: 'List the conflicts with the primary content',
    description:
      'A conflict of the kind `blocks` is about a place: blocks that one side replaced and the other took away, replaced or changed. Its versions are lists of blocks, an empty one where a side has nothing there. Keeping a side keeps its list.',
    type: ConflictsBody,
    errors: [422],
  })
  conflicts(
    @InSpace() space: SpaceAccess,
    @Param('changeRequestId') changeRequestId: string,
    @Query() query: PageQuery,
  ) {
    return this.mergeConflicts.list(space, changeRequestId, query).then(presentConflicts);
  }

  @Get('spaces/:spaceId/change-requests/:changeRequestId/merge-checks')
  @Can('space:view')
  @Operation({
    id: 'getChangeRequestMergeChecks',
    summary: 'See what the merge rules say to a merge by the caller',
    description: 'Nothing is merged. The rules are asked again when it is.',
    type: MergeChecksBody,
  })
  checks(
    @ByCaller() caller: Caller,
    @InSpace() { id }: SpaceAccess,
    @Param('changeRequestId') changeRequestId: string,
  ) {
    return this.gate.preview(caller, id, changeRequestId);
  }
}
