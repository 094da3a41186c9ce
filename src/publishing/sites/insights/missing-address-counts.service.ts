import { Inject, Injectable, Logger, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../../kernel/common/clock.js';
import { Database } from '../../../kernel/common/database.js';
import { webAddress } from '../../../kernel/common/web-address.js';
import { CONFIG, type Config } from '../../../kernel/platform/config/config.js';
import { Jobs } from '../../../kernel/platform/jobs/jobs.js';
import { countablePath, LONGEST_PATH } from '../domain/countable-path.js';

const FLUSH_MS = 1_000;
const DAY = 24 * 3600 * 1000;
/** Maximum number of addresses that wait; further ones are lost, because counting must never delay reading. */
const MAX_WAITING = 5_000;
/** Maximum number of different addresses of a site. */
const MAX_ADDRESSES = 1_000;
/** Number of different addresses of a site on a day from which no others are stored, but for those of one more second. */
const MAX_ADDRESSES_OF_DAY = 2_000;
const BATCH = 10_000;

/**
 * Sites that were removed meanwhile are left out, and so are addresses that are new at a site which has had $2 of them on
 * the day: whoever makes addresses up cannot fill the table.
 */
const ADD = `WITH i AS (
    SELECT organization, site, path, requests, referrer, at, (at AT TIME ZONE 'UTC')::date AS day
      FROM jsonb_to_recordset($1::jsonb) AS r (organization text, site text, path text, requests int, referrer text, at timestamptz)),
  held AS (
    SELECT d.organization, d.site, d.day, count(x.path) AS addresses FROM (SELECT DISTINCT organization, site, day FROM i) d
      LEFT JOIN site_missing_address x ON x.organization_id = d.organization AND x.site_id = d.site AND x.day = d.day
     GROUP BY 1, 2, 3)
  INSERT INTO site_missing_address AS m (organization_id, site_id, day, path, requests, referrer, last_asked_at)
  SELECT i.organization, i.site, i.day, i.path, i.requests, i.referrer, i.at
    FROM i JOIN held h ON h.organization = i.organization AND h.site = i.site AND h.day = i.day
    JOIN site s ON s.organization_id = i.organization AND s.id = i.site
   WHERE h.addresses < $2::int OR EXISTS (SELECT FROM site_missing_address k
     WHERE k.organization_id = i.organization AND k.site_id = i.site AND k.day = i.day AND k.path = i.path)
   ORDER BY 1, 2, 3, 4 FOR KEY SHARE OF s
  ON CONFLICT (organization_id, site_id, day, path) DO UPDATE SET requests = m.requests + excluded.requests,
    referrer = coalesce(excluded.referrer, m.referrer), last_asked_at = greatest(m.last_asked_at, excluded.last_asked_at)`;
const OLD = `DELETE FROM site_missing_address WHERE ctid = ANY (ARRAY (
  SELECT ctid FROM site_missing_address WHERE day < ($1::timestamptz AT TIME ZONE 'UTC')::date LIMIT ${BATCH}))`;
/** Only sites whose readers missed something since the last runs can have too many addresses. */
const RECENT_SITES = `SELECT DISTINCT organization_id AS organization, site_id AS site FROM site_missing_address
 WHERE day >= ($1::timestamptz AT TIME ZONE 'UTC')::date`;
const LEAST_ASKED = `DELETE FROM site_missing_address m USING (
  SELECT path FROM site_missing_address WHERE organization_id = $1 AND site_id = $2 GROUP BY path
   ORDER BY sum(requests) DESC, max(last_asked_at) DESC, path OFFSET $3::int) x
 WHERE m.organization_id = $1 AND m.site_id = $2 AND m.path = x.path`;

interface CountedSite {
  readonly id: string;
  readonly organizationId: string;
}

interface MissedAddress {
  readonly organization: string;
  readonly site: string;
  readonly path: string;
  requests: number;
  referrer: string | null;
  at: Date;
}

/** Counts the addresses at which readers of published sites find no page: many together, about a second later. */
@Injectable()
export class MissingAddressCounts implements OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger('MissingAddressCounts');
  private waiting = new Map<string, MissedAddress>();
  private timer: NodeJS.Timeout | undefined;
  private flushing: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
    @Inject(CONFIG) private readonly config: Pick<Config, 'insightsRetentionDays'>,
  ) {}

  onModuleInit(): void {
    this.jobs.handle('missing-addresses.remove-stale', async (_, run) => this.removeStale(run.signal));
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.flush();
  }

  /** Counts that a reader who may have come from `referrer` found no page at a path below a site. */
  missed({ id, organizationId }: CountedSite, path: string, referrer: string | undefined): void {
    const counted = this.config.insightsRetentionDays === 0 ? undefined : countablePath(path);
    if (counted === undefined) return;
    const key = `${id} ${counted}`;
    const known = this.waiting.get(key);
    if (!known && this.waiting.size >= MAX_WAITING) return;
    this.waiting.set(key, {
      organization: organizationId,
      site: id,
      path: counted,
      requests: (known?.requests ?? 0) + 1,
      referrer: pageOf(referrer) ?? known?.referrer ?? null,
      at: this.clock.now(),
    });
    this.timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
  }

  /** Stores all counts; a site has new addresses until it has `most` on a day. */
  async flush(most = MAX_ADDRESSES_OF_DAY): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const rows = [...this.waiting.values()];
    this.waiting = new Map();
    this.flushing = this.flushing
      .then(async () => {
        // Requests that began this are over.
        if (rows.length > 0) await this.database.apart(() => this.database.execute(ADD, [JSON.stringify(rows), most]));
      })
      .catch((error: unknown) => this.logger.error(`${rows.length} missing addresses were lost: ${String(error)}`));
    await this.flushing;
  }

  /** Removes counts that are older than INSIGHTS_RETENTION_DAYS, and of each site the least asked addresses beyond `most`. */
  async removeStale(signal?: AbortSignal, most = MAX_ADDRESSES): Promise<void> {
    const now = this.clock.now().getTime();
    const oldest = new Date(now - this.config.insightsRetentionDays * DAY);
    do signal?.throwIfAborted();
    while ((await this.database.execute(OLD, [oldest])) === BATCH);
    const sites = await this.database.query<{ organization: string; site: string }>(RECENT_SITES, [
      new Date(now - 2 * DAY),
    ]);
    for (const { organization, site } of sites) {
      signal?.throwIfAborted();
      await this.database.execute(LEAST_ASKED, [organization, site, most]);
    }
  }
}

/** The page that an address leads to, without query and fragment, which may hold secrets. */
function pageOf(referrer: string | undefined): string | undefined {
  const address = referrer === undefined ? undefined : webAddress(referrer);
  return address && countablePath(`${address.origin}${address.pathname}`, LONGEST_PATH);
}
