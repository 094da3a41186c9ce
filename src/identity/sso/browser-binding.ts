import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Addresses } from '../../kernel/common/addresses.js';
import { randomCharacters } from '../../kernel/common/ids.js';
import { hashSecret } from '../../kernel/common/secrets.js';
import { browserCookie, browserSecret } from './domain/browser-cookie.js';

const SECRET_LENGTH = 40;

/**
 * Ties logins to the browsers that they begin in, whatever the protocol: a login that somebody began elsewhere, and lets others
 * end, would make them work under a name that is not theirs (login CSRF). The login keeps a hash, and ends only where it is shown.
 */
@Injectable()
export class BrowserBinding {
  constructor(private readonly addresses: Addresses) {}

  /** Lets the browser remember that a login begins in it; the hash is to be kept with the login. A browser with several logins has one cookie. */
  remember(request: Request, response: Response): Buffer {
    const secret = browserSecret(this.addresses.api, request.headers.cookie) ?? randomCharacters(SECRET_LENGTH);
    response.append('Set-Cookie', browserCookie(this.addresses.api, secret));
    return hashSecret(secret);
  }

  /** What `remember` gave for this browser, to compare a login with; undefined for one that no login begins in. */
  recognize(request: Request): Buffer | undefined {
    const secret = browserSecret(this.addresses.api, request.headers.cookie);
    return secret === undefined ? undefined : hashSecret(secret);
  }
}
