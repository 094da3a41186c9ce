import { Inject, Injectable, Logger, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { ReaderAccess } from '../../../kernel/access/readers.js';
import { Clock } from '../../../kernel/common/clock.js';
import { currentContext } from '../../../kernel/common/context.js';
import { Database } from '../../../kernel/common/database.js';
import { DomainError } from '../../../kernel/common/errors.js';
import { infrastructureFaultOf } from '../../../kernel/common/infrastructure-fault.js';
import { CONFIG, type Config } from '../../../kernel/platform/config/config.js';
import { Jobs } from '../../../kernel/platform/jobs/jobs.js';
import { removeOld } from '../../../kernel/platform/retention/month-partitions.js';
import { addressGroup, RateLimit } from '../../../kernel/platform/rate-limit/rate-limit.js';
import { Budgets } from '../../../kernel/platform/rate-limit/budget.js';
import type { InsightsEvent } from './events.schema.js';
import { SearchCounts } from './search-counts.service.js';
import { storedEvent, type StoredEvent } from './stored-event.js';

/** Maximum number of waiting events; further ones are lost, because counting must never delay reading. */
const MAX_WAITING = 20_000;
const FLUSH_MS = 1_000;
const BATCH = 1_000;
const DAY = 24 * 3600 * 1000;
/** Batches that one address of readers may send, as a fraction of those of the site. */
const READERS_DIVISOR = 10;

const INSERT = `INSERT INTO site_insight (site_id, at, type, context, device, browser, os, bot, visitor, session, url, section_id, site_space_id, page_space_id, page_id, share_key, language, referrer, facts, claims)
  SELECT i.site, i.at, i.type, i.context, i.device, i.browser, i.os, i.bot, i.visitor, i.session, i.url, i.section, i."siteSpace", i.space, i.page, i."shareKey", i.language, i.referrer, i.facts, i.claims
    FROM jsonb_to_recordset($1::jsonb) AS i (site text, at timestamptz, type smallint, context smallint, device smallint, browser smallint, os smallint, bot smallint, visitor bigint,
      session bigint, url text, section text, "siteSpace" text, space text, page text, "shareKey" text, language text, referrer text, facts jsonb, claims jsonb)`;

/** Each partition has rows at the same places: those of another one that go along are as old. */
const REMOVE = `DELETE FROM site_insight WHERE at < $1 AND ctid = ANY (ARRAY (SELECT ctid FROM site_insight WHERE at < $1 LIMIT ${BATCH}))`;

const FORGET = [
  // Each partition has rows at the same places.
  `DELETE FROM site_insight WHERE site_id = $1 AND ctid = ANY (ARRAY (SELECT ctid FROM site_insight WHERE site_id = $1 LIMIT ${BATCH}))`,
  `DELETE FROM site_search_query WHERE ctid = ANY (ARRAY (SELECT ctid FROM site_search_query WHERE site_id = $1 LIMIT ${BATCH}))`,
  `DELETE FROM site_search_choice WHERE ctid = ANY (ARRAY (SELECT ctid FROM site_search_choice WHERE site_id = $1 LIMIT ${BATCH}))`,
];

/** Counts actions of readers. */
@Injectable()
export class Insights implements OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger('Insights');
  private waiting: StoredEvent[] = [];
  private timer: NodeJS.Timeout | undefined;
  private flushing: Promise<void> = Promise.resolve();
  private isOver = false;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
    private readonly budgets: Budgets,
    private readonly searches: SearchCounts,
    private readonly rateLimit: RateLimit,
    @Inject(CONFIG) private readonly config: Pick<Config, 'insightsRetentionDays' | 'insightsBatchesPerMinute'>,
  ) {}

  onModuleInit(): void {
    this.jobs.handle('insights.remove-stale', async (_, run) => void (await this.removeStale(run.signal)));
    this.jobs.handle('insights.forget', async ({ site }, run) => {
      for (const text of FORGET) while (!run.signal.aborted && (await this.database.execute(text, [site])) >= BATCH);
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isOver = true;
    await this.flush();
  }

  /** Stores events that a program tells of; readers do so as often as their address may read published pages. */
  async track(siteId: string, reader: ReaderAccess | undefined, events: readonly InsightsEvent[]): Promise<void> {
    if (reader) {
      const ip = currentContext()?.ip;
      await this.rateLimit.admitReader(ip);
      const limit = Math.ceil(this.config.insightsBatchesPerMinute / READERS_DIVISOR);
      await this.admit(`insights:${siteId}:${addressGroup(ip)}`, limit, 'from this address');
    }
    await this.store(siteId, events);
  }

  /**
   * Stores a batch of events before it returns. Throws `tooManyRequests` if a site has sent too many batches in this
   * minute.
   */
  async store(siteId: string, events: readonly InsightsEvent[]): Promise<void> {
    await this.admit(`insights:${siteId}`, this.config.insightsBatchesPerMinute, 'for this site');
    await this.write(this.rowsOf(siteId, events));
    for (const event of events)
      if (event.type === 'search_open_result')
        this.searches.opened({ site: siteId, reader: event.session.sessionId }, event.query, {
          space: event.result.spaceId,
          page: event.result.pageId,
        });
  }

  private async admit(key: string, limit: number, whose: string): Promise<void> {
    if (limit === 0) return;
    const { allowed, reset } = await this.budgets.spend(key, limit);
    const seconds = Math.max(1, reset - Math.floor(this.clock.now().getTime() / 1000));
    if (!allowed)
      throw new DomainError('tooManyRequests', `Too many batches of events ${whose} in this minute`, [], {
        'Retry-After': String(seconds),
      });
  }

  /** Accepts events of a published page and returns at once: they are stored within about a second, many together. */
  record(siteId: string, events: readonly InsightsEvent[]): void {
    if (this.waiting.length >= MAX_WAITING) return;
    this.waiting.push(...this.rowsOf(siteId, events));
    this.timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
  }

  /** Stores waiting events. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const rows = this.waiting;
    this.waiting = [];
    let written = 0;
    this.flushing = this.flushing
      .then(() => this.write(rows, (count) => (written += count)))
      .catch((error: unknown) => {
        const left = rows.slice(written);
        if (infrastructureFaultOf(error) && this.keep(left)) return;
        this.logger.error(`${left.length} events of readers were lost: ${String(error)}`);
      });
    await this.flushing;
  }

  /** Lets events wait for the database; false where there are too many. */
  private keep(rows: readonly StoredEvent[]): boolean {
    if (this.isOver || this.waiting.length + rows.length > MAX_WAITING) return false;
    this.waiting.unshift(...rows);
    this.timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
    return true;
  }

  /** Removes events that are older than INSIGHTS_RETENTION_DAYS, with their months; returns their number. */
  removeStale(signal?: AbortSignal): Promise<number> {
    return removeOld(this.database, {
      table: 'site_insight',
      key: 'time',
      days: this.config.insightsRetentionDays,
      removeRows: (before) => this.database.execute(REMOVE, [before]),
      batch: BATCH,
      signal,
    });
  }

  /** Events that are already too old are not stored at all. */
  private rowsOf(siteId: string, events: readonly InsightsEvent[]): StoredEvent[] {
    const now = this.clock.now();
    const oldest = now.getTime() - this.config.insightsRetentionDays * DAY;
    return events.map((event) => storedEvent(siteId, event, now)).filter(({ at }) => at.getTime() >= oldest);
  }

  private async write(rows: readonly StoredEvent[], written?: (count: number) => void): Promise<void> {
    for (let start = 0; start < rows.length; start += BATCH) {
      const batch = rows.slice(start, start + BATCH);
      await this.database.execute(INSERT, [JSON.stringify(batch, storable)]);
      written?.(batch.length);
    }
  }
}

/** Removes characters from texts that PostgreSQL cannot store: one such event must not lose all others of its batch. */
function storable(_: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', '').replace(/\p{Surrogate}/gu, '') : value;
}
