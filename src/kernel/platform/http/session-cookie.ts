import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Addresses } from '../../common/addresses.js';
import { parseCookies } from '../../common/cookies.js';
import { DomainError } from '../../common/errors.js';
import { Secrets } from '../../common/secrets.js';

const NAME = 'bindery';
/** The name of the cookie with https: no other host of the domain can set it. */
export const SECURE_COOKIE = `__Host-${NAME}`;
const VALUE = /^(bds_[0-9A-Za-z]{40})\.([\w-]{43})$/;
/** Methods of requests that change nothing. */
export const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
export const CSRF_HEADER = 'X-CSRF-Token';

/**
 * The cookie of the sessions of browsers. It holds the secret of a session with a signature, so that sessions end with
 * the key that signed them, and no other host of the domain can invent one. No script can read it.
 */
@Injectable()
export class SessionCookie {
  constructor(
    private readonly addresses: Addresses,
    private readonly secrets: Secrets,
  ) {}

  /** The secret of the session of a browser; undefined without a cookie that this service has signed. */
  read(request: Pick<Request, 'headers'>): string | undefined {
    const value = parseCookies(request.headers.cookie).get(this.name);
    const [, secret, signature] = (value !== undefined && VALUE.exec(value)) || [];
    if (secret === undefined || signature === undefined) return undefined;
    return this.secrets.verify('session', `cookie:${secret}`, signature) ? secret : undefined;
  }

  /** Gives a browser the secret of its session, until the session ends. */
  set(response: Response, secret: string, seconds: number): void {
    const signature = this.secrets.sign('session', `cookie:${secret}`);
    this.append(response, `${secret}.${signature}`, seconds);
  }

  clear(response: Response): void {
    this.append(response, '', 0);
  }

  /** The text that pages of the workspace send with each change of a session, in the header `X-CSRF-Token`. */
  csrfToken(sessionId: string): string {
    return this.secrets.sign('session', `csrf:${sessionId}`);
  }

  /**
   * Throws `forbidden` for a change in a session that no page of this address has asked for. Browsers send the cookie
   * with requests of other sites, too, which know neither the token nor how to state another origin.
   */
  requireOwnRequest(request: Request, sessionId: string): void {
    if (SAFE_METHODS.has(request.method)) return;
    this.requireOwnPage(request);
    const token = request.get(CSRF_HEADER);
    if (token === undefined || !this.secrets.verify('session', `csrf:${sessionId}`, token))
      throw new DomainError(
        'forbidden',
        'A change in a session needs the header X-CSRF-Token, which GET /v1/auth/session tells',
      );
  }

  /** Throws `forbidden` unless a page of this address sends the request: that of another site must sign nobody in. */
  requireOwnPage(request: Request): void {
    const site = request.get('sec-fetch-site');
    const isOwn =
      site === undefined ? request.get('origin') === new URL(this.addresses.api).origin : site === 'same-origin';
    if (!isOwn)
      throw new DomainError(
        'forbidden',
        'Sessions are for pages of this address: the request must have its Origin, or Sec-Fetch-Site: same-origin',
      );
  }

  private append(response: Response, value: string, seconds: number): void {
    const secure = this.isSecure ? '; Secure' : '';
    response.append(
      'Set-Cookie',
      `${this.name}=${value}; Path=/${secure}; HttpOnly; SameSite=Lax; Max-Age=${Math.max(0, Math.floor(seconds))}`,
    );
  }

  private get name(): string {
    return this.isSecure ? SECURE_COOKIE : NAME;
  }

  private get isSecure(): boolean {
    return this.addresses.api.startsWith('https:');
  }
}
