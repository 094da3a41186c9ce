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
import { presentScimList, presentScimUser } from './present-scim.js';
import { ScimErrorsFilter } from './scim-errors.filter.js';
import { ScimMediaInterceptor } from './scim-media.interceptor.js';
import { ScimUsers, type ProvisionedUser } from './scim-users.service.js';
import {
  ScimAttributesQuery,
  ScimListQuery,
  ScimUserPatch,
  ScimUserBody,
  ScimUserInput,
  ScimUsersBody,
  ScimOperation,
} from './scim.schema.js';

@ApiTags('Provisioning')
@Controller('orgs/:organizationId/scim/v2/Users')
@UseFilters(ScimErrorsFilter)
@UseInterceptors(ScimMediaInterceptor)
export class ScimUsersController {
  constructor(
    private readonly users: ScimUsers,
    private readonly addresses: Addresses,
  ) {}

  @Get()
  @Can('organization:manageMembers')
  @ScimOperation({ id: 'listScimUsers', summary: 'List the members of an organization, by SCIM', type: ScimUsersBody })
  async list(@InOrganization() { id }: OrganizationAccess, @Query() query: ScimListQuery) {
    return this.users.list(id, query).then((page) => presentScimList(page, query, this.presenter(id)));
  }

  @Post()
  @Can('organization:manageMembers')
  @ScimOperation({
    id: 'createScimUser',
    summary: 'Make a member, by SCIM',
    description:
      'Makes an account as well. 409 for the address of an account that is there already: such people are invited. Former members whom the provider managed come back with their account.',
    status: 201,
    type: ScimUserBody,
    errors: [409],
  })
  async create(
    @ByCaller() { userId }: Caller,
    @InOrganization() organization: OrganizationAccess,
    @Body() body: ScimUserInput,
  ) {
    return this.users.create(userId, organization, body).then(this.presenter(organization.id));
  }

  @Get(':userId')
  @Can('organization:manageMembers')
  @ScimOperation({ id: 'getScimUser', summary: 'Get a member, by SCIM', type: ScimUserBody })
  async get(
    @InOrganization() { id }: OrganizationAccess,
    @Param('userId') userId: string,
    @Query() query: ScimAttributesQuery,
  ) {
    return withAttributes(this.presenter(id)(await this.users.get(id, userId)), query);
  }

  @Put(':userId')
  @Can('organization:manageMembers')
  @ScimOperation({
    id: 'replaceScimUser',
    summary: 'Change a member, by SCIM',
    description:
      'Absent attributes stay as they are. The name and the address change only for accounts that the provider made.',
    type: ScimUserBody,
    errors: [409],
  })
  async replace(
    @ByCaller() caller: Caller,
    @InOrganization() organization: OrganizationAccess,
    @Param('userId') userId: string,
    @Body() body: ScimUserInput,
  ) {
    return this.presenter(organization.id)(await this.users.update(caller.userId, organization, userId, body));
  }

  @Patch(':userId')
  @Can('organization:manageMembers')
  @ScimOperation({
    id: 'updateScimUser',
    summary: 'Change attributes of a member, by SCIM',
    description: 'With `active` false the member keeps teams and grants, and opens nothing in the organization.',
    type: ScimUserBody,
    errors: [409],
  })
  async update(
    @ByCaller() caller: Caller,
    @InOrganization() organization: OrganizationAccess,
    @Param('userId') userId: string,
    @Body() { Operations }: ScimUserPatch,
  ) {
    return this.users
      .patch(caller.userId, organization, userId, Operations, this.presenter(organization.id))
      .then(this.presenter(organization.id));
  }

  @Delete(':userId')
  @Can('organization:manageMembers')
  @ScimOperation({
    id: 'deleteScimUser',
    summary: 'End a membership, by SCIM',
    description: 'The account stays: the provider may make the same person a member again.',
    status: 204,
    errors: [409],
  })
  async remove(
    @ByCaller() caller: Caller,
    @InOrganization() { id }: OrganizationAccess,
    @Param('userId') userId: string,
  ) {
    return this.users.remove(caller.userId, id, userId);
  }

  private presenter(organizationId: string): (user: ProvisionedUser) => ScimUserBody {
    return (user) => presentScimUser(user, { organizationId, addresses: this.addresses });
  }
}
