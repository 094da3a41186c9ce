import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/common/clock.js';
import { Pages, type Page } from '../../../kernel/common/page.js';
import { countedDays } from './counted-days.js';
import type { SearchQueriesQuery, SearchQueryRow } from './search-queries.schema.js';

/**
 * Queries of the site $1 in the days from $2 to $3, only unanswered ones if $4. A program that searches by itself and
 * sends in what was opened has more opened results than counted searches.
 */
const QUERIES = `FROM (
  SELECT query, greatest(sum(searches), sum(opened))::int AS searches, sum(unanswered)::int AS unanswered, sum(opened)::int AS opened,
         max(last_asked_at) AS last_asked_at, CASE WHEN $4::boolean THEN sum(unanswered) ELSE greatest(sum(searches), sum(opened)) END::int AS asked
    FROM site_search_query WHERE site_id = $1 AND day BETWEEN ($2::timestamptz AT TIME ZONE 'UTC')::date AND ($3::timestamptz AT TIME ZONE 'UTC')::date
   GROUP BY query HAVING NOT $4::boolean OR sum(unanswered) > 0) q WHERE true`;

/** Lists what readers of sites search for. */
@Injectable()
export class SearchQueries {
  constructor(
    private readonly lists: Pages,
    private readonly clock: Clock,
  ) {}

  /** The queries of a site, the most frequent and among these the latest first. Throws `invalid` for a range that ends before it begins. */
  async list(
    siteId: string,
    { from, to, unanswered = false, ...request }: SearchQueriesQuery,
  ): Promise<Page<SearchQueryRow>> {
    const { start, end } = countedDays({ from, to }, this.clock.now());
    return this.lists.list<SearchQueryRow & Record<string, unknown>>(request, {
      scope: ['search-queries', siteId, from ?? null, to ?? null, unanswered],
      select: 'q.query, q.searches, q.unanswered, q.opened, q.last_asked_at AS "lastAskedAt"',
      from: QUERIES,
      values: [siteId, start, end, unanswered],
      countsItself: true,
      order: [
        { expression: 'q.asked', type: 'integer' },
        { expression: 'q.last_asked_at', type: 'timestamptz' },
        { expression: 'q.query', type: 'text' },
      ],
      direction: 'desc',
    });
  }
}
