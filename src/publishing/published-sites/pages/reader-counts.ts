import { Injectable } from '@nestjs/common';
import { Cache, textBytes } from '../../../kernel/common/cache.js';
import type { PageOfSpace } from '../../../authoring/search/rankings.js';
import { Clock } from '../../../kernel/common/clock.js';
import { Secrets } from '../../../kernel/common/secrets.js';
import { Insights } from '../../sites/insights/insights.service.js';
import type { InsightsEvent, RATINGS } from '../../sites/insights/events.schema.js';
import { MissingAddressCounts } from '../../sites/insights/missing-address-counts.service.js';
import { SearchCounts } from '../../sites/insights/search-counts.service.js';
import type { SearchingReader } from '../../sites/domain/typed-searches.js';
import { readUserAgent } from '../../sites/domain/user-agent.js';
import { SEARCH_PATH } from './domain/site-paths.js';
import type { SitePlace, SiteRequest } from './site-place.js';
import { isWebAddress, webAddress } from '../../../kernel/common/web-address.js';

/** The available data about a client. */
export interface ClientInfo {
  readonly ip: string;
  readonly userAgent: string;
  readonly language: string | undefined;
  readonly referrer: string | undefined;
}

const DAY = 24 * 3600 * 1000;
const VISIT_MILLISECONDS = 10 * 60_000;
const MAX = { userAgent: 2048, language: 64, referrer: 2048, url: 2048, query: 512 } as const;
/** The maximum length of a comment of a reader, in characters. */
export const MAX_COMMENT = 512;
export type Rating = (typeof RATINGS)[number];

/**
 * Counts actions of readers of published sites, without cookies: their identity is kept for a day, and only as a hash.
 */
@Injectable()
export class ReaderCounts {
  /** The hashes of those who are reading. */
  private readonly visitors = new Cache<string>({ share: 1, ttl: VISIT_MILLISECONDS, weigh: textBytes });

  constructor(
    private readonly insights: Insights,
    private readonly searches: SearchCounts,
    private readonly missing: MissingAddressCounts,
    private readonly clock: Clock,
    private readonly secrets: Secrets,
  ) {}

  /** Counts that a page was read; previews are not counted. */
  viewed(place: SitePlace, page: string, url: string, reader: ClientInfo): void {
    if (place.visit.preview) return;
    this.record(place, { type: 'page_view', ...this.facts(place, page, url, reader) });
    const query = queryOfReferrer(place, reader.referrer);
    if (query !== undefined) this.opened(place, query, { space: place.row.id, page }, reader);
  }

  /** Counts a query of a reader by its hits: `isTyped` for one that is searched while it is typed. */
  asked(
    { visit }: SiteRequest,
    query: string,
    search: { readonly isUnanswered: boolean; readonly isTyped: boolean },
    reader: ClientInfo,
  ): void {
    const by = this.searching(visit.site.id, reader);
    if (by) this.searches.searched(by, query, search);
  }

  /** Counts that a reader opened a page that a search found. */
  opened({ visit }: SiteRequest, query: string, page: PageOfSpace, reader: ClientInfo): void {
    const by = this.searching(visit.site.id, reader);
    if (by) this.searches.opened(by, query, page);
  }

  searched(place: SitePlace, query: string, url: string, reader: ClientInfo): void {
    this.record(place, {
      type: 'search_type_query',
      query: query.slice(0, MAX.query),
      ...this.facts(place, null, url, reader),
    });
  }

  rated(place: SitePlace, page: string, rating: Rating, url: string, reader: ClientInfo): void {
    const facts = this.facts(place, page, url, reader);
    this.record(place, { type: 'page_post_feedback', feedback: { rating }, ...facts });
  }

  /** Keeps what a reader said of a page that they had rated. */
  commented(
    place: SitePlace,
    page: string,
    feedback: { readonly rating: Rating; readonly comment: string },
    url: string,
    reader: ClientInfo,
  ): void {
    const facts = this.facts(place, page, url, reader);
    this.record(place, { type: 'page_post_feedback_comment', feedback, ...facts });
  }

  /** Counts that a reader found no page at a path below a site; previews and known robots are not counted. */
  missed({ visit }: SiteRequest, path: string, { userAgent, referrer }: ClientInfo): void {
    const { bot = 'unknown' } = readUserAgent(userAgent);
    if (!visit.preview && bot === 'unknown') this.missing.missed(visit.site, `/${path}`, referrer);
  }

  /** Who searches, unless it is a known robot. */
  private searching(site: string, reader: ClientInfo): SearchingReader | undefined {
    const { bot = 'unknown' } = readUserAgent(reader.userAgent);
    return bot === 'unknown' ? { site, reader: this.visitorOf(site, reader) } : undefined;
  }

  private visitorOf(site: string, { ip, userAgent }: Pick<ClientInfo, 'ip' | 'userAgent'>): string {
    const day = Math.floor(this.clock.now().getTime() / DAY);
    const text = `${day} ${site} ${ip} ${userAgent}`;
    const known = this.visitors.get(text);
    if (known !== undefined) return known;
    const visitor = this.secrets.sign('reader-count', text).slice(0, 22);
    this.visitors.set(text, visitor);
    return visitor;
  }

  private record({ visit }: SitePlace, event: InsightsEvent): void {
    this.insights.record(visit.site.id, [event]);
  }

  private facts(
    { visit, row, section, origin }: SitePlace,
    page: string | null,
    path: string,
    { ip, userAgent, language, referrer }: ClientInfo,
  ): Pick<InsightsEvent, 'session' | 'location'> {
    const visitor = this.visitorOf(visit.site.id, { ip, userAgent });
    const claims = (visit.visitor as { readonly claims?: Readonly<Record<string, unknown>> }).claims;
    return {
      session: {
        visitorId: visitor,
        sessionId: visitor,
        cookies: {},
        userAgent: userAgent.slice(0, MAX.userAgent),
        language: language?.slice(0, MAX.language) ?? null,
        referrer: referrer !== undefined && isCounted(referrer, origin) ? referrer : null,
        ...(claims && { visitorAuthClaims: claims }),
      },
      location: {
        url: `${origin}${path}`.slice(0, MAX.url),
        displayContext: 'site',
        siteSection: section?.id ?? null,
        siteSpace: row.siteSpaceId,
        siteShareKey: null,
        space: row.id,
        revision: row.revisionId,
        page,
      },
    };
  }
}

/** Tells whether a page counts as a referrer: one of another site, or of the search of this one, as over HTTPS. */
function isCounted(referrer: string, origin: string): boolean {
  if (referrer.length > MAX.referrer || !isWebAddress(referrer)) return false;
  return webAddress(referrer)?.origin !== origin || referrer.includes(SEARCH_PATH);
}

/** The query of the search page that a reader came from: of the links on it only the results say so. */
function queryOfReferrer({ origin, base }: SiteRequest, referrer: string | undefined): string | undefined {
  const from = referrer?.includes(SEARCH_PATH) ? webAddress(referrer) : undefined;
  if (from?.origin !== origin || from.pathname !== `${base}/${SEARCH_PATH}`) return undefined;
  return from.searchParams.get('q') ?? undefined;
}
