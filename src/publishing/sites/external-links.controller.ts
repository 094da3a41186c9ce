import { Body, Controller, Delete, Param, Patch, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { ByCaller, Can, InSite } from '../../kernel/access/access.decorators.js';
import type { SiteAccess } from '../../kernel/access/access.service.js';
import { Addresses } from '../../kernel/common/addresses.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { ExternalLinks } from './external-links.service.js';
import { setLocationHeader } from './set-location-header.js';
import {
  AddExternalLink,
  presentExternalLink,
  SiteExternalLinkBody,
  UpdateExternalLink,
} from './external-links.schema.js';

@ApiTags('Sites')
@Controller('orgs/:organizationId/sites/:siteId/external-links')
export class ExternalLinksController {
  constructor(
    private readonly links: ExternalLinks,
    private readonly addresses: Addresses,
  ) {}

  @Post()
  @Can('site:admin')
  @Operation({
    id: 'addExternalLinkToSite',
    summary: 'Add a link that leads elsewhere to the structure of a site',
    description: 'At the end of the site or of a section group. The site has to have sections.',
    status: 201,
    type: SiteExternalLinkBody,
  })
  async add(
    @ByCaller() caller: Caller,
    @InSite() site: SiteAccess,
    @Body() body: AddExternalLink,
    @Res({ passthrough: true }) response: Response,
  ) {
    return this.links
      .add(caller, site, body)
      .then((row) =>
        setLocationHeader(response, this.addresses, site, `/external-links/${row.id}`, presentExternalLink(row)),
      );
  }

  @Patch(':siteExternalLinkId')
  @Can('site:admin')
  @Operation({
    id: 'updateSiteExternalLinkById',
    summary: 'Change a link in the structure of a site',
    description: 'Absent fields keep their value.',
    type: SiteExternalLinkBody,
    errors: [412],
  })
  async update(
    @ByCaller() caller: Caller,
    @InSite() site: SiteAccess,
    @Param('siteExternalLinkId') id: string,
    @Body() body: UpdateExternalLink,
  ) {
    return this.links.update(caller, site, id, body).then(presentExternalLink);
  }

  @Delete(':siteExternalLinkId')
  @Can('site:admin')
  @Operation({
    id: 'deleteSiteExternalLinkById',
    summary: 'Delete a link from the structure of a site',
    status: 204,
  })
  async remove(@ByCaller() caller: Caller, @InSite() site: SiteAccess, @Param('siteExternalLinkId') id: string) {
    return this.links.remove(caller, site, id);
  }
}
