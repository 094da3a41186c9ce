import { Body, Controller, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InOrganization } from '../../kernel/access/access.decorators.js';
import type { OrganizationAccess } from '../../kernel/access/access.service.js';
import { Addresses } from '../../kernel/common/addresses.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { PageQuery } from '../../kernel/common/page-query.js';
import {
  CreateOrganization,
  OrganizationBody,
  presentOrganization,
  UpdateOrganization,
} from './organizations.schema.js';
import { Organizations } from './organizations.service.js';

@ApiTags('Organizations, members, teams')
@Controller('orgs')
export class OrganizationsController {
  constructor(
    private readonly organizations: Organizations,
    private readonly addresses: Addresses,
  ) {}

  @Get()
  @Can('user:view')
  @Operation({
    id: 'listOrganizationsForAuthenticatedUser',
    summary: 'List the organizations of the caller',
    type: OrganizationBody,
    list: true,
    alwaysThere: true,
  })
  async list(@ByCaller() caller: Caller, @Query() query: PageQuery) {
    return this.organizations
      .list(caller, query)
      .then((page) => page.map((row) => presentOrganization(row, this.addresses)));
  }

  @Post()
  @Can('user:edit')
  @Operation({
    id: 'createOrganization',
    summary: 'Create an organization',
    description: 'The caller becomes its administrator.',
    status: 201,
    type: OrganizationBody,
  })
  async create(@ByCaller() caller: Caller, @Body() body: CreateOrganization) {
    return this.organizations.create(caller.userId, body).then((row) => presentOrganization(row, this.addresses));
  }

  @Get(':organizationId')
  @Can('organization:view')
  @Operation({ id: 'getOrganizationById', summary: 'Get an organization', type: OrganizationBody })
  async get(@ByCaller() caller: Caller, @InOrganization() { id }: OrganizationAccess) {
    return this.organizations.get(caller.userId, id).then((row) => presentOrganization(row, this.addresses));
  }

  @Patch(':organizationId')
  @Can('organization:admin')
  @Operation({
    id: 'updateOrganizationById',
    summary: 'Change the settings of an organization',
    description: 'Absent fields keep their value.',
    type: OrganizationBody,
    errors: [409, 412],
  })
  async update(
    @ByCaller() caller: Caller,
    @InOrganization() { id }: OrganizationAccess,
    @Body() body: UpdateOrganization,
  ) {
    return this.organizations.update(caller.userId, id, body).then((row) => presentOrganization(row, this.addresses));
  }
}
