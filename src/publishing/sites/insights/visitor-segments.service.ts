import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/common/clock.js';
import { Pages, type Page, type PageRequest } from '../../../kernel/common/page.js';
import type { VisitorSegmentRow } from './visitor-segments.schema.js';

const RANGE = 30 * 24 * 3600 * 1000;

/** Visitors of the site $1 since $2, by their claims. */
const SEGMENTS = `FROM (
  SELECT claims, coalesce(claims::text, '') AS key, count(*)::int AS events, count(DISTINCT visitor)::int AS visitors, count(DISTINCT session)::int AS sessions
    FROM site_insight WHERE site_id = $1 AND at >= $2 GROUP BY claims) segment WHERE true`;

/** Tells who reads a site, by the claims that adaptive content depends on. */
@Injectable()
export class VisitorSegments {
  constructor(
    private readonly lists: Pages,
    private readonly clock: Clock,
  ) {}

  /** The segments of a site, those with most visitors first. */
  async list(siteId: string, request: PageRequest): Promise<Page<VisitorSegmentRow>> {
    return this.lists.list<VisitorSegmentRow & Record<string, unknown>>(request, {
      scope: ['visitor-segments', siteId],
      select: 'segment.claims, segment.events, segment.visitors, segment.sessions',
      from: SEGMENTS,
      values: [siteId, new Date(this.clock.now().getTime() - RANGE)],
      countsItself: true,
      order: [
        { expression: 'segment.visitors', type: 'integer' },
        { expression: 'segment.events', type: 'integer' },
        { expression: 'md5(segment.key)', type: 'text' },
      ],
      direction: 'desc',
    });
  }
}
