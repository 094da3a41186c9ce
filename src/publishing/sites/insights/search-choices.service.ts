import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/common/clock.js';
import { Database } from '../../../kernel/common/database.js';
import { choiceFactor, LEAST_OPENS } from '../domain/choice-factor.js';
import { countableQuery } from '../domain/countable-query.js';
import type { PageOfSpace } from '../../../authoring/search/rankings.js';

const DAY = 24 * 3600 * 1000;
const DAYS = 90;
const MAX_PAGES = 20;

const CHOICES = `SELECT page_space_id AS space, page_id AS page, sum(opens)::int AS opens FROM site_search_choice
   WHERE site_id = $1 AND query = $2 AND day >= ($3::timestamptz AT TIME ZONE 'UTC')::date
   GROUP BY 1, 2 HAVING sum(opens) >= ${LEAST_OPENS} ORDER BY 3 DESC, 1, 2 LIMIT ${MAX_PAGES}`;

/** A page with the factor by which it counts more. */
export interface ChosenPage extends PageOfSpace {
  readonly factor: number;
}

/** The results of searches that readers of sites chose. */
@Injectable()
export class SearchChoices {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** The pages that readers of a site opened most after the same query in the last 90 days. */
  async of(siteId: string, text: string): Promise<ChosenPage[]> {
    const query = countableQuery(text);
    if (query === undefined) return [];
    const rows = await this.database.query<PageOfSpace & { opens: number }>(CHOICES, [
      siteId,
      query,
      new Date(this.clock.now().getTime() - DAYS * DAY),
    ]);
    return rows.map(({ space, page, opens }) => ({ space, page, factor: choiceFactor(opens) }));
  }
}
