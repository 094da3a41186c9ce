import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../../kernel/common/clock.js';
import { Database } from '../../../kernel/common/database.js';
import { CONFIG, type Config } from '../../../kernel/platform/config/config.js';
import { Jobs } from '../../../kernel/platform/jobs/jobs.js';

const DAY = 24 * 3600 * 1000;
const BATCH = 10_000;
/** Maximum number of different queries of a site. */
const MAX_QUERIES = 10_000;

const OLD_QUERIES = `DELETE FROM site_search_query WHERE ctid = ANY (ARRAY (
  SELECT ctid FROM site_search_query WHERE day < ($1::timestamptz AT TIME ZONE 'UTC')::date LIMIT ${BATCH}))`;
const OLD_CHOICES = `DELETE FROM site_search_choice WHERE ctid = ANY (ARRAY (
  SELECT ctid FROM site_search_choice WHERE day < ($1::timestamptz AT TIME ZONE 'UTC')::date LIMIT ${BATCH}))`;
/** Only sites that were searched since the last runs can have too many queries. */
const SEARCHED_SITES = `SELECT DISTINCT site_id AS site FROM site_search_query WHERE day >= ($1::timestamptz AT TIME ZONE 'UTC')::date`;
const LEAST_ASKED = `DELETE FROM site_search_query q USING (
  SELECT query FROM site_search_query WHERE site_id = $1 GROUP BY query
   ORDER BY greatest(sum(searches), sum(opened)) DESC, max(last_asked_at) DESC, query OFFSET $2::int) x
 WHERE q.site_id = $1 AND q.query = x.query`;
const CHOICES_WITHOUT_QUERY = `DELETE FROM site_search_choice c
 WHERE c.site_id = $1 AND NOT EXISTS (SELECT FROM site_search_query q WHERE q.site_id = $1 AND q.query = c.query)`;

/** Keeps the counts of searches small. */
@Injectable()
export class SearchCountsRetentionJob implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
    @Inject(CONFIG) private readonly config: Pick<Config, 'insightsRetentionDays'>,
  ) {}

  onModuleInit(): void {
    this.jobs.handle('search-counts.remove-stale', async (_, run) => this.removeStale(run.signal));
  }

  /** Removes counts that are older than INSIGHTS_RETENTION_DAYS, and of each site the least asked queries beyond `most`. */
  async removeStale(signal?: AbortSignal, most = MAX_QUERIES): Promise<void> {
    const now = this.clock.now().getTime();
    const oldest = new Date(now - this.config.insightsRetentionDays * DAY);
    do signal?.throwIfAborted();
    while ((await this.database.execute(OLD_QUERIES, [oldest])) === BATCH);
    do signal?.throwIfAborted();
    while ((await this.database.execute(OLD_CHOICES, [oldest])) === BATCH);
    for (const { site } of await this.database.query<{ site: string }>(SEARCHED_SITES, [new Date(now - 2 * DAY)])) {
      signal?.throwIfAborted();
      if ((await this.database.execute(LEAST_ASKED, [site, most])) > 0)
        await this.database.execute(CHOICES_WITHOUT_QUERY, [site]);
    }
  }
}
