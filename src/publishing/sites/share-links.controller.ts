import { Body, Controller, Delete, Get, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { ByCaller, Can, InSite } from '../../kernel/access/access.decorators.js';
import type { SiteAccess } from '../../kernel/access/access.service.js';
import { Addresses } from '../../kernel/common/addresses.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { PageQuery } from '../../kernel/common/page-query.js';
import { ShowsSecret } from '../../kernel/platform/idempotency.interceptor.js';
import { setLocationHeader } from './set-location-header.js';
import { CreateShareLink, presentShareLink, ShareLinkBody, UpdateShareLink } from './share-links.schema.js';
import { ShareLinks } from './share-links.service.js';

@ApiTags('Sites')
@Controller('orgs/:organizationId/sites/:siteId/share-links')
export class ShareLinksController {
  constructor(
    private readonly links: ShareLinks,
    private readonly addresses: Addresses,
  ) {}

  @Get()
  @Can('site:readAuth')
  @Operation({
    id: 'listSiteShareLinks',
    summary: 'List the share links of a site, newest first',
    type: ShareLinkBody,
    list: true,
  })
  async list(@InSite() { id }: SiteAccess, @Query() query: PageQuery) {
    return this.links.list(id, query).then((page) => page.map((row) => presentShareLink(row, this.addresses)));
  }

  @Post()
  @Can('site:writeAuth')
  @ShowsSecret()
  @Operation({
    id: 'createSiteShareLink',
    summary: 'Create a share link',
    description: 'Readers with its address see the site while its visibility is `share-link`.',
    status: 201,
    type: ShareLinkBody,
  })
  async create(
    @ByCaller() caller: Caller,
    @InSite() site: SiteAccess,
    @Body() body: CreateShareLink,
    @Res({ passthrough: true }) response: Response,
  ) {
    return this.links
      .create(caller, site, body)
      .then((row) =>
        setLocationHeader(
          response,
          this.addresses,
          site,
          `/share-links/${row.id}`,
          presentShareLink(row, this.addresses),
        ),
      );
  }

  @Patch(':shareLinkId')
  @Can('site:writeAuth')
  @Operation({
    id: 'updateSiteShareLinkById',
    summary: 'Rename a share link, or switch it on or off',
    description: 'Absent fields keep their value.',
    type: ShareLinkBody,
    errors: [412],
  })
  async update(
    @ByCaller() caller: Caller,
    @InSite() site: SiteAccess,
    @Param('shareLinkId') id: string,
    @Body() body: UpdateShareLink,
  ) {
    return this.links.update(caller, site, id, body).then((row) => presentShareLink(row, this.addresses));
  }

  @Delete(':shareLinkId')
  @Can('site:writeAuth')
  @Operation({
    id: 'deleteSiteShareLinkById',
    summary: 'Take a share link back',
    description: 'Readers with its address get 404 from the next request on.',
    status: 204,
  })
  async remove(@ByCaller() caller: Caller, @InSite() site: SiteAccess, @Param('shareLinkId') id: string) {
    return this.links.remove(caller, site, id);
  }
}
