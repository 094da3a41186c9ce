import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { Addresses } from '../../../kernel/common/addresses.js';
import { Clock } from '../../../kernel/common/clock.js';
import { parseCookies } from '../../../kernel/common/cookies.js';
import { DomainError } from '../../../kernel/common/errors.js';
import { CONFIG, type Config } from '../../../kernel/platform/config/config.js';
import { bytesWithin } from '../../../kernel/platform/http/raw-body.js';
import { TrustedProxies } from '../../../kernel/platform/http/trusted-proxies.js';
import type { PublicHandler } from '../../../kernel/platform/public-listener.js';
import { RateLimit } from '../../../kernel/platform/rate-limit/rate-limit.js';
import { SiteRedirects } from '../../sites/redirects.service.js';
import { VisitorAccess, type AdmittedVisit, type Visit } from '../visitor-access.service.js';
import { redirect, sendResponse, textResponse, type HttpResponse } from './http-response.js';
import {
  credentialsOf,
  forgettingCookies,
  rememberingCookies,
  withoutCredentials,
  type CookieScope,
  type Credentials,
} from './domain/credentials.js';
import { hostName } from '../domain/requested-address.js';
import { visitorLoginUrl } from '../domain/visitor-login-url.js';
import { locationInSite } from './domain/location.js';
import { addressBelow } from './domain/site-paths.js';
import { neutralNotFound, signedOut, signInNeeded, tooManyRequests } from './error-pages.js';
import { SystemPages } from './system-pages.js';
import type { ClientInfo } from './reader-counts.js';
import { SiteAssets } from './site-assets.js';
import { SiteFonts } from './site-fonts.js';
import type { SiteRequest } from './site-place.js';
import { SiteRouter } from './site-router.js';
import { isWebAddress, webAddress } from '../../../kernel/common/web-address.js';

const OTHERS = /^\/~(files|pdf|app)(\/|$)/;
const SHARE_SEGMENT = '/~share/';
const FORMS = '/~feedback';
const MAX_FORM = 8192;
const LOGIN = '~gitbook/auth/login';
const LOGOUT = '~gitbook/auth/logout';

/** A request for a resource of a site, before the site is known. */
interface Asked {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly host: string;
  readonly protocol: 'http' | 'https';
  readonly credentials: Credentials;
  readonly asData: boolean;
  readonly isHead: boolean;
  /** True if the response is shown to a person. */
  readonly wantsPage: boolean;
  readonly reader: ClientInfo;
  /** The origin of the page that sent a form. */
  readonly from: string | undefined;
  readonly form?: URLSearchParams;
}

/** Serves published sites on the public listener: everything there except files. */
@Injectable()
export class PagesEndpoint {
  private readonly proxies: TrustedProxies;

  constructor(
    private readonly visits: VisitorAccess,
    private readonly router: SiteRouter,
    private readonly own: SystemPages,
    private readonly redirects: SiteRedirects,
    private readonly assets: SiteAssets,
    private readonly fonts: SiteFonts,
    private readonly addresses: Addresses,
    private readonly clock: Clock,
    private readonly limit: RateLimit,
    @Inject(CONFIG) { trustedProxies }: Config,
  ) {
    this.proxies = new TrustedProxies(trustedProxies);
  }

  readonly handle: PublicHandler = (request, response, next) => {
    const url = request.url ?? '/';
    // Two slashes at the beginning would name another host.
    const address = url.startsWith('//') ? undefined : webAddress(url, 'http://localhost');
    if (address === undefined) return next(new DomainError('invalid', 'The address cannot be read'));
    const { pathname, searchParams } = address;
    if (OTHERS.test(pathname)) return next();
    this.answer(request, pathname, searchParams, response).catch(next);
  };

