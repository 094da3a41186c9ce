import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../kernel/common/errors.js';
import { webAddress } from '../../../kernel/common/web-address.js';
import { bytesWithin } from '../../../kernel/platform/http/raw-body.js';
import type { PublicHandler } from '../../../kernel/platform/public-listener.js';
import { RateLimit } from '../../../kernel/platform/rate-limit/rate-limit.js';
import { LiveRedirects } from '../../sites/live-redirects.js';
import { spokenLanguage } from '../../../formats/html/languages/language-packs.js';
import { isPreviewPath } from '../domain/preview-address.js';
import { SHARE_SEGMENT } from '../domain/requested-address.js';
import { AddressRefused, VisitorAccess } from '../visitor-access.service.js';
import type { AdmittedVisit } from '../visit.js';
import { addressRefused, neutralNotFound, tooManyRequests } from './error-pages.js';
import { redirect, sendResponse, textResponse, withReferrers, type HttpResponse } from './http-response.js';
import { InstallationPage } from './installation-page.js';
import { PreviewPages } from './preview-pages.js';
import { SiteAssets } from './site-assets.js';
import { SiteFonts } from './site-fonts.js';
import { SiteRequestReader, type PublicRequest } from './site-request-reader.js';
import { FEEDBACK_PATH, MCP_PATH, SEARCH_PATH } from './domain/site-paths.js';
import { MAX_MCP_MESSAGE, type McpMessage } from '../../../kernel/platform/mcp/stateless-server.js';
import { SiteVisits } from './site-visits.js';

const OTHERS = /^\/~(files|pdf|app)(\/|$)/;
const FORMS = [`/${FEEDBACK_PATH}`, `/${SEARCH_PATH}`];
const MAX_FORM = 8192;
const MESSAGES = `/${MCP_PATH}`;
/** Headers that belong to a message of an agent. */
const MESSAGE_HEADERS = ['accept', 'content-type', 'mcp-protocol-version'] as const;

/** Serves published sites on the public listener: everything there except files. */
@Injectable()
export class PagesEndpoint {
  constructor(
    private readonly requests: SiteRequestReader,
    private readonly access: VisitorAccess,
    private readonly visits: SiteVisits,
    private readonly previews: PreviewPages,
    private readonly redirects: LiveRedirects,
    private readonly assets: SiteAssets,
    private readonly fonts: SiteFonts,
    private readonly limit: RateLimit,
    private readonly installation: InstallationPage,
  ) {}

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
    const isForm = request.method === 'POST' && FORMS.some((form) => path.endsWith(form));
    const isMessage = request.method === 'POST' && path.endsWith(MESSAGES);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (path.endsWith(MESSAGES) ? !isMessage && !(isRead && isForPeople(request)) : !isRead && !isForm)
      throw new DomainError('methodNotAllowed', 'Pages can only be read', [], {
        Allow: path.endsWith(MESSAGES) ? 'POST' : 'GET, HEAD',
      });
    const asset =
      (await this.assets.answer(path, request.headers['accept-encoding']?.toString())) ??
      (await this.fonts.answer(path));
    if (asset) return sendResponse(asset, request, response);
    const asked = {
      ...this.requests.read(request, path, isMessage ? withToken(query, request) : query),
      ...(isForm && { form: await formOf(request) }),
      ...(isMessage && { message: await messageOf(request) }),
    };
    const answer = await this.find(asked).catch((error: unknown) => this.refusal(asked, error));
    withReferrers(response, asked.hidesSender);
    await sendResponse(answer, request, response);
  }

  /** The answer to browsers from elsewhere, and of those who ask for too much; programs get the error as it is. */
  private refusal({ wantsPage, reader }: PublicRequest, error: unknown): HttpResponse {
    if (wantsPage && error instanceof AddressRefused) return addressRefused(this.assets);
    if (!wantsPage || !(error instanceof DomainError) || error.code !== 'tooManyRequests') throw error;
    return tooManyRequests(this.assets, spokenLanguage(reader.language), error.headers);
  }

  private async find(asked: PublicRequest): Promise<HttpResponse> {
    if (isPreviewPath(asked.path)) return this.previews.answer(asked);
    const entered = await this.enter(asked, asked.path);
    if (!entered) return this.installation.isAt(asked) ? this.installation.answer(asked) : this.nowhere(asked);
    const { entrance } = entered;
    if (!entrance) return this.nothing(asked);
    return 'visit' in entrance
      ? this.visits.inside(asked, entered, entrance.visit)
      : this.visits.outside(asked, entered, entrance.login);
  }

  private async enter({ host, credentials }: PublicRequest, path: string): Promise<AdmittedVisit | undefined> {
    const entered = await this.access.enter({ host, path }, credentials);
    if (!entered || entered.entrance || credentials.shareKey === undefined || credentials.given.shareKey !== undefined)
      return entered;
    // A stored key that is no longer valid does not restrict access to a site that needs none.
    const { shareKey: _forgotten, ...others } = credentials;
    return this.access.enter({ host, path }, others);
  }

  /** Where no site is: perhaps one was there under a name that it has no more, which is told to whom it lets in. */
  private async nowhere(asked: PublicRequest): Promise<HttpResponse> {
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
    if (shareKey !== undefined && !rest.includes(`/${SHARE_SEGMENT}/`)) wanted.set('shareKey', shareKey);
    return redirect(`/${site.basename}${rest}${wanted.size === 0 ? '' : `?${wanted.toString()}`}`);
  }

  private async nothing({ reader }: PublicRequest): Promise<HttpResponse> {
    await this.limit.admitReader(reader.ip);
    return neutralNotFound(this.assets);
  }
}

/** The fields of a form; throws `tooLarge` for one that is larger than any of ours. */
async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  const bytes = await bytesWithin(request, MAX_FORM, () => new DomainError('tooLarge', 'The form is too large'));
  return new URLSearchParams(bytes.toString());
}

/** Browsers that ask for the address of the MCP server get a page about it. */
function isForPeople({ headers }: IncomingMessage): boolean {
  return /\btext\/html\b/.test(headers.accept ?? '');
}

/** Agents send the token of a visitor in a header, since they keep no cookies. */
function withToken(query: URLSearchParams, { headers }: IncomingMessage): URLSearchParams {
  const token = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1];
  if (token === undefined || query.has('jwt_token')) return query;
  return new URLSearchParams([...query, ['jwt_token', token]]);
}

/** The message of an agent; throws `tooLarge` for one that is too long. */
async function messageOf(request: IncomingMessage): Promise<McpMessage> {
  const bytes = await bytesWithin(
    request,
    MAX_MCP_MESSAGE,
    () => new DomainError('tooLarge', 'The message is too large'),
  );
  const headers = MESSAGE_HEADERS.flatMap((name) => {
    const value = request.headers[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  return { body: bytes.toString(), headers: Object.fromEntries(headers) };
}
