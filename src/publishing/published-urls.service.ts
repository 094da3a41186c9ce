import { Injectable } from '@nestjs/common';
import { Addresses } from '../common/addresses.js';
import { notFound } from '../common/errors.js';
import type { SectionRow, SiteSpaceRow } from '../sites/structure.schema.js';
import { loginAddress } from './domain/login.js';
import { encodedPath } from './pages/domain/location.js';
import { isComplete, placeOf, type Place } from './domain/place.js';
import type { PublishedLookupBody, PublishedRedirectBody, ResolvePublishedUrl } from './published-urls.schema.js';
import { ReaderTokens } from './reader-tokens.service.js';
import { Visits, type Entered, type Visit } from './visits.js';

/** Finds what an address of a published site shows to a visitor. */
@Injectable()
export class PublishedUrls {
  constructor(
    private readonly addresses: Addresses,
    private readonly visits: Visits,
    private readonly tokens: ReaderTokens,
  ) {}

  /** Throws `notFound` for an address of no site, and where the visitor is not let in and there is no login. */
  async resolve({ url, redirectOnError = false, visitor = {} }: ResolvePublishedUrl): Promise<PublishedLookupBody> {
    const { host, pathname: path, protocol } = new URL(url);
    const entered = await this.visits.enter({ host, path }, visitor);
    const entrance = entered?.entrance;
    if (!entered || !entrance) throw notFound('Published content');
    if ('login' in entrance) {
      const isLogin = visitor.jwtToken === undefined || redirectOnError;
      if (!isLogin || entrance.login === undefined) throw notFound('Published content');
      return { target: 'external', redirect: loginAddress(entrance.login, encodedPath(entered.path)) };
    }
    const place = placeOf(entrance.visit.rows, entered.path);
    if (!place) throw notFound('Published content');
    return elsewhere(`${protocol}//${host}`, path, entered, place) ?? this.content(entrance.visit, entered, place);
  }

  private async content(visit: Visit, { siteBasePath }: Entered, place: Place<SectionRow, SiteSpaceRow>): Promise<PublishedLookupBody> {
    const { siteSpace, section, pathname } = place;
    const below = pathname === '' ? '' : `/${pathname}`;
    const isKnown = visit.grant.generation !== undefined || visit.grant.memberId !== undefined;
    return {
      site: visit.site.id,
      ...(section && { siteSection: section.id }),
      siteSpace: siteSpace.siteSpaceId,
      space: siteSpace.id,
      pathname: below === '' ? '/' : below,
      basePath: `${siteBasePath}${place.basePath}` || '/',
      siteBasePath: siteBasePath || '/',
      apiToken: await this.tokens.issue(visit),
      organization: visit.site.organizationId,
      ...(visit.shareKey !== undefined && { shareKey: visit.shareKey }),
      complete: isComplete(visit.rows, place),
      ...(isKnown && { contextId: visit.claimsKey }),
      canonicalUrl: this.addresses.published(encodeURI(`${siteSpace.route ?? `/${visit.site.basename}${place.basePath}`}${below}`)),
    };
  }
}

/** The one address of what has several: slugs and the site's name as they are written, whatever case the visitor wrote. */
function elsewhere(origin: string, path: string, { siteBasePath }: Entered, place: Place<SectionRow, SiteSpaceRow>): PublishedRedirectBody | undefined {
  const base = encodeURI(`${siteBasePath}${place.basePath}`);
  const asked = path.replace(/\/+$/, '');
  if (asked === base || asked.startsWith(`${base}/`)) return undefined;
  return { target: 'content', redirect: `${origin}${base}${place.pathname === '' ? '' : `/${encodeURI(place.pathname)}`}` };
}
