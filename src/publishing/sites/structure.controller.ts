import { Body, Controller, Get, Patch, Query } from '@nestjs/common';
import { ApiTags, getSchemaPath } from '@nestjs/swagger';
import { ByCaller, Can, InSite } from '../../kernel/access/access.decorators.js';
import type { SiteAccess } from '../../kernel/access/access.service.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { SiteExternalLinkBody } from './external-links.schema.js';
import { SortStructure } from './structure-sort.schema.js';
import { StructureSort } from './structure-sort.service.js';
import {
  ShareKeyQuery,
  SiteSectionBody,
  SiteSectionGroupBody,
  SiteSpaceBody,
  SiteStructureBody,
} from './structure.schema.js';
import { StructureViews } from './structure.views.js';

@ApiTags('Sites')
@Controller('orgs/:organizationId/sites/:siteId/structure')
export class StructureController {
  constructor(
    private readonly views: StructureViews,
    private readonly sorting: StructureSort,
  ) {}

  @Get()
  @Can('site:view')
  @Operation({
    id: 'getSiteStructure',
    summary: 'Get everything that a site consists of',
    description: 'Sections, groups and links elsewhere, or site spaces where there are no sections.',
    type: SiteStructureBody,
  })
  async get(@ByCaller() caller: Caller, @InSite() { id }: SiteAccess, @Query() { shareKey }: ShareKeyQuery) {
    return this.views.structure(caller, id, shareKey);
  }

  @Patch('sort')
  @Can('site:admin')
  @Operation({
    id: 'sortSiteStructure',
    summary: 'Move a site space, section, section group or link',
    description:
      'Beside another item, into the section or group that it is in. A site space that goes to another section keeps its path, with a suffix where that is taken there.',
    schema: {
      schema: {
        oneOf: [SiteSpaceBody, SiteSectionBody, SiteSectionGroupBody, SiteExternalLinkBody].map((body) => ({
          $ref: getSchemaPath(body),
        })),
      },
    },
  })
  async sort(@ByCaller() caller: Caller, @InSite() site: SiteAccess, @Body() { item, position }: SortStructure) {
    return this.sorting.move(caller, site, item, position).then(() => this.views.item(caller, site.id, item));
  }
}
