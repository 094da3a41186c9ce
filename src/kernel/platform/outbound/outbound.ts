import { lookup as systemLookup } from 'node:dns/promises';
import { request as requestByHttp, type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestByHttps } from 'node:https';
import { connect as connectByTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { isAllowedAddress, isAllowedPrivately, parseRanges } from './allowed-address.js';
import { limitedBody } from './limited-body.js';
import { asOutboundError, OutboundError } from './outbound-error.js';
import { webAddress } from '../../common/web-address.js';

const MAX_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const DEFAULT_TIMEOUT = 30_000;
/** Milliseconds for looking up a name without a request. */
const LOOKUP_TIMEOUT = 1000;
const DEFAULT_MAX_BYTES = 10 * 1024 * 1024;
const MAX_HEADER_BYTES = 32 * 1024;
/** Headers that follow a redirect to another origin; all others were meant for the first one only. */
const HARMLESS_HEADERS = new Set(['accept', 'accept-encoding', 'user-agent']);
/** The same text for all addresses, so that it reveals nothing about the requested one. */
const NOT_ALLOWED =
  'the address is not allowed: those of private networks and of this machine are reached only where the operator allows them with OUTBOUND_ALLOW';
const ONLY_HTTPS = 'only https is possible';
const FORBIDDEN_HEADERS = new Set([
  'authorization',
  'cookie',
  'proxy-authorization',
  'host',
  'connection',
  'transfer-encoding',
]);

/** An address of a host as the resolver gives it. */
export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}
/** Resolves a name to all its A and AAAA records. */
export type Resolver = (host: string) => Promise<readonly ResolvedAddress[]>;
/** Injection token of a `Resolver` other than the system's. */
const RESOLVER = Symbol('RESOLVER');

export interface OutboundRequest {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'PURGE';
  /** Never credentials of the service: headers that carry credentials are refused. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The caller's own name and password for that server, or a whole `Authorization`; they go to no other origin. */
  readonly credentials?: { readonly username: string; readonly password: string } | { readonly authorization: string };
  /**
   * The address is a setting of the operator, so any target is allowed. Redirects are not followed, because their
   * targets are not trusted.
   */
  readonly setByOperator?: true;
  readonly body?: Uint8Array | AsyncIterable<Uint8Array>;
  /** `in-public`: plain http reaches only the private addresses that the operator allows. */
  readonly httpsOnly?: boolean | 'in-public';
  /** 0 to 3; redirects of requests with a body are never followed. */
  readonly redirects?: number;
  /** Milliseconds for everything, redirects and body included. */
  readonly timeout?: number;
  /** Bytes of the body, before as well as after decompression. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

export interface OutboundAnswer {
  /** The address that answered, after redirects. */
  readonly url: string;
  readonly status: number;
  readonly statusText: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface Hop {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/**
 * Requests to addresses that callers or the operator give. For callers only public addresses (and those of
 * OUTBOUND_ALLOW) are reached: every record of a name is checked, at every redirect, and exactly the checked addresses
 * are dialled. Time and size are limited and no credentials of the service are sent.
 */
@Injectable()
export class Outbound {
  private readonly allowed: ReturnType<typeof parseRanges>;

  constructor(
    @Inject(CONFIG) config: Pick<Config, 'outboundAllow'>,
    @Optional()
    @Inject(RESOLVER)
    private readonly resolve: Resolver = (host) => systemLookup(host, { all: true, verbatim: true }),
  ) {
    this.allowed = parseRanges(config.outboundAllow);
  }

  /** Returns the whole response; throws `OutboundError`. A response with an error status is returned as well. */
  async fetch(address: string, request: OutboundRequest = {}): Promise<OutboundAnswer & { readonly body: Buffer }> {
    const answer = await this.open(address, request);
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of answer.body as AsyncIterable<Buffer>) chunks.push(chunk);
    } catch (error) {
      throw asOutboundError(error);
    }
    return { ...answer, body: Buffer.concat(chunks) };
  }

