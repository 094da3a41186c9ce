import { Body, Controller, Delete, Get, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { ByCaller, Can, InSite } from '../../kernel/access/access.decorators.js';
import type { SiteAccess } from '../../kernel/access/access.service.js';
import { Addresses } from '../../kernel/common/addresses.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { PageQuery } from '../../kernel/common/page-query.js';
import { setLocationHeader } from './set-location-header.js';
import { SectionGroups } from './section-groups.service.js';
import { MoveSectionGroup } from './structure-sort.schema.js';
import { StructureSort } from './structure-sort.service.js';
import { StructureViews } from './structure.views.js';
import { AddSectionGroup, AddSectionToGroup, SiteSectionGroupBody, UpdateSectionGroup } from './structure.schema.js';

@ApiTags('Section groups')
@Controller('orgs/:organizationId/sites/:siteId/section-groups')
export class SectionGroupsController {
  constructor(
    private readonly groups: SectionGroups,
    private readonly sort: StructureSort,
    private readonly views: StructureViews,
    private readonly addresses: Addresses,
  ) {}

  @Get()
  @Can('site:view')
  @Operation({
    id: 'listSiteSectionGroups',
    summary: 'List the section groups of a site',
    description: 'In order, those in other groups too.',
    type: SiteSectionGroupBody,
    list: true,
  })
  async list(@ByCaller() caller: Caller, @InSite() { id }: SiteAccess, @Query() query: PageQuery) {
    return this.views.groups(caller, id, query);
  }

  @Post()
  @Can('site:admin')
  @Operation({
    id: 'addSectionGroupToSite',
    summary: 'Add a section group to a site',
    status: 201,
    type: SiteSectionGroupBody,
  })
  async add(
    @ByCaller() caller: Caller,
    @InSite() site: SiteAccess,
    @Body() body: AddSectionGroup,
    @Res({ passthrough: true }) response: Response,
  ) {
    return this.groups
      .add(caller, site, body)
      .then(async (row) =>
        setLocationHeader(
          response,
          this.addresses,
          site,
          `/section-groups/${row.id}`,
          await this.views.group(caller, site.id, row),
        ),
      );
  }

  @Patch(':siteSectionGroupId')
  @Can('site:admin')
  @Operation({
    id: 'updateSiteSectionGroupById',
    summary: 'Change a section group',
    description: 'Absent fields keep their value.',
    type: SiteSectionGroupBody,
    errors: [412],
  })
  async update(
    @ByCaller() caller: Caller,
    @InSite() site: SiteAccess,
    @Param('siteSectionGroupId') id: string,
    @Body() body: UpdateSectionGroup,
  ) {
    return this.groups.update(caller, site, id, body).then((row) => this.views.group(caller, site.id, row));
  }

  @Delete(':siteSectionGroupId')
  @Can('site:admin')
  @Operation({
    id: 'deleteSiteSectionGroupById',
    summary: 'Delete a section group',
    description: 'Its sections move to the place of the group.',
    status: 204,
  })
  async remove(@ByCaller() caller: Caller, @InSite() site: SiteAccess, @Param('siteSectionGroupId') id: string) {
    return this.groups.remove(caller, site, id);
  }

  @Post(':siteSectionGroupId/move')
  @Can('site:admin')
  @Operation({
    id: 'moveSiteSectionGroup',
    summary: 'Move a section group',
    description: 'Places it beside a section or another group, in the same parent, or at the end of the site.',
    type: SiteSectionGroupBody,
    deprecated: true,
  })
  async move(
    @ByCaller() caller: Caller,
    @InSite() site: SiteAccess,
    @Param('siteSectionGroupId') id: string,
    @Body() body: MoveSectionGroup = {},
  ) {
    return this.sort
      .move(caller, site, { type: 'site-section-group', id }, body.position)
      .then(() => this.views.groupById(caller, site.id, id));
  }

  @Post(':siteSectionGroupId/sections')
  @Can('site:admin')
  @Operation({
    id: 'addSectionToGroup',
    summary: 'Move a section into a group',
    status: 201,
    type: SiteSectionGroupBody,
  })
  async addSection(
    @ByCaller() caller: Caller,
    @InSite() site: SiteAccess,
    @Param('siteSectionGroupId') id: string,
    @Body() body: AddSectionToGroup,
    @Res({ passthrough: true }) response: Response,
  ) {
    return this.groups
      .addSection(caller, site, id, body.sectionId)
      .then(async (row) =>
        setLocationHeader(
          response,
          this.addresses,
          site,
          `/section-groups/${row.id}`,
          await this.views.group(caller, site.id, row),
        ),
      );
  }

  @Delete(':siteSectionGroupId/sections/:siteSectionId')
  @Can('site:admin')
  @Operation({
    id: 'removeSectionFromGroup',
    summary: 'Move a section out of a group to the root of the site',
    status: 204,
  })
  async removeSection(
    @ByCaller() caller: Caller,
    @InSite() site: SiteAccess,
    @Param('siteSectionGroupId') id: string,
    @Param('siteSectionId') sectionId: string,
  ) {
    return this.groups.removeSection(caller, site, id, sectionId);
  }
}