  private async answer(
    request: IncomingMessage,
    path: string,
    query: URLSearchParams,
    response: ServerResponse,
  ): Promise<void> {
    const isForm = request.method === 'POST' && path.endsWith(FORMS);
    if (request.method !== 'GET' && request.method !== 'HEAD' && !isForm)
      throw new DomainError('methodNotAllowed', 'Pages can only be read', [], { Allow: 'GET, HEAD' });
    const asset =
      this.assets.answer(path, request.headers['accept-encoding']?.toString()) ?? (await this.fonts.answer(path));
    if (asset) return sendResponse(asset, request, response);
    const asked = { ...this.asked(request, path, query), ...(isForm && { form: await formOf(request) }) };
    await sendResponse(await this.find(asked).catch((error: unknown) => this.refusal(asked, error)), request, response);
  }

  /** The response to browsers that have sent too many requests; programs get the error as it is. */
  private refusal({ wantsPage, reader }: Asked, error: unknown): HttpResponse {
    if (!wantsPage || !(error instanceof DomainError) || error.code !== 'tooManyRequests') throw error;
    return tooManyRequests(this.assets, spoken(reader.language), error.headers);
  }

  private async find(asked: Asked): Promise<HttpResponse> {
    const entered = await this.enter(asked, asked.path);
    if (!entered) return this.nowhere(asked);
    const { entrance } = entered;
    if (!entrance) return this.nothing(asked);
    return 'visit' in entrance
      ? this.inside(asked, entered, entrance.visit)
      : this.outside(asked, entered, entrance.login);
  }

  private async enter({ host, credentials }: Asked, path: string): Promise<AdmittedVisit | undefined> {
    const entered = await this.visits.enter({ host, path }, credentials);
    if (!entered || entered.entrance || credentials.shareKey === undefined || credentials.given.shareKey !== undefined)
      return entered;
    // A stored key that is no longer valid does not restrict access to a site that needs none.
    const { shareKey: _forgotten, ...others } = credentials;
    return this.visits.enter({ host, path }, others);
  }

  /** Handles addresses without a site: a former name of a site redirects visitors whom the site admits. */
  private async nowhere(asked: Asked): Promise<HttpResponse> {
    const { path, query } = asked;
    if (path === '/robots.txt')
      return textResponse('User-agent: *\nAllow: /\n', 'text/plain', { 'Cache-Control': 'public, max-age=3600' });
    const [, basename = '', rest = ''] = /^\/([^/]+)(.*)$/.exec(path) ?? [];
    const site = /^[\w-]+$/.test(basename) ? await this.redirects.formerSite(basename) : undefined;
    const entrance = site && (await this.enter(asked, `/${site.basename}${rest}`))?.entrance;
    if (!site || !entrance || !('visit' in entrance) || entrance.visit.site.id !== site.id) return this.nothing(asked);
    const wanted = new URLSearchParams(query);
    // The cookie with the key belongs to the former address.
    const { shareKey } = entrance.visit;
    if (shareKey !== undefined && !rest.includes(SHARE_SEGMENT)) wanted.set('shareKey', shareKey);
    return redirect(`/${site.basename}${rest}${wanted.size === 0 ? '' : `?${wanted.toString()}`}`);
  }

  private async nothing({ reader }: Asked): Promise<HttpResponse> {
    await this.limit.admitReader(reader.ip);
    return neutralNotFound(this.assets);
  }

