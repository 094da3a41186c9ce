import { Injectable } from '@nestjs/common';
import { Addresses } from '../../kernel/common/addresses.js';
import { notFound } from '../../kernel/common/errors.js';
import { PageRedirectResolver } from '../../authoring/content/page-redirect-resolver.js';
import { redirectPath } from '../../authoring/content/page-redirects.js';
import { PagePlaces } from '../sites/page-places.js';
import { LiveRedirects } from '../sites/live-redirects.js';
import type { SiteSectionRow, SiteSpaceRow } from '../sites/structure.schema.js';
import { visitorLoginUrl } from './domain/visitor-login-url.js';
import { isComplete, resolveSitePath, type ResolvedSitePath } from './domain/resolve-site-path.js';
import { withoutCredentials } from './pages/domain/credentials.js';
import { encodedPath } from './pages/domain/location.js';
import { firstDocument } from './pages/domain/space-tree.js';
import { pagePath } from './pages/site-place.js';
import { pointOf, SpaceTrees } from './pages/space-trees.js';
import type { PublishedLookupBody, PublishedRedirectBody, ResolvePublishedUrl } from './published-urls.schema.js';
import { ReaderTokens } from './reader-tokens.service.js';
import { VisitorAccess } from './visitor-access.service.js';
import type { AdmittedVisit, Visit, VisitorPayload } from './visit.js';

type SitePlace = ResolvedSitePath<SiteSectionRow, SiteSpaceRow>;

/** The credentials in an address, and the parameters that redirects keep. */
interface Asked {
  readonly origin: string;
  readonly host: string;
  readonly path: string;
  /** The query with its question mark. */
  readonly search: string;
}

/** Resolves an address of a published site to the content that a visitor sees. */
@Injectable()
export class PublishedUrls {
  constructor(
    private readonly addresses: Addresses,
    private readonly visits: VisitorAccess,
    private readonly tokens: ReaderTokens,
    private readonly redirects: LiveRedirects,
    private readonly pages: PagePlaces,
    private readonly pageRedirects: PageRedirectResolver,
    private readonly trees: SpaceTrees,
  ) {}

  /** Throws `notFound` for an address without a site, and if the visitor is not admitted and there is no login. */
  async resolve({ url, redirectOnError = false, visitor = {} }: ResolvePublishedUrl): Promise<PublishedLookupBody> {
    const { host, pathname: path, origin, search, searchParams } = new URL(url);
    const asked: Asked = { origin, host, path, search };
    const entered = await this.visits.enter({ host, path }, visitor);
    if (!entered) return this.atFormerName(asked, visitor);
    const { entrance } = entered;
    if (!entrance) throw notFound('Published content');
    if ('login' in entrance) {
      const isLogin = visitor.jwtToken === undefined || redirectOnError;
      if (!isLogin || entrance.login === undefined) throw notFound('Published content');
      return {
        target: 'external',
        site: entrance.siteId,
        redirect: visitorLoginUrl(entrance.login, encodedPath(entered.path) + withoutCredentials(searchParams)),
      };
    }
    const { visit } = entrance;
    const place = resolveSitePath(visit.rows, entered.path);
    const found = (place && elsewhere(asked, entered, place)) ?? (await this.redirected(asked, visit, entered, place));
    if (found) return found;
    if (!place) throw notFound('Published content');
    return this.content(visit, entered, place);
  }

  /** The current address of a site with a former basename, for visitors whom it admits. */
  private async atFormerName(
    { origin, host, path, search }: Asked,
    visitor: VisitorPayload,
  ): Promise<PublishedRedirectBody> {
    const [, name = '', ...rest] = path.split('/');
    const former = await this.redirects.formerSite(name);
    const now = former && ['', former.basename, ...rest].join('/');
    const entrance = now === undefined ? undefined : (await this.visits.enter({ host, path: now }, visitor))?.entrance;
    if (now === undefined || !entrance || !('visit' in entrance)) throw notFound('Published content');
    return { target: 'content', redirect: origin + now + search };
  }

  /**
   * The target of a path without a page: from the former places of its space, or by a redirect of the site; only if the
   * visitor can see it.
   */
  private async redirected(
    asked: Asked,
    visit: Visit,
    entered: AdmittedVisit,
    place: SitePlace | undefined,
  ): Promise<PublishedRedirectBody | undefined> {
    if (entered.path === '' || place?.pathname === '') return undefined;
    if (place) {
      const path = redirectPath(place.pathname);
      if ((await this.pages.pageAt(place.siteSpace, path))?.path === path) return undefined;
      const successor = await this.successor(asked, visit, entered, { ...place, pathname: path });
      if (successor) return successor;
    }
    return this.bySite(asked, visit, entered);
  }

  /** The current place of the page that was at a path of a space. */
  private async successor(
    { origin, search }: Asked,
    visit: Visit,
    { siteBasePath }: AdmittedVisit,
    { siteSpace, pathname }: SitePlace,
  ): Promise<PublishedRedirectBody | undefined> {
    const id = await this.pageRedirects.resolve(pointOf(visit, siteSpace), pathname);
    if (id === undefined) return undefined;
    const { tree } = await this.trees.of(visit, siteSpace);
    const page = tree.byId.get(id);
    const shown = page && firstDocument(page);
    return (
      shown && {
        target: 'content',
        redirect: origin + pagePath({ visit, base: encodeURI(siteBasePath), origin }, siteSpace, tree, shown) + search,
      }
    );
  }

  /** The target of a redirect of the site. */
  private async bySite(
    { origin, search }: Asked,
    visit: Visit,
    { siteBasePath, path }: AdmittedVisit,
  ): Promise<PublishedRedirectBody | undefined> {
    const target = (await this.redirects.findFor(this.tokens.readerOf(visit), path))?.target;
    if (!target) return undefined;
    if ('url' in target) return { target: 'external', site: visit.site.id, redirect: target.url };
    return {
      target: 'content',
      redirect: `${origin}${encodeURI(siteBasePath)}${target.path === '' ? '' : `/${encodedPath(target.path)}`}${search}`,
    };
  }

  private async content(visit: Visit, { siteBasePath }: AdmittedVisit, place: SitePlace): Promise<PublishedLookupBody> {
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
      canonicalUrl: this.addresses.published(
        encodeURI(`${siteSpace.route ?? `/${visit.site.basename}${place.basePath}`}${below}`),
      ),
    };
  }
}

/**
 * The canonical one of several addresses: slugs and the site's name as they are written, whatever case the visitor
 * used.
 */
function elsewhere(
  { origin, path, search }: Asked,
  { siteBasePath }: AdmittedVisit,
  place: SitePlace,
): PublishedRedirectBody | undefined {
  const base = encodeURI(`${siteBasePath}${place.basePath}`);
  const asked = path.replace(/\/+$/, '');
  if (asked === base || asked.startsWith(`${base}/`)) return undefined;
  return {
    target: 'content',
    redirect: `${origin}${base}${place.pathname === '' ? '' : `/${encodeURI(place.pathname)}`}${search}`,
  };
}
