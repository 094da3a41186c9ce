import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InSite } from '../access/access.decorators.js';
import type { SiteAccess } from '../access/access.service.js';
import type { Caller } from '../common/context.js';
import { Operation } from '../common/operation.js';
import { ShareKeyQuery, SiteStructureBody } from './structure.schema.js';
import { StructureViews } from './structure.views.js';

@ApiTags('Sites')
@Controller('orgs/:organizationId/sites/:siteId/structure')
export class StructureController {
  constructor(private readonly views: StructureViews) {}

  @Get()
  @Can('site:view')
  @Operation({ id: 'getSiteStructure', summary: 'Get everything that a site consists of', description: 'Sections and groups, or site spaces where there are no sections.', type: SiteStructureBody })
  async get(@ByCaller() caller: Caller, @InSite() { id }: SiteAccess, @Query() _query: ShareKeyQuery) {
    return this.views.structure(caller, id);
  }
}