  /** The response to visitors who have to sign in first. */
  private outside(asked: Asked, { siteBasePath, path }: AdmittedVisit, login: string | undefined): HttpResponse {
    const scope = this.scope(asked, siteBasePath);
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

  private async inside(asked: Asked, { siteBasePath, path }: AdmittedVisit, visit: Visit): Promise<HttpResponse> {
    const { credentials, query } = asked;
    const share = visit.shareKey === undefined ? '' : `${SHARE_SEGMENT}${encodeURIComponent(visit.shareKey)}`;
    const isInPath = share !== '' && siteBasePath.endsWith(share);
    const base = isInPath ? siteBasePath.slice(0, -share.length) : siteBasePath;
    const scope = this.scope(asked, base);
    const given = {
      ...credentials.given,
      ...(isInPath && visit.shareKey !== undefined && { shareKey: visit.shareKey }),
    };
    if (path === LOGOUT) return redirect(addressBelow(base, ''), { 'Set-Cookie': forgettingCookies(scope) }, 302);
    const site: SiteRequest = { visit, base, origin: this.originOf(asked, visit) };
    // Credentials in the address are moved to cookies, so that others cannot read them there.
    if (given.jwtToken !== undefined || given.shareKey !== undefined || given.claims) {
      const cookies = rememberingCookies({ ...credentials, given }, scope);
      // Without the cookie, readers would return from the login again and again.
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
      path,
      rawPath: pathAsSeen(asked.path, base, visit),
      query,
      asData: asked.asData,
      isHead: asked.isHead,
      reader: asked.reader,
    };
    if (!asked.form) return this.router.get(site, wanted);
    // Forms of other sites are refused, so that those cannot act through their readers.
    if (asked.from !== undefined && asked.from !== `${asked.protocol}://${asked.host}` && asked.from !== site.origin)
      throw new DomainError('forbidden', 'The form comes from another site');
    return (await this.router.post(site, wanted, asked.form)) ?? neutralNotFound(this.assets);
  }

  private scope({ protocol }: Asked, basePath: string): CookieScope {
    return { basePath, isSecure: protocol === 'https', now: this.clock.now().getTime() / 1000 };
  }

  private asked(request: IncomingMessage, path: string, query: URLSearchParams): Asked {
    const host = this.proxies.wordOf(request, 'x-forwarded-host') ?? request.headers.host ?? '';
    const own = new URL(this.addresses.public);
    const protocol =
      this.proxies.wordOf(request, 'x-forwarded-proto') ?? (host === own.host ? own.protocol.slice(0, -1) : 'http');
    const cookies = parseCookies(request.headers.cookie);
    const { headers } = request;
    return {
      path,
      query,
      host,
      protocol: protocol === 'https' ? 'https' : 'http',
      credentials: credentialsOf(query, cookies, path),
      wantsPage: /\btext\/html\b/.test(headers.accept ?? ''),
      isHead: request.method === 'HEAD',
      asData: headers.accept?.startsWith('application/json') ?? false,
      reader: {
        ip: this.proxies.clientOf(request),
        userAgent: headers['user-agent'] ?? '',
        language: headers['accept-language']?.split(/[,;]/, 1)[0],
        referrer: headers.referer,
      },
      from: headers.origin,
    };
  }

  /** The origin at which a reader sees a site: its own host if that was requested, else that of the installation. */
  private originOf({ host, protocol }: Asked, { site }: Visit): string {
    const name = hostName(host);
    const isOwn =
      name === site.hostname?.toLowerCase() ||
      (site.proxy !== null && name === hostName(site.proxy.split('/', 1)[0] ?? ''));
    return isOwn ? `${protocol}://${name}${/:\d+$/.exec(host)?.[0] ?? ''}` : new URL(this.addresses.public).origin;
  }
}

/** A language of the service for a browser's preference. */
function spoken(language: string | undefined): string {
  return /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(language ?? '') ? (language ?? 'en') : 'en';
}

/** The fields of a form; throws `tooLarge` for one that is larger than any of ours. */
async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  const bytes = await bytesWithin(request, MAX_FORM, () => new DomainError('tooLarge', 'The form is too large'));
  return new URLSearchParams(bytes.toString());
}

/** The path that the reader requested: a proxy may have replaced the prefix that they see by the site's own one. */
function pathAsSeen(path: string, base: string, { site }: Visit): string {
  if (base === `/${site.basename}` || path === base || path.startsWith(`${base}/`)) return path;
  return base + path.replace(/^\/[^/]*/, '');
}
