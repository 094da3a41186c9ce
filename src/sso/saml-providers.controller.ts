import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InOrganization } from '../access/access.decorators.js';
import type { OrganizationAccess } from '../access/access.service.js';
import { Addresses } from '../common/addresses.js';
import type { Caller } from '../common/context.js';
import { Operation } from '../common/operation.js';
import { PageQuery } from '../common/page-query.js';
import { SamlProviders } from './saml-providers.service.js';
import { CreateSamlProvider, presentProvider, SamlProviderBody, UpdateSamlProvider } from './saml.schema.js';

@ApiTags('Single sign-on')
@Controller('orgs/:organizationId/saml')
export class SamlProvidersController {
  constructor(
    private readonly providers: SamlProviders,
    private readonly addresses: Addresses,
  ) {}

  @Get()
  @Can('organization:admin')
  @Operation({ id: 'listSAMLProvidersInOrganizationById', summary: 'List the identity providers of an organization', type: SamlProviderBody, list: true })
  async list(@ByCaller() { userId }: Caller, @InOrganization() organization: OrganizationAccess, @Query() query: PageQuery) {
    return this.providers.list(userId, organization, query).then((page) => page.map((each) => presentProvider(each, this.addresses)));
  }

  @Post()
  @Can('organization:admin')
  @Operation({
    id: 'createOrganizationSAMLProvider',
    summary: 'Add an identity provider',
    description: 'The label is enough to begin with: the answer has what the identity provider needs to be told, and what it then shows is given with a change.',
    status: 201,
    type: SamlProviderBody,
    errors: [409],
  })
  async create(@ByCaller() { userId }: Caller, @InOrganization() organization: OrganizationAccess, @Body() body: CreateSamlProvider) {
    return this.providers.create(userId, organization, body).then((each) => presentProvider(each, this.addresses));
  }

  @Get(':samlProviderId')
  @Can('organization:admin')
  @Operation({ id: 'getOrganizationSAMLProviderById', summary: 'Get an identity provider', type: SamlProviderBody })
  async get(@ByCaller() { userId }: Caller, @InOrganization() organization: OrganizationAccess, @Param('samlProviderId') id: string) {
    return this.providers.get(userId, organization, id).then((each) => presentProvider(each, this.addresses));
  }

  @Patch(':samlProviderId')
  @Can('organization:admin')
  @Operation({
    id: 'updateOrganizationSAMLProvider',
    summary: 'Change an identity provider',
    description: 'Absent fields keep their value. With another name, certificate or address it is pending until somebody logs in.',
    type: SamlProviderBody,
    errors: [412],
  })
  async update(@ByCaller() { userId }: Caller, @InOrganization() organization: OrganizationAccess, @Param('samlProviderId') id: string, @Body() body: UpdateSamlProvider) {
    return this.providers.update(userId, organization, id, body).then((each) => presentProvider(each, this.addresses));
  }

  @Delete(':samlProviderId')
  @Can('organization:admin')
  @Operation({ id: 'deleteOrganizationSAMLProvider', summary: 'Remove an identity provider', description: 'With the tokens of those who logged in through it; the people stay members.', status: 204, errors: [412] })
  async remove(@ByCaller() { userId }: Caller, @InOrganization() { id: organizationId }: OrganizationAccess, @Param('samlProviderId') id: string) {
    return this.providers.remove(userId, organizationId, id);
  }
}
