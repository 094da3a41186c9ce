import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/common/clock.js';
import { Database } from '../../../kernel/common/database.js';
import { aggregation } from './aggregation.js';
import type { EventsAggregation, EventsAggregationResult } from './aggregation.schema.js';

/** Answers queries about actions of readers. */
@Injectable()
export class InsightsQueries {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async aggregate(siteId: string, query: EventsAggregation): Promise<EventsAggregationResult> {
    const { text, values, result } = aggregation(siteId, query, this.clock.now());
    return result(await this.database.unprepared(text, values));
  }
}
