import { createHash, hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DomainError } from '../../../kernel/common/errors.js';
import { HtmlBody, newNonce, NONCE_MARK } from './html-body.js';
import { compress, etagOf, TextBody } from './text-body.js';
import { webAddress } from '../../../kernel/common/web-address.js';

/** Maximum length of an address in a header; browsers and proxies accept headers of 8 to 16 KB in all. */
const MAX_LOCATION = 8000;
/** Minimum length of texts that are compressed. */
const COMPRESSED_FROM = 1024;

/** A response to a request for a resource of a site. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: HtmlBody | TextBody | Buffer | string | Readable;
  /** Sources that a page's policy allows beside our own; only for an `HtmlBody`. */
  readonly policy?: PagePolicy;
  /** The id of the shown page. */
  readonly page?: string;
  /** True where a cache may send it to others, so that each has the same nonce. */
  readonly isShared?: true;
  /** Milliseconds since 1970 until which it stays what it is, where time changes it. */
  readonly until?: number;
}

/** The sources of a page beside those with its nonce. */
export interface PagePolicy {
  /** Hashes of inline elements, as `sha256-…`. */
  readonly styles: readonly string[];
  readonly scripts: readonly string[];
  /** Origins of fonts and files. */
  readonly fonts: readonly string[];
  readonly files: readonly string[];
  /** Sources of the frames on the page: origins of players, which readers load into them, and `'self'` for its diagrams. */
  readonly framed?: readonly string[];
  /** Sources beside the site itself to which its scripts send requests: servers of APIs that readers try. */
  readonly connected?: readonly string[];
  /** Origins of pages beside the site's own that may show it in a frame. */
  readonly frames?: readonly string[];
}

/** The source expression of an inline style sheet or script. */
export function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/**
 * A redirect that keeps the method; never cached, since targets may change. Throws `invalid` for an address that is too
 * long for a header: escaping makes it up to three times as long as the requested one.
 */
export function redirect(
  location: string,
  headers: HttpResponse['headers'] = {},
  status: 302 | 303 | 307 | 308 = 307,
): HttpResponse {
  const address = escapedAddress(location);
  if (address.length > MAX_LOCATION) throw new DomainError('invalid', 'The address is too long to redirect to');
  return { status, headers: { Location: address, 'Cache-Control': 'no-store', ...headers } };
}

/** Addresses may contain all scripts; headers contain ASCII only. */
function escapedAddress(address: string): string {
  if (/^[\x21-\x7e]*$/.test(address)) return address;
  return webAddress(address)?.href ?? encodeURI(address).replaceAll('%25', '%');
}

/** A text for robots and programs. */
export function textResponse(
  text: TextBody | string,
  type: string,
  headers: HttpResponse['headers'] = {},
): HttpResponse {
  return { status: 200, headers: { 'Content-Type': `${type}; charset=utf-8`, ...headers }, body: text };
}

/**
 * Lets pages tell their own site where forms come from, where browsers do not say so otherwise: nothing but the origin
 * of their page would. Other sites learn no more than before.
 */
export function withReferrers(response: ServerResponse, hidesSender: boolean): void {
  if (hidesSender) response.setHeader('Referrer-Policy', 'same-origin');
}

/** Sends a response in the requested form: compressed, without its body, or as not modified. */
export async function sendResponse(
  answer: HttpResponse,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  for (const [name, value] of Object.entries(answer.headers))
    response.setHeader(name, typeof value === 'string' ? value : [...value]);
  response.statusCode = answer.status;
  const { body } = answer;
  if (body === undefined) return void response.end();
  if (typeof body === 'object' && 'pipe' in body) {
    if (request.method === 'HEAD') return void response.end(() => body.destroy());
    return pipeline(body, response);
  }
  const etag = tagOf(answer, body);
  if (etag !== undefined) {
    response.setHeader('ETag', etag);
    if (isKnown(request.headers['if-none-match'], etag)) {
      // The cached page keeps the policy with which it was sent, because it contains that nonce.
      response.removeHeader('Content-Type');
      response.removeHeader('Content-Security-Policy');
      response.writeHead(304).end();
      return;
    }
  }
  const parts =
    body instanceof HtmlBody
      ? await pageParts(body, answer, request, response)
      : [await textBytes(body, request, response)];
  response.setHeader(
    'Content-Length',
    parts.reduce((sum, { length }) => sum + length, 0),
  );
  if (request.method === 'HEAD') return void response.end();
  // Headers and parts leave in one call of the system, without a copy of what is the same for all.
  response.cork();
  for (const part of parts) response.write(part);
  response.end();
}

