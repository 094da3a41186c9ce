import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Can, InSite } from '../../../kernel/access/access.decorators.js';
import type { SiteAccess } from '../../../kernel/access/access.service.js';
import { Operation } from '../../../kernel/common/operation.js';
import { PageQuery } from '../../../kernel/common/page-query.js';
import { presentVisitorSegment, VisitorSegmentBody } from './visitor-segments.schema.js';
import { VisitorSegments } from './visitor-segments.service.js';

@ApiTags('Sites')
@Controller('orgs/:organizationId/sites/:siteId/insights/visitor-segments')
export class VisitorSegmentsController {
  constructor(private readonly segments: VisitorSegments) {}

  @Get()
  @Can('site:view')
  @Operation({
    id: 'listSiteVisitorSegments',
    summary: 'List the visitors of a site by their claims',
    description:
      'Visitors with the same claims are one segment. The last 30 days count; segments with most visitors come first.',
    type: VisitorSegmentBody,
    list: true,
  })
  async list(@InSite() { id }: SiteAccess, @Query() query: PageQuery) {
    return this.segments.list(id, query).then((page) => page.map(presentVisitorSegment));
  }
}
