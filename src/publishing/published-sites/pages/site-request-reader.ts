import { preferredLanguage } from '../../../kernel/common/languages.js';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { Addresses } from '../../../kernel/common/addresses.js';
import { parseCookies } from '../../../kernel/common/cookies.js';
import { CONFIG, type Config } from '../../../kernel/platform/config/config.js';
import { TrustedProxies } from '../../../kernel/platform/http/trusted-proxies.js';
import { PREVIEW_COOKIE } from '../domain/preview-address.js';
import { credentialsOf, type Credentials } from './domain/credentials.js';
import type { ClientInfo } from './reader-counts.js';
import type { McpMessage } from '../../../kernel/platform/mcp/stateless-server.js';

/** Cookies that answers may depend on: the credentials of visitors, and previews. */
const OWN_COOKIES = new RegExp(`gitbook-|${PREVIEW_COOKIE}`);
/** Forms of a page beside HTML. */
const OTHER_FORMS = /^(application\/json|text\/markdown)/;
/** Maximum length of an address whose answer is remembered. */
const MAX_PLAIN = 1024;

/** A request for something of a site, before it is known which one. */
export interface PublicRequest {
  /** Equal for requests that say the same, where they say nothing beside their addresses. */
  readonly plainKey: string | undefined;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly host: string;
  readonly protocol: 'http' | 'https';
  readonly credentials: Credentials;
  readonly asData: boolean;
  /** True if Markdown is preferred to a page. */
  readonly asMarkdown: boolean;
  readonly isHead: boolean;
  /** True if the answer is shown to a person as a page. */
  readonly wantsPage: boolean;
  readonly reader: ClientInfo;
  /** The origin of the page that sent a form. */
  readonly from: string | undefined;
  /** True where browsers do not say from which site a request comes: on plain HTTP, save on the same machine. */
  readonly hidesSender: boolean;
  /** The token of the preview to which the path leads. */
  readonly previewToken?: string;
  readonly form?: URLSearchParams;
  readonly message?: McpMessage;
}

/** Reads who asks for what of published sites, and how, behind the proxies that are trusted. */
@Injectable()
export class SiteRequestReader {
  private readonly proxies: TrustedProxies;
  private own = new URL('http://localhost');
  private ownAddress = '';

  constructor(
    private readonly addresses: Addresses,
    @Inject(CONFIG) { trustedProxies }: Config,
  ) {
    this.proxies = new TrustedProxies(trustedProxies);
  }

  /**
   * A key of a request whose answer follows from its address alone; undefined for one with a query, or with a cookie or
   * header of ours.
   */
  plainKeyOf(request: IncomingMessage): string | undefined {
    const { method, url = '', headers } = request;
    if ((method !== 'GET' && method !== 'HEAD') || url.length > MAX_PLAIN || url.includes('?')) return undefined;
    if (headers.cookie !== undefined && OWN_COOKIES.test(headers.cookie)) return undefined;
    if (OTHER_FORMS.test(headers.accept ?? '')) return undefined;
    const { host, protocol } = this.originOf(request);
    return `${protocol}://${host} ${url}`;
  }

  /** Who sends a request, and whether browsers would hide it. */
  sender(request: IncomingMessage): Pick<PublicRequest, 'reader' | 'hidesSender'> {
    const { headers } = request;
    return {
      reader: {
        ip: this.proxies.clientOf(request),
        userAgent: headers['user-agent'] ?? '',
        language: preferredLanguage(headers['accept-language']),
        referrer: headers.referer,
      },
      hidesSender: this.originOf(request).protocol !== 'https' && headers['sec-fetch-site'] === undefined,
    };
  }

  private originOf(request: IncomingMessage): { readonly host: string; readonly protocol: string } {
    const host = this.proxies.wordOf(request, 'x-forwarded-host') ?? request.headers.host ?? '';
    if (this.ownAddress !== this.addresses.public) {
      this.ownAddress = this.addresses.public;
      this.own = new URL(this.ownAddress);
    }
    const protocol =
      this.proxies.wordOf(request, 'x-forwarded-proto') ??
      (host === this.own.host ? this.own.protocol.slice(0, -1) : 'http');
    return { host, protocol };
  }

  /** `path` and `query` are those of the address. */
  read(request: IncomingMessage, path: string, query: URLSearchParams): PublicRequest {
    const { host, protocol } = this.originOf(request);
    const cookies = parseCookies(request.headers.cookie);
    const { headers } = request;
    const previewToken = cookies.get(PREVIEW_COOKIE);
    return {
      ...this.sender(request),
      plainKey: this.plainKeyOf(request),
      path,
      query,
      host,
      protocol: protocol === 'https' ? 'https' : 'http',
      credentials: credentialsOf(query, cookies, path),
      ...(previewToken !== undefined && { previewToken }),
      wantsPage: /\btext\/html\b/.test(headers.accept ?? ''),
      isHead: request.method === 'HEAD',
      asData: headers.accept?.startsWith('application/json') ?? false,
      asMarkdown: headers.accept?.startsWith('text/markdown') ?? false,
      from: senderOf(headers),
    };
  }
}

/**
 * The origin of the page that sent a form. Pages send no referrer, so browsers call the origin of their forms `null`;
 * whether it is the site's own then stands in another header.
 */
function senderOf({ origin, 'sec-fetch-site': site }: IncomingHttpHeaders): string | undefined {
  return origin === 'null' && site === 'same-origin' ? undefined : origin;
}
