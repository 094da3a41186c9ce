import { Body, Controller, Delete, Get, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { ByCaller, Can, InSite } from '../../kernel/access/access.decorators.js';
import type { SiteAccess } from '../../kernel/access/access.service.js';
import { Addresses } from '../../kernel/common/addresses.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { setLocationHeader } from './set-location-header.js';
import { SiteSpaceCopies } from './site-space-copies.service.js';
import { SiteSpaces } from './site-spaces.service.js';
import { MoveSiteSpace } from './structure-moves.schema.js';
import {
  AddSiteSpace,
  DuplicateSiteSpace,
  presentSiteSpace,
  SiteSpaceBody,
  type SiteSpaceRow,
  SiteSpacesQuery,
  UpdateSiteSpace,
} from './structure.schema.js';
import { StructureViews } from './structure.views.js';

@ApiTags('Sites')
@Controller('orgs/:organizationId/sites/:siteId/site-spaces')
export class SiteSpacesController {
  constructor(
    private readonly siteSpaces: SiteSpaces,
    private readonly copies: SiteSpaceCopies,
    private readonly views: StructureViews,
    private readonly addresses: Addresses,
  ) {}

  @Get()
  @Can('site:view')
  @Operation({
    id: 'listSiteSpaces',
    summary: 'List the site spaces of a site',
    description: 'In order of their sections.',
    type: SiteSpaceBody,
    list: true,
  })
  async list(@ByCaller() caller: Caller, @InSite() { id }: SiteAccess, @Query() query: SiteSpacesQuery) {
    return this.views.siteSpaces(caller, id, query);
  }

  @Post()
  @Can('site:admin')
  @Operation({ id: 'addSpaceToSite', summary: 'Add a space to a site', status: 201, type: SiteSpaceBody })
  async add(
    @ByCaller() caller: Caller,
    @InSite() site: SiteAccess,
    @Body() body: AddSiteSpace,
    @Res({ passthrough: true }) response: Response,
  ) {
    return this.siteSpaces.add(caller, site, body).then((row) => this.added(row, site, response));
  }

  @Post(':siteSpaceId/duplicate')
  @Can('site:admin')
  @Operation({
    id: 'duplicateSiteSpace',
    summary: 'Duplicate a space of a site',
    description:
      'The copy is another variant beside the original, or in a section of its own if the original is alone in its section. Requires the role admin on the space.',
    status: 201,
    type: SiteSpaceBody,
    errors: [409],
  })
  async duplicate(
    @ByCaller() caller: Caller,
    @InSite() site: SiteAccess,
    @Param('siteSpaceId') id: string,
    @Res({ passthrough: true }) response: Response,
    @Body() body: DuplicateSiteSpace = {},
  ) {
    return this.copies.duplicate(caller, site, id, body).then((row) => this.added(row, site, response));
  }

  @Patch(':siteSpaceId')
  @Can('site:admin')
  @Operation({
    id: 'updateSiteSpaceById',
    summary: 'Change a site space',
    description: 'Absent fields keep their value.',
    type: SiteSpaceBody,
    errors: [409, 412],
  })
  async update(
    @ByCaller() caller: Caller,
    @InSite() site: SiteAccess,
    @Param('siteSpaceId') id: string,
    @Body() body: UpdateSiteSpace,
  ) {
    return this.siteSpaces.update(caller, site, id, body).then((row) => presentSiteSpace(row, this.addresses));
  }

  @Delete(':siteSpaceId')
  @Can('site:admin')
  @Operation({
    id: 'deleteSiteSpaceById',
    summary: 'Take a space out of a site',
    description: 'The space stays. The next in order becomes the default where this was it.',
    status: 204,
  })
  async remove(@ByCaller() caller: Caller, @InSite() site: SiteAccess, @Param('siteSpaceId') id: string) {
    return this.siteSpaces.remove(caller, site, id);
  }

  @Post(':siteSpaceId/move')
  @Can('site:admin')
  @Operation({
    id: 'moveSiteSpace',
    summary: 'Move a site space within its section',
    description: 'Before or after another one, or to the end.',
    type: SiteSpaceBody,
    deprecated: true,
  })
  async move(
    @ByCaller() caller: Caller,
    @InSite() site: SiteAccess,
    @Param('siteSpaceId') id: string,
    @Body() body: MoveSiteSpace = {},
  ) {
    return this.siteSpaces.move(caller, site, id, body).then((row) => presentSiteSpace(row, this.addresses));
  }

  private added(row: SiteSpaceRow, site: SiteAccess, response: Response) {
    const path = `/site-spaces/${row.siteSpaceId}`;
    return setLocationHeader(response, this.addresses, site, path, presentSiteSpace(row, this.addresses));
  }
}