async function pageParts(
  body: HtmlBody,
  { policy, isShared }: HttpResponse,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<readonly Buffer[]> {
  const nonce = isShared ? body.ownNonce : newNonce();
  response.setHeader('Content-Security-Policy', policyOf(nonce, policy ?? NO_SOURCES));
  const brotli = accepts(request, BROTLI) ? await body.brotli(nonce) : undefined;
  if (!brotli && !accepts(request, GZIP)) return body.plain(nonce);
  response.setHeader('Content-Encoding', brotli ? 'br' : 'gzip');
  return brotli ?? body.gzip(nonce);
}

async function textBytes(
  body: TextBody | Buffer | string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Buffer> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body instanceof TextBody ? body.plain : body;
  const type = String(response.getHeader('Content-Type') ?? '');
  if (
    response.hasHeader('Content-Encoding') ||
    bytes.length < COMPRESSED_FROM ||
    !/^text\/|json|xml/.test(type) ||
    !accepts(request, GZIP)
  )
    return bytes;
  response.setHeader('Content-Encoding', 'gzip');
  return body instanceof TextBody ? body.gzip() : compress(bytes);
}

const GZIP = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/;
const BROTLI = /\bbr\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/;

function accepts({ headers }: IncomingMessage, encoding: RegExp): boolean {
  return encoding.test(headers['accept-encoding']?.toString() ?? '');
}

/** Texts of policies without the nonces between their parts: they are the same for all answers of a page. */
const policies = new WeakMap<PagePolicy, readonly string[]>();

function policyOf(nonce: string, policy: PagePolicy): string {
  const parts = policies.get(policy) ?? policyText(policy).split(NONCE_MARK);
  policies.set(policy, parts);
  return parts.join(nonce);
}

const NO_SOURCES: PagePolicy = { styles: [], scripts: [], fonts: [], files: [] };

/**
 * The policy of a page that is a static file, for an element of its head: it allows the site's own scripts by their
 * hashes, and its style sheets, whose hashes browsers do not compare. Elements cannot say who may frame a page.
 */
export function staticPolicy(policy: PagePolicy, scripts: readonly string[]): string {
  return directivesOf({ ...policy, scripts: [...policy.scripts, ...scripts], styles: ["'self'", ...policy.styles] })
    .filter((directive) => !directive.startsWith('frame-ancestors'))
    .join('; ');
}

function policyText({ styles, scripts, ...others }: PagePolicy): string {
  const nonce = `'nonce-${NONCE_MARK}'`;
  return directivesOf({ ...others, scripts: [nonce, ...scripts], styles: [nonce, ...styles] }).join('; ');
}

function directivesOf({
  styles,
  scripts,
  fonts,
  files,
  framed = [],
  frames = [],
  connected = [],
}: PagePolicy): string[] {
  return [
    "default-src 'none'",
    `script-src ${scripts.join(' ')}`,
    `style-src ${styles.join(' ')}`,
    `img-src ${["'self'", 'https:', 'data:', ...files].join(' ')}`,
    `media-src ${["'self'", 'https:', ...files].join(' ')}`,
    `font-src ${["'self'", ...fonts].join(' ')}`,
    `connect-src ${["'self'", ...connected].join(' ')}`,
    ...(framed.length > 0 ? [`frame-src ${framed.join(' ')}`] : []),
    "form-action 'self'",
    `frame-ancestors ${["'self'", ...frames].join(' ')}`,
    "base-uri 'none'",
  ];
}

/**
 * The entity tag of an answer. Browsers keep a page with the policy that it came with: the same text has another tag
 * where other pages may frame it.
 */
function tagOf(
  { status, policy }: HttpResponse,
  body: Exclude<HttpResponse['body'], Readable | undefined>,
): string | undefined {
  if (status !== 200) return undefined;
  const tag = typeof body === 'string' || Buffer.isBuffer(body) ? etagOf(body) : body.etag;
  const framers = policy?.frames?.join(' ');
  return framers === undefined ? tag : tag.replace(/"$/, `.${hash('sha256', framers, 'base64url').slice(0, 8)}"`);
}

function isKnown(header: string | undefined, etag: string): boolean {
  const opaque = (tag: string): string => tag.trim().replace(/^W\//, '');
  return header !== undefined && header.split(',').some((tag) => tag.trim() === '*' || opaque(tag) === opaque(etag));
}
