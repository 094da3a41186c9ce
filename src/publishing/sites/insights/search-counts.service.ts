import { Injectable, Inject, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../../../kernel/common/clock.js';
import { Database } from '../../../kernel/common/database.js';
import type { PageOfSpace } from '../../../authoring/search/rankings.js';
import { isId } from '../../../kernel/common/ids.js';
import { CONFIG, type Config } from '../../../kernel/platform/config/config.js';
import { countableQuery } from '../domain/countable-query.js';
import { TypedSearches, type ReaderSearch, type SearchingReader } from '../domain/typed-searches.js';

const FLUSH_MS = 1_000;
/** Maximum number of waiting counts; further ones are lost, because counting must never delay reading. */
const MAX_WAITING = 20_000;
const BATCH = 1_000;
/** Within this time a search that a reader repeats is the same search, as when they come back from a result. */
const SAME_SEARCH_MS = 10 * 60 * 1000;
const MAX_RECENT = 50_000;
const MINUTE = 60 * 1000;
/** Maximum number of choices for a query of a site that one server counts in a minute: anybody can send them in. */
const MAX_CHOICES_PER_MINUTE = 3;

/** Sites that were removed meanwhile are left out, as are pages that were never part of the site. */
const ADD_QUERIES = `INSERT INTO site_search_query AS q (site_id, day, query, searches, unanswered, opened, last_asked_at)
  SELECT i.site, (i.at AT TIME ZONE 'UTC')::date, i.query, i.searches, i.unanswered, i.opened, i.at
    FROM jsonb_to_recordset($1::jsonb) AS i (site text, query text, searches int, unanswered int, opened int, at timestamptz)
    JOIN site s ON s.id = i.site
   ORDER BY 1, 2, 3
  ON CONFLICT (site_id, day, query) DO UPDATE SET searches = q.searches + excluded.searches, unanswered = q.unanswered + excluded.unanswered,
    opened = q.opened + excluded.opened, last_asked_at = greatest(q.last_asked_at, excluded.last_asked_at)`;
const ADD_CHOICES = `INSERT INTO site_search_choice AS c (site_id, query, day, page_space_id, page_id, opens)
  SELECT i.site, i.query, (i.at AT TIME ZONE 'UTC')::date, i.space, i.page, i.opens
    FROM jsonb_to_recordset($1::jsonb) AS i (site text, query text, space text, page text, opens int, at timestamptz)
   WHERE EXISTS (SELECT FROM site_space ss WHERE ss.site_id = i.site AND ss.space_id = i.space)
     AND EXISTS (SELECT FROM page_current p WHERE p.space_id = i.space AND p.page_id = i.page)
   ORDER BY 1, 2, 3, 4, 5
  ON CONFLICT (site_id, query, day, page_space_id, page_id) DO UPDATE SET opens = c.opens + excluded.opens`;

interface QueryCount {
  readonly site: string;
  readonly query: string;
  searches: number;
  unanswered: number;
  opened: number;
  at: Date;
}

interface ChoiceCount extends PageOfSpace {
  readonly site: string;
  readonly query: string;
  opens: number;
  at: Date;
}

/** Counts the queries of readers and the results that they open: many together, about a second later. */
@Injectable()
export class SearchCounts implements BeforeApplicationShutdown {
  private readonly logger = new Logger('SearchCounts');
  private readonly typed = new TypedSearches();
  private readonly recent = new LRUCache<string, true>({
    maxSize: MAX_RECENT,
    sizeCalculation: () => 1,
    ttl: SAME_SEARCH_MS,
  });
  private readonly choicesOfMinute = new LRUCache<string, { readonly minute: number; count: number }>({
    maxSize: MAX_RECENT,
    sizeCalculation: () => 1,
  });
  private queries = new Map<string, QueryCount>();
  private choices = new Map<string, ChoiceCount>();
  private timer: NodeJS.Timeout | undefined;
  private flushing: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<Config, 'insightsRetentionDays'>,
  ) {}

  async beforeApplicationShutdown(): Promise<void> {
    await this.flush();
  }

  /**
   * Counts a search, unless the same reader made it a few minutes ago. A query that is searched while it is typed
   * (`isTyped`) counts once the reader has paused.
   */
  searched(
    by: SearchingReader,
    text: string,
    { isUnanswered, isTyped }: { readonly isUnanswered: boolean; readonly isTyped: boolean },
  ): void {
    const query = this.queryOf(text);
    if (query === undefined) return;
    const search = { ...by, query, isUnanswered, at: this.clock.now().getTime() };
    this.count(isTyped ? this.typed.typed(search) : this.typed.complete(search));
    this.schedule();
  }

  /** Counts that a reader opened a result of a search: once for each search, and once for each of its pages. */
  opened(by: SearchingReader, text: string, page: PageOfSpace): void {
    const query = this.queryOf(text);
    if (query === undefined) return;
    this.count(this.typed.settle(by, query));
    if (this.isNew(by, 'opened', query)) {
      const count = this.queryCount(by.site, query, this.clock.now());
      if (count) count.opened++;
    }
    const isPage = isId(page.space) && isId(page.page);
    if (isPage && this.isNew(by, 'chose', query, page.space, page.page) && this.isWithinMinute(by.site, query))
      this.choose(by.site, query, page);
    this.schedule();
  }

  /** Stores all counts, also those of queries that readers may still be typing. */
  async flush(): Promise<void> {
    this.count(this.typed.settled());
    await this.store();
  }

  private queryOf(text: string): string | undefined {
    return this.config.insightsRetentionDays === 0 ? undefined : countableQuery(text);
  }

  private count(searches: readonly ReaderSearch[]): void {
    for (const search of searches) {
      const count = this.isNew(search, 'searched', search.query)
        ? this.queryCount(search.site, search.query, new Date(search.at))
        : undefined;
      if (!count) continue;
      count.searches++;
      if (search.isUnanswered) count.unanswered++;
    }
  }

  private isNew({ site, reader, isShared }: SearchingReader, ...what: readonly string[]): boolean {
    if (isShared) return true;
    const key = [site, reader, ...what].join('\n');
    if (this.recent.has(key)) return false;
    this.recent.set(key, true);
    return true;
  }

  private isWithinMinute(site: string, query: string): boolean {
    const minute = Math.floor(this.clock.now().getTime() / MINUTE);
    const key = `${site} ${query}`;
    const known = this.choicesOfMinute.get(key);
    const current = known?.minute === minute ? known : { minute, count: 0 };
    this.choicesOfMinute.set(key, current);
    return ++current.count <= MAX_CHOICES_PER_MINUTE;
  }

  private queryCount(site: string, query: string, at: Date): QueryCount | undefined {
    const key = `${site} ${query}`;
    const known = this.queries.get(key);
    if (!known && this.queries.size >= MAX_WAITING) return undefined;
    const count = known ?? { site, query, searches: 0, unanswered: 0, opened: 0, at };
    if (at > count.at) count.at = at;
    this.queries.set(key, count);
    return count;
  }

  private choose(site: string, query: string, page: PageOfSpace): void {
    const key = `${site} ${page.space} ${page.page} ${query}`;
    const at = this.clock.now();
    const known = this.choices.get(key);
    if (!known && this.choices.size >= MAX_WAITING) return;
    this.choices.set(key, { ...page, site, query, opens: (known?.opens ?? 0) + 1, at });
  }

  private schedule(): void {
    this.timer ??= setTimeout(() => {
      this.count(this.typed.settled(this.clock.now().getTime()));
      void this.store();
    }, FLUSH_MS).unref();
  }

  private async store(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.typed.isWaiting) this.schedule();
    const [queries, choices] = [[...this.queries.values()], [...this.choices.values()]];
    this.queries = new Map();
    this.choices = new Map();
    this.flushing = this.flushing
      .then(() =>
        // Requests that began this are over.
        this.database.apart(async () => {
          for (const rows of batchesOf(queries)) await this.database.execute(ADD_QUERIES, [JSON.stringify(rows)]);
          for (const rows of batchesOf(choices)) await this.database.execute(ADD_CHOICES, [JSON.stringify(rows)]);
        }),
      )
      .catch((error: unknown) => this.logger.error(`${queries.length} counts of searches were lost: ${String(error)}`));
    await this.flushing;
  }
}

function batchesOf<Row>(rows: readonly Row[]): Row[][] {
  return Array.from({ length: Math.ceil(rows.length / BATCH) }, (_, index) =>
    rows.slice(index * BATCH, (index + 1) * BATCH),
  );
}
