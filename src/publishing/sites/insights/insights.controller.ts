import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByReader, Can, ForReaders, InSite } from '../../../kernel/access/access.decorators.js';
import type { SiteAccess } from '../../../kernel/access/access.service.js';
import type { ReaderAccess } from '../../../kernel/access/readers.js';
import { Operation } from '../../../kernel/common/operation.js';
import { openApiOf, SchemaBody, SchemaPipe } from '../schema.pipe.js';
import {
  AGGREGATION_EXAMPLE,
  eventsAggregation,
  eventsAggregationResult,
  RESULT_EXAMPLE,
  type EventsAggregation,
} from './aggregation.schema.js';
import { EVENTS_EXAMPLE, trackedEvents, type InsightsEvent } from './events.schema.js';
import { InsightsQueries } from './insights-queries.js';
import { Insights } from './insights.service.js';

@ApiTags('Sites')
@Controller('orgs/:organizationId/sites/:siteId/insights/events')
export class InsightsController {
  constructor(
    private readonly insights: Insights,
    private readonly queries: InsightsQueries,
  ) {}

  @Post()
  @Can('site:track')
  @ForReaders()
  @SchemaBody(trackedEvents, EVENTS_EXAMPLE)
  @Operation({
    id: 'trackEventsInSiteById',
    summary: 'Tell what readers of a site did',
    description:
      'At most 100 events at once. Visitors are stored as hashes, without address and cookie; addresses of pages are stored without query and fragment. Reader tokens tell of their own site, as often as an address may read published pages.',
    status: 204,
    errors: [429],
  })
  async track(
    @ByReader() reader: ReaderAccess | undefined,
    @InSite() { id }: SiteAccess,
    @Body(new SchemaPipe(trackedEvents)) { events }: { events: InsightsEvent[] },
  ) {
    return this.insights.track(id, reader, events);
  }

  @Post('aggregate')
  @HttpCode(200)
  @Can('site:view')
  @SchemaBody(eventsAggregation, AGGREGATION_EXAMPLE)
  @Operation({
    id: 'aggregateSiteEvents',
    summary: 'Count what readers of a site did',
    description:
      'Selected columns that count nothing are grouped by too. Where readers are is not known here: the two columns about it are empty.',
    schema: { schema: { ...openApiOf(eventsAggregationResult, 'output'), example: RESULT_EXAMPLE } },
  })
  async aggregate(@InSite() { id }: SiteAccess, @Body(new SchemaPipe(eventsAggregation)) query: EventsAggregation) {
    return this.queries.aggregate(id, query);
  }
}
