import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InOrganization, InSite } from '../../kernel/access/access.decorators.js';
import type { OrganizationAccess, SiteAccess } from '../../kernel/access/access.service.js';
import { Addresses } from '../../kernel/common/addresses.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { CreateSite, presentSite, SiteBody, SitesQuery, UpdateSite } from './sites.schema.js';
import { SiteTemplates } from './site-templates.service.js';
import { Sites } from './sites.service.js';

@ApiTags('Sites')
@Controller('orgs/:organizationId/sites')
export class SitesController {
  constructor(
    private readonly sites: Sites,
    private readonly templates: SiteTemplates,
    private readonly addresses: Addresses,
  ) {}

  @Get()
  @Can('organization:view')
  @Operation({
    id: 'listSites',
    summary: 'List the sites of an organization that the caller can see',
    type: SiteBody,
    list: true,
  })
  async list(@ByCaller() caller: Caller, @InOrganization() { id }: OrganizationAccess, @Query() query: SitesQuery) {
    return this.sites.list(caller, id, query).then((page) => page.map((row) => presentSite(row, this.addresses)));
  }

  @Post()
  @Can('organization:createContent')
  @Operation({
    id: 'createSite',
    summary: 'Create a site',
    description: 'It is not published yet. The caller administers it.',
    status: 201,
    type: SiteBody,
    errors: [409],
  })
  async create(
    @ByCaller() caller: Caller,
    @InOrganization() { id }: OrganizationAccess,
    @Body() body: CreateSite = {},
  ) {
    return this.sites.create(caller, id, body).then((row) => presentSite(row, this.addresses));
  }

  @Get(':siteId')
  @Can('site:view')
  @Operation({ id: 'getSiteById', summary: 'Get a site', type: SiteBody })
  async get(@ByCaller() caller: Caller, @InSite() { id }: SiteAccess) {
    return this.sites.view(caller, id).then((row) => presentSite(row, this.addresses));
  }

  @Patch(':siteId')
  @Can('site:admin')
  @Operation({
    id: 'updateSiteById',
    summary: 'Change the settings of a site',
    description: 'Absent fields keep their value.',
    type: SiteBody,
    errors: [409, 412],
  })
  async update(@ByCaller() caller: Caller, @InSite() site: SiteAccess, @Body() body: UpdateSite) {
    return this.sites.update(caller, site, body).then((row) => presentSite(row, this.addresses));
  }

  @Delete(':siteId')
  @Can('site:admin')
  @Operation({
    id: 'deleteSiteById',
    summary: 'Delete a site',
    description: 'Its structure and customization go with it; spaces and their content stay.',
    status: 204,
  })
  async remove(@ByCaller() caller: Caller, @InSite() site: SiteAccess) {
    return this.sites.remove(caller, site);
  }

  @Post(':siteId/template')
  @Can('site:admin')
  @Operation({
    id: 'applyTemplateToSite',
    summary: 'Fill an empty site with the default documentation',
    description:
      'Three sections, each with a space of its own that is made from a template: documentation, API reference and changelog. They link to each other. Takes the permission to create content in the organization.',
    type: SiteBody,
    errors: [409],
  })
  async applyTemplate(
    @ByCaller() caller: Caller,
    @InOrganization() organization: OrganizationAccess,
    @InSite() site: SiteAccess,
  ) {
    return this.templates
      .apply(caller, organization, site)
      .then(() => this.sites.view(caller, site.id))
      .then((row) => presentSite(row, this.addresses));
  }

  @Post(':siteId/publish')
  @Can('site:publish')
  @Operation({ id: 'publishSite', summary: 'Publish a site to its audience', type: SiteBody, errors: [412] })
  async publish(@ByCaller() caller: Caller, @InSite() site: SiteAccess) {
    return this.sites.setPublished(caller, site, true).then((row) => presentSite(row, this.addresses));
  }

  @Post(':siteId/unpublish')
  @Can('site:publish')
  @Operation({
    id: 'unpublishSite',
    summary: 'Take a published site away from its audience',
    description: 'Its settings stay as they are.',
    type: SiteBody,
    errors: [412],
  })
  async unpublish(@ByCaller() caller: Caller, @InSite() site: SiteAccess) {
    return this.sites.setPublished(caller, site, false).then((row) => presentSite(row, this.addresses));
  }
}