  /** Returns the response with its body as a stream, to which the same limits apply. Throws `OutboundError`. */
  async open(address: string, request: OutboundRequest = {}): Promise<OutboundAnswer & { readonly body: Readable }> {
    const timeout = AbortSignal.timeout(request.timeout ?? DEFAULT_TIMEOUT);
    // A timeout that only AbortSignal.any references is lost with the next garbage collection (nodejs/node#57736); one
    // with a listener is kept.
    timeout.addEventListener('abort', () => undefined, { once: true });
    const signal = request.signal ? AbortSignal.any([timeout, request.signal]) : timeout;
    const redirects = request.setByOperator ? 0 : Math.min(request.redirects ?? MAX_REDIRECTS, MAX_REDIRECTS);
    let hop: Hop = { url: checkedUrl(address, request.httpsOnly === true), headers: checkedHeaders(request), signal };
    for (let followed = 0; ; followed++) {
      const response = await this.send(hop, request);
      const { location } = response.headers;
      const status = response.statusCode ?? 0;
      if (!REDIRECTS.has(status) || location === undefined || request.body !== undefined || redirects === 0)
        return answerOf(response, hop, request);
      response.destroy();
      if (followed >= redirects)
        throw new OutboundError('refused', `the address redirects more than ${redirects} times`);
      hop = redirected(hop, location, request.httpsOnly === true);
    }
  }

  /** Opens a connection for a protocol other than HTTP; only checked addresses are dialled. Throws `OutboundError`. */
  async connect(host: string, port: number, signal: AbortSignal): Promise<Socket> {
    const url = checkedUrl(`http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`, false);
    const addresses = await this.addressesOf({ url, signal });
    this.requireAllowed(url, addresses, {});
    return new Promise((resolve, reject) => {
      const options = { lookup: pinned(addresses), autoSelectFamily: addresses.length > 1 };
      const socket = connectByTcp({ host: hostOf(url), port, ...options, signal });
      socket.once('connect', () => resolve(socket));
      socket.once('error', (error) => reject(signal.aborted ? abortedError(signal) : asOutboundError(error)));
    });
  }

  private async send(hop: Hop, request: OutboundRequest): Promise<IncomingMessage> {
    const addresses = await this.addressesOf(hop);
    if (!request.setByOperator) this.requireAllowed(hop.url, addresses, request);
    const options: RequestOptions & { autoSelectFamily: boolean } = {
      method: request.method ?? 'GET',
      headers: hop.headers,
      // No pool: a connection of another request may lead to an address that was never checked.
      agent: false,
      lookup: pinned(addresses),
      autoSelectFamily: addresses.length > 1,
      maxHeaderSize: MAX_HEADER_BYTES,
      signal: hop.signal,
    };
    return new Promise((resolve, reject) => {
      const fail = (error: unknown): void =>
        reject(hop.signal.aborted ? abortedError(hop.signal) : asOutboundError(error));
      let sent: ClientRequest;
      try {
        sent = hop.url.protocol === 'https:' ? requestByHttps(hop.url, options) : requestByHttp(hop.url, options);
      } catch (error) {
        fail(error);
        return;
      }
      sent.once('response', resolve).on('error', fail);
      if (request.body === undefined) sent.end();
      else if (request.body instanceof Uint8Array) sent.end(request.body);
      else
        Readable.from(request.body, { objectMode: false })
          .on('error', (error) => sent.destroy(error))
          .pipe(sent);
    });
  }

  /**
   * Throws `refused` for an address that no request would reach, as far as this is known without looking up its name.
   */
  check(address: string, { httpsOnly = false }: Pick<OutboundRequest, 'httpsOnly'> = {}): void {
    const url = checkedUrl(address, httpsOnly === true);
    const host = hostOf(url);
    const known = isIP(host) === 0 ? (/^(.*\.)?localhost$/.test(host) ? '127.0.0.1' : undefined) : host;
    if (known !== undefined) this.requireAllowed(url, [{ address: known }], { httpsOnly });
    else if (httpsOnly === 'in-public' && url.protocol === 'http:' && this.allowed.length === 0)
      throw new OutboundError('refused', ONLY_HTTPS);
  }

  /**
   * Applies `check` to an address for requests with `in-public`, and looks a name up if it uses http; a name that is
   * not found within a second is accepted, because it may exist later.
   */
  async vet(address: string): Promise<void> {
    this.check(address, { httpsOnly: 'in-public' });
    const url = checkedUrl(address, false);
    if (url.protocol === 'https:') return;
    const found = await this.addressesOf({ url, signal: AbortSignal.timeout(LOOKUP_TIMEOUT) }).catch(() => []);
    this.requireAllowed(url, found, { httpsOnly: 'in-public' });
  }

  private requireAllowed(
    { protocol }: URL,
    addresses: readonly Pick<ResolvedAddress, 'address'>[],
    { httpsOnly }: Pick<OutboundRequest, 'httpsOnly'>,
  ): void {
    if (!addresses.every(({ address }) => isAllowedAddress(address, this.allowed)))
      throw new OutboundError('refused', NOT_ALLOWED);
    const isPlain = httpsOnly === 'in-public' && protocol === 'http:';
    if (isPlain && !addresses.every(({ address }) => isAllowedPrivately(address, this.allowed)))
      throw new OutboundError('refused', ONLY_HTTPS);
  }

