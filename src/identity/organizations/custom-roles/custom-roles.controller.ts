import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InOrganization } from '../../../kernel/access/access.decorators.js';
import type { OrganizationAccess } from '../../../kernel/access/access.service.js';
import { Addresses } from '../../../kernel/common/addresses.js';
import type { Caller } from '../../../kernel/common/context.js';
import { Operation } from '../../../kernel/common/operation.js';
import { PageQuery } from '../../../kernel/common/page-query.js';
import {
  CreateCustomRole,
  CustomRoleBody,
  CustomRolePermissionBody,
  presentAssignable,
  presentCustomRole,
  UpdateCustomRole,
} from './custom-roles.schema.js';
import { CustomRoles } from './custom-roles.service.js';

@ApiTags('Organizations, members, teams')
@Controller('orgs/:organizationId')
export class CustomRolesController {
  constructor(
    private readonly roles: CustomRoles,
    private readonly addresses: Addresses,
  ) {}

  @Get('custom-role-permissions')
  @Can('organization:viewRoles')
  @Operation({
    id: 'listCustomRolePermissions',
    summary: 'List the permissions that custom roles can add',
    type: CustomRolePermissionBody,
    list: true,
  })
  listPermissions(@Query() query: PageQuery) {
    return this.roles.permissions(query).map(presentAssignable);
  }

  @Get('custom-roles')
  @Can('organization:viewRoles')
  @Operation({
    id: 'listCustomRoles',
    summary: 'List the custom roles of an organization',
    type: CustomRoleBody,
    list: true,
  })
  async list(@InOrganization() { id }: OrganizationAccess, @Query() query: PageQuery) {
    return this.roles.list(id, query).then((page) => page.map((row) => presentCustomRole(row, this.addresses)));
  }

  @Post('custom-roles')
  @Can('organization:manageRoles')
  @Operation({
    id: 'createCustomRole',
    summary: 'Make a custom role: a role of the service, with permissions beyond it',
    status: 201,
    type: CustomRoleBody,
    errors: [409],
  })
  async create(
    @ByCaller() { userId }: Caller,
    @InOrganization() { id }: OrganizationAccess,
    @Body() body: CreateCustomRole,
  ) {
    return this.roles.create(userId, id, body).then((row) => presentCustomRole(row, this.addresses));
  }

  @Get('custom-roles/:customRoleId')
  @Can('organization:viewRoles')
  @Operation({ id: 'getCustomRoleById', summary: 'Get a custom role', type: CustomRoleBody })
  async get(@InOrganization() { id }: OrganizationAccess, @Param('customRoleId') customRoleId: string) {
    return this.roles.get(id, customRoleId).then((row) => presentCustomRole(row, this.addresses));
  }

  @Patch('custom-roles/:customRoleId')
  @Can('organization:manageRoles')
  @Operation({
    id: 'updateCustomRoleById',
    summary: 'Change a custom role, for all of its holders at once',
    description: 'Absent fields keep their value.',
    type: CustomRoleBody,
    errors: [412],
  })
  async update(
    @ByCaller() { userId }: Caller,
    @InOrganization() { id }: OrganizationAccess,
    @Param('customRoleId') customRoleId: string,
    @Body() body: UpdateCustomRole,
  ) {
    return this.roles.update(userId, id, customRoleId, body).then((row) => presentCustomRole(row, this.addresses));
  }

  @Delete('custom-roles/:customRoleId')
  @Can('organization:manageRoles')
  @Operation({
    id: 'deleteCustomRoleById',
    summary: 'Delete a custom role',
    description: 'Its holders keep the base of the role, and nothing beyond it.',
    status: 204,
    errors: [412],
  })
  async remove(
    @ByCaller() { userId }: Caller,
    @InOrganization() { id }: OrganizationAccess,
    @Param('customRoleId') customRoleId: string,
  ) {
    return this.roles.remove(userId, id, customRoleId);
  }
}
