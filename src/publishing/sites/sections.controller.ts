import { Body, Controller, Delete, Get, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { ByCaller, Can, InSite } from '../../kernel/access/access.decorators.js';
import type { SiteAccess } from '../../kernel/access/access.service.js';
import type { Caller } from '../../kernel/common/context.js';
import { Addresses } from '../../kernel/common/addresses.js';
import { Operation } from '../../kernel/common/operation.js';
import { setLocationHeader } from './set-location-header.js';
import { Sections } from './sections.service.js';
import { StructureViews } from './structure.views.js';
import { MoveSection } from './structure-moves.schema.js';
import { AddSection, SectionsQuery, SiteSectionBody, UpdateSection } from './structure.schema.js';

@ApiTags('Sites')
@Controller('orgs/:organizationId/sites/:siteId/sections')
export class SectionsController {
  constructor(
    private readonly sections: Sections,
    private readonly views: StructureViews,
    private readonly addresses: Addresses,
  ) {}

  @Get()
  @Can('site:view')
  @Operation({
    id: 'listSiteSections',
    summary: 'List the sections of a site',
    description: 'In order, those in groups too.',
    type: SiteSectionBody,
    list: true,
  })
  async list(@ByCaller() caller: Caller, @InSite() { id }: SiteAccess, @Query() query: SectionsQuery) {
    return this.views.sections(caller, id, query);
  }

  @Post()
  @Can('site:admin')
  @Operation({
    id: 'addSectionToSite',
    summary: 'Add a section to a site',
    description: 'Site spaces at the root of a site without sections first move into a section of their own.',
    status: 201,
    type: SiteSectionBody,
  })
  async add(
    @ByCaller() caller: Caller,
    @InSite() site: SiteAccess,
    @Body() body: AddSection,
    @Res({ passthrough: true }) response: Response,
  ) {
    return this.sections
      .add(caller, site, body)
      .then(async (row) =>
        setLocationHeader(
          response,
          this.addresses,
          site,
          `/sections/${row.id}`,
          await this.views.section(caller, site.id, row),
        ),
      );
  }

  @Patch(':siteSectionId')
  @Can('site:admin')
  @Operation({
    id: 'updateSiteSectionById',
    summary: 'Change a section',
    description: 'Absent fields keep their value.',
    type: SiteSectionBody,
    errors: [409, 412],
  })
  async update(
    @ByCaller() caller: Caller,
    @InSite() site: SiteAccess,
    @Param('siteSectionId') id: string,
    @Body() body: UpdateSection,
  ) {
    return this.sections.update(caller, site, id, body).then((row) => this.views.section(caller, site.id, row));
  }

  @Delete(':siteSectionId')
  @Can('site:admin')
  @Operation({
    id: 'deleteSiteSectionById',
    summary: 'Delete a section',
    description: 'Its spaces stay. The next in order becomes the default where this was it.',
    status: 204,
  })
  async remove(@ByCaller() caller: Caller, @InSite() site: SiteAccess, @Param('siteSectionId') id: string) {
    return this.sections.remove(caller, site, id);
  }

  @Post(':siteSectionId/move')
  @Can('site:admin')
  @Operation({
    id: 'moveSiteSection',
    summary: 'Move a section within its group',
    description: 'Before or after another one, or to the end.',
    type: SiteSectionBody,
    deprecated: true,
  })
  async move(
    @ByCaller() caller: Caller,
    @InSite() site: SiteAccess,
    @Param('siteSectionId') id: string,
    @Body() body: MoveSection = {},
  ) {
    return this.sections.move(caller, site, id, body).then((row) => this.views.section(caller, site.id, row));
  }
}