  /** All addresses of a host. */
  private async addressesOf({ url, signal }: Pick<Hop, 'url' | 'signal'>): Promise<readonly ResolvedAddress[]> {
    const host = hostOf(url);
    const family = isIP(host);
    const addresses = family === 0 ? await this.resolved(host, signal) : [{ address: host, family }];
    if (addresses.length === 0) throw new OutboundError('failed', 'the host has no address');
    return addresses;
  }

  private async resolved(host: string, signal: AbortSignal): Promise<readonly ResolvedAddress[]> {
    const aborted = new Promise<never>((_, reject) => {
      if (signal.aborted) reject(abortedError(signal));
      signal.addEventListener('abort', () => reject(abortedError(signal)), { once: true });
    });
    try {
      return await Promise.race([this.resolve(host), aborted]);
    } catch (error) {
      throw error instanceof OutboundError
        ? error
        : new OutboundError('failed', 'the host could not be found', { cause: error });
    }
  }
}

/** Answers every look-up with the checked addresses: nothing is resolved again between check and dial. */
function pinned(addresses: readonly ResolvedAddress[]): LookupFunction {
  return (_host, options, callback) => {
    const [first] = addresses;
    if (options.all) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$|\.$/g, '');
}

function checkedUrl(address: string, httpsOnly: boolean): URL {
  const url = webAddress(address);
  if (url === undefined) throw new OutboundError('refused', 'the address is not valid');
  if (url.protocol !== 'https:' && (httpsOnly || url.protocol !== 'http:'))
    throw new OutboundError('refused', httpsOnly ? ONLY_HTTPS : 'only http and https are possible');
  if (url.username !== '' || url.password !== '')
    throw new OutboundError('refused', 'the address may not contain a user or password');
  if (url.hostname === '') throw new OutboundError('refused', 'the address has no host');
  return url;
}

function checkedHeaders({ headers = {}, credentials }: OutboundRequest): Record<string, string> {
  const own: Record<string, string> = {
    'user-agent': 'Bindery',
    accept: '*/*',
    'accept-encoding': 'gzip, deflate, br',
  };
  for (const [name, value] of Object.entries(headers)) {
    if (FORBIDDEN_HEADERS.has(name.toLowerCase())) throw new OutboundError('refused', `the header ${name} is not sent`);
    own[name.toLowerCase()] = value;
  }
  if (credentials && 'authorization' in credentials) own['authorization'] = credentials.authorization;
  else if (credentials)
    own['authorization'] = `Basic ${Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64')}`;
  return own;
}

function redirected(hop: Hop, location: string, httpsOnly: boolean): Hop {
  const target = webAddress(location, hop.url)?.href;
  if (target === undefined) throw new OutboundError('failed', 'the address redirects to an invalid one');
  const url = checkedUrl(target, httpsOnly || hop.url.protocol === 'https:');
  const headers =
    url.origin === hop.url.origin
      ? hop.headers
      : Object.fromEntries(Object.entries(hop.headers).filter(([name]) => HARMLESS_HEADERS.has(name)));
  return { url, headers, signal: hop.signal };
}

function answerOf(response: IncomingMessage, hop: Hop, request: OutboundRequest): OutboundAnswer & { body: Readable } {
  const maxBytes = request.maxBytes ?? DEFAULT_MAX_BYTES;
  if (Number(response.headers['content-length'] ?? 0) > maxBytes) {
    response.destroy();
    throw new OutboundError('tooLarge', `the answer is larger than ${maxBytes} bytes`);
  }
  let body: Readable;
  try {
    body =
      request.method === 'HEAD'
        ? Readable.from([])
        : limitedBody(response, response.headers['content-encoding'], maxBytes);
  } catch (error) {
    response.destroy();
    throw error;
  }
  // It can fail before its consumer has begun to read, which gets the error then: without a listener the error would
  // end the server.
  body.on('error', () => undefined);
  const stop = (): void => void body.destroy(abortedError(hop.signal));
  hop.signal.addEventListener('abort', stop, { once: true });
  body.once('close', () => hop.signal.removeEventListener('abort', stop));
  const headers = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [name, [value].flat().join(', ')]),
  );
  return {
    url: hop.url.toString(),
    status: response.statusCode ?? 0,
    statusText: response.statusMessage ?? '',
    headers,
    body,
  };
}

function abortedError(signal: AbortSignal): OutboundError {
  const reason: unknown = signal.reason;
  return reason instanceof DOMException && reason.name === 'TimeoutError'
    ? new OutboundError('timeout', 'the address did not answer in time')
    : new OutboundError('failed', 'the request was stopped');
}
