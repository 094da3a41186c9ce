import {
  Body,
  Controller,
  Delete,
  Get,
  Param,
  Patch,
  Post,
  Put,
  Query,
  UseFilters,
  UseInterceptors,
} from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InOrganization } from '../../kernel/access/access.decorators.js';
import type { OrganizationAccess } from '../../kernel/access/access.service.js';
import { Addresses } from '../../kernel/common/addresses.js';
import type { Caller } from '../../kernel/common/context.js';
import { withAttributes } from './user-attributes.js';
import { presentScimGroup, presentScimList } from './present-scim.js';
import { ScimErrorsFilter } from './scim-errors.filter.js';
import { ScimGroups, type ProvisionedGroup } from './scim-groups.service.js';
import { ScimMediaInterceptor } from './scim-media.interceptor.js';
import {
  ScimAttributesQuery,
  ScimGroupBody,
  ScimGroupInput,
  ScimGroupsBody,
  ScimListQuery,
  ScimGroupPatch,
  ScimOperation,
} from './scim.schema.js';

@ApiTags('Provisioning')
@Controller('orgs/:organizationId/scim/v2/Groups')
@UseFilters(ScimErrorsFilter)
@UseInterceptors(ScimMediaInterceptor)
export class ScimGroupsController {
  constructor(
    private readonly groups: ScimGroups,
    private readonly addresses: Addresses,
  ) {}

  @Get()
  @Can('organization:manageMembers')
  @ScimOperation({
    id: 'listScimGroups',
    summary: 'List the teams of an organization, by SCIM',
    description: 'A page with members has at most 10 groups; one without them (`excludedAttributes=members`) 100.',
    type: ScimGroupsBody,
  })
  async list(@InOrganization() { id }: OrganizationAccess, @Query() query: ScimListQuery) {
    return this.groups.list(id, query).then((page) => presentScimList(page, query, this.presenter(id)));
  }

  @Post()
  @Can('organization:manageMembers')
  @ScimOperation({
    id: 'createScimGroup',
    summary: 'Make a team, by SCIM',
    status: 201,
    type: ScimGroupBody,
    errors: [409],
  })
  async create(
    @ByCaller() { userId }: Caller,
    @InOrganization() organization: OrganizationAccess,
    @Body() body: ScimGroupInput,
  ) {
    return this.groups.create(userId, organization, body).then(this.presenter(organization.id));
  }

  @Get(':teamId')
  @Can('organization:manageMembers')
  @ScimOperation({ id: 'getScimGroup', summary: 'Get a team with its members, by SCIM', type: ScimGroupBody })
  async get(
    @InOrganization() { id }: OrganizationAccess,
    @Param('teamId') teamId: string,
    @Query() query: ScimAttributesQuery,
  ) {
    return withAttributes(this.presenter(id)(await this.groups.get(id, teamId)), query);
  }

  @Put(':teamId')
  @Can('organization:manageMembers')
  @ScimOperation({
    id: 'replaceScimGroup',
    summary: 'Replace the title and the members of a team, by SCIM',
    description: 'Members who stay keep their role in the team.',
    type: ScimGroupBody,
    errors: [409],
  })
  async replace(
    @ByCaller() { userId }: Caller,
    @InOrganization() organization: OrganizationAccess,
    @Param('teamId') teamId: string,
    @Body() body: ScimGroupInput,
  ) {
    return this.presenter(organization.id)(await this.groups.replace(userId, organization, teamId, body));
  }

  @Patch(':teamId')
  @Can('organization:manageMembers')
  @ScimOperation({
    id: 'updateScimGroup',
    summary: 'Change the title or the members of a team, by SCIM',
    type: ScimGroupBody,
    errors: [409],
  })
  async update(
    @ByCaller() { userId }: Caller,
    @InOrganization() organization: OrganizationAccess,
    @Param('teamId') teamId: string,
    @Body() { Operations }: ScimGroupPatch,
  ) {
    return this.presenter(organization.id)(await this.groups.patch(userId, organization, teamId, Operations));
  }

  @Delete(':teamId')
  @Can('organization:manageMembers')
  @ScimOperation({ id: 'deleteScimGroup', summary: 'Delete a team with its grants, by SCIM', status: 204 })
  async remove(
    @ByCaller() { userId }: Caller,
    @InOrganization() { id }: OrganizationAccess,
    @Param('teamId') teamId: string,
  ) {
    return this.groups.remove(userId, id, teamId);
  }

  private presenter(organizationId: string): (group: ProvisionedGroup) => ScimGroupBody {
    return (group) => presentScimGroup(group, { organizationId, addresses: this.addresses });
  }
}
