import { Injectable } from '@nestjs/common';
import { Addresses } from '../../../kernel/common/addresses.js';
import { Clock } from '../../../kernel/common/clock.js';
import { DomainError } from '../../../kernel/common/errors.js';
import { isWebAddress } from '../../../kernel/common/web-address.js';
import { hostName, SHARE_SEGMENT } from '../domain/requested-address.js';
import { visitorLoginUrl } from '../domain/visitor-login-url.js';
import type { AdmittedVisit, Visit } from '../visit.js';
import { forgettingCookies, rememberingCookies, withoutCredentials, type CookieScope } from './domain/credentials.js';
import { locationInSite } from './domain/location.js';
import { addressBelow, MCP_PATH } from './domain/site-paths.js';
import { neutralNotFound, signedOut, signInNeeded } from './error-pages.js';
import { redirect, textResponse, type HttpResponse } from './http-response.js';
import { SiteAssets } from './site-assets.js';
import { SiteMcp } from './site-mcp.js';
import type { SiteRequest } from './site-place.js';
import type { PublicRequest } from './site-request-reader.js';
import { SiteRouter } from './site-router.js';
import { SystemPages } from './system-pages.js';

const LOGIN = '~gitbook/auth/login';
const LOGOUT = '~gitbook/auth/logout';

/** Answers those who are let into a site and those who have to sign in first, and remembers what they were let in by. */
@Injectable()
export class SiteVisits {
  constructor(
    private readonly router: SiteRouter,
    private readonly own: SystemPages,
    private readonly mcp: SiteMcp,
    private readonly assets: SiteAssets,
    private readonly addresses: Addresses,
    private readonly clock: Clock,
  ) {}

  /** The answer to visitors who have to sign in first. */
  outside(asked: PublicRequest, { siteBasePath, path }: AdmittedVisit, login: string | undefined): HttpResponse {
    const scope = this.scope(asked, siteBasePath);
    if (asked.message) return tokenNeeded();
    if (path === LOGOUT) return signedOut(this.assets, { 'Set-Cookie': forgettingCookies(scope) });
    if (path === 'robots.txt')
      return textResponse('User-agent: *\nDisallow: /\n', 'text/plain', { 'Cache-Control': 'no-store' });
    if (login === undefined || !isWebAddress(login)) return signInNeeded(this.assets);
    const wanted =
      path === LOGIN
        ? locationInSite(asked.query.get('location'), siteBasePath)
        : addressBelow(siteBasePath, path) + withoutCredentials(asked.query);
    return redirect(visitorLoginUrl(login, wanted.slice(siteBasePath.length + 1)), {}, 302);
  }

  /** The answer to visitors who are let in. */
  async inside(asked: PublicRequest, { siteBasePath, path }: AdmittedVisit, visit: Visit): Promise<HttpResponse> {
    const { credentials, query } = asked;
    const share = visit.shareKey === undefined ? '' : `/${SHARE_SEGMENT}/${encodeURIComponent(visit.shareKey)}`;
    const isInPath = share !== '' && siteBasePath.endsWith(share);
    const base = isInPath ? siteBasePath.slice(0, -share.length) : siteBasePath;
    const scope = this.scope(asked, base);
    const given = {
      ...credentials.given,
      ...(isInPath && visit.shareKey !== undefined && { shareKey: visit.shareKey }),
    };
    if (path === LOGOUT) return redirect(addressBelow(base, ''), { 'Set-Cookie': forgettingCookies(scope) }, 302);
    const site: SiteRequest = { visit, base, origin: this.originOf(asked, visit, base) };
    if (asked.message) {
      requireSameOrigin(asked, site);
      // Agents keep no cookies: addresses that they get have to lead in by themselves.
      const answer =
        path === MCP_PATH
          ? await this.mcp.answer({ ...site, base: siteBasePath }, asked.message, asked.reader)
          : undefined;
      return answer ?? neutralNotFound(this.assets);
    }
    // Secrets of the address are remembered and do not stay there, where others could read them.
    if (given.jwtToken !== undefined || given.shareKey !== undefined || given.claims) {
      const cookies = rememberingCookies({ ...credentials, given }, scope);
      // Led on without it, readers would come back from the login again and again.
      if (!cookies) return this.own.tooLong(site, path);
      const rest = new URLSearchParams(withoutCredentials(query));
      const location =
        path === LOGIN
          ? locationInSite(rest.get('location'), base)
          : addressBelow(base, path) + withoutCredentials(query);
      return redirect(location, { 'Set-Cookie': cookies });
    }
    if (path === LOGIN) return redirect(locationInSite(query.get('location'), base), {}, 302);
    const wanted = {
      plainKey: asked.plainKey,
      path,
      rawPath: pathAsSeen(asked.path, base, visit),
      query,
      asData: asked.asData,
      asMarkdown: asked.asMarkdown,
      wantsPage: asked.wantsPage,
      isHead: asked.isHead,
      reader: asked.reader,
    };
    if (!asked.form) return this.framedByWorkspace(visit, await this.router.get(site, wanted));
    requireSameOrigin(asked, site);
    return (await this.router.post(site, wanted, asked.form)) ?? neutralNotFound(this.assets);
  }

  /** The workspace shows members the pages of their sites within its own. */
  private framedByWorkspace({ grant }: Visit, answer: HttpResponse): HttpResponse {
    if (grant.memberId === undefined || !answer.policy) return answer;
    return { ...answer, policy: { ...answer.policy, frames: [new URL(this.addresses.app('')).origin] } };
  }

  private scope({ protocol }: PublicRequest, basePath: string): CookieScope {
    return { basePath, isSecure: protocol === 'https', now: this.clock.now().getTime() / 1000 };
  }

  /** The origin that a reader sees a site at: its own host where it was asked for, else that of the installation. */
  private originOf({ host, protocol }: PublicRequest, { site }: Visit, base: string): string {
    const name = hostName(host);
    const isOwn = base === '' || (site.proxy !== null && name === hostName(site.proxy.split('/', 1)[0] ?? ''));
    return isOwn ? `${protocol}://${name}${/:\d+$/.exec(host)?.[0] ?? ''}` : new URL(this.addresses.public).origin;
  }
}

/** Refuses what pages of other sites send, so that nobody speaks through their readers. */
function requireSameOrigin({ from, protocol, host }: PublicRequest, { origin }: SiteRequest): void {
  if (from !== undefined && from !== `${protocol}://${host}` && from !== origin)
    throw new DomainError('forbidden', 'The request comes from another site');
}

function tokenNeeded(): HttpResponse {
  const error = { code: -32001, message: 'Requires the token of a visitor, as Authorization: Bearer' };
  return {
    status: 401,
    headers: { 'Content-Type': 'application/json', 'WWW-Authenticate': 'Bearer', 'Cache-Control': 'no-store' },
    body: JSON.stringify({ jsonrpc: '2.0', error, id: null }),
  };
}

/** The path that the reader asked for: a proxy may have put the site's own beginning in the place of the one that they see. */
function pathAsSeen(path: string, base: string, { site }: Visit): string {
  if (base === `/${site.basename}` || path === base || path.startsWith(`${base}/`)) return path;
  return base + path.replace(/^\/[^/]*/, '');
}
