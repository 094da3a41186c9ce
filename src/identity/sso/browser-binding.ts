import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Addresses } from '../../kernel/common/addresses.js';
import { randomCharacters } from '../../kernel/common/ids.js';
import { hashSecret } from '../../kernel/common/secrets.js';
import { browserCookie, browserSecret } from './domain/browser-cookie.js';

const SECRET_LENGTH = 40;

/**
 * Binds logins to the browser in which they begin, for every protocol: otherwise an attacker could begin a login and
 * let a victim complete it, so that the victim works under another account (login CSRF). The login stores a hash, and
 * completes only in a browser that presents it.
 */
@Injectable()
export class BrowserBinding {
  constructor(private readonly addresses: Addresses) {}

  /**
   * Sets a cookie in the browser in which a login begins; the returned hash must be stored with the login. A browser
   * with several logins has one cookie.
   */
  remember(request: Request, response: Response): Buffer {
    const secret = browserSecret(this.addresses.api, request.headers.cookie) ?? randomCharacters(SECRET_LENGTH);
    response.append('Set-Cookie', browserCookie(this.addresses.api, secret));
    return hashSecret(secret);
  }

  /**
   * Returns the result of `remember` for this browser, to compare it with a login; undefined for a browser without a
   * login.
   */
  recognize(request: Request): Buffer | undefined {
    const secret = browserSecret(this.addresses.api, request.headers.cookie);
    return secret === undefined ? undefined : hashSecret(secret);
  }
}
