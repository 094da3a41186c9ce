import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/common/clock.js';
import { Secrets } from '../../../kernel/common/secrets.js';
import { Insights } from '../../sites/insights/insights.service.js';
import type { InsightsEvent } from '../../sites/insights/events.schema.js';
import type { SitePlace } from './site-place.js';
import { isWebAddress } from '../../../kernel/common/web-address.js';

/** The available data about a client. */
export interface ClientInfo {
  readonly ip: string;
  readonly userAgent: string;
  readonly language: string | undefined;
  readonly referrer: string | undefined;
}

const DAY = 24 * 3600 * 1000;
const MAX = { userAgent: 2048, language: 64, referrer: 2048, url: 2048, query: 512, comment: 512 } as const;
export type Rating = 'good' | 'ok' | 'bad';

/**
 * Counts actions of readers of published sites, without cookies: their identity is kept for a day, and only as a hash.
 */
@Injectable()
export class ReaderCounts {
  constructor(
    private readonly insights: Insights,
    private readonly clock: Clock,
    private readonly secrets: Secrets,
  ) {}

  viewed(place: SitePlace, page: string, url: string, reader: ClientInfo): void {
    this.record(place, { type: 'page_view', ...this.facts(place, page, url, reader) });
  }

  searched(place: SitePlace, query: string, url: string, reader: ClientInfo): void {
    this.record(place, {
      type: 'search_type_query',
      query: query.slice(0, MAX.query),
      ...this.facts(place, null, url, reader),
    });
  }

  rated(
    place: SitePlace,
    page: string,
    { rating, comment }: { readonly rating: Rating; readonly comment: string },
    url: string,
    reader: ClientInfo,
  ): void {
    const facts = this.facts(place, page, url, reader);
    this.record(place, { type: 'page_post_feedback', feedback: { rating }, ...facts });
    if (comment !== '')
      this.record(place, {
        type: 'page_post_feedback_comment',
        feedback: { rating, comment: comment.slice(0, MAX.comment) },
        ...facts,
      });
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
    const day = Math.floor(this.clock.now().getTime() / DAY);
    const visitor = this.secrets.sign('reader-count', `${day} ${visit.site.id} ${ip} ${userAgent}`).slice(0, 22);
    const claims = (visit.visitor as { readonly claims?: Readonly<Record<string, unknown>> }).claims;
    return {
      session: {
        visitorId: visitor,
        sessionId: visitor,
        cookies: {},
        userAgent: userAgent.slice(0, MAX.userAgent),
        language: language?.slice(0, MAX.language) ?? null,
        referrer: referrer !== undefined && referrer.length <= MAX.referrer && isWebAddress(referrer) ? referrer : null,
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
