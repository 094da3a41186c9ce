import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Addresses } from '../../kernel/common/addresses.js';
import type { Caller } from '../../kernel/common/context.js';
import { SessionCookie } from '../../kernel/platform/http/session-cookie.js';
import { presentSession, type SessionBody } from './sessions.schema.js';
import { Sessions } from './sessions.service.js';
import { SignIns } from './sign-ins.service.js';

/** Sessions together with the cookies of the browsers that have them. */
@Injectable()
export class SignedInBrowsers {
  constructor(
    private readonly sessions: Sessions,
    private readonly signIns: SignIns,
    private readonly cookie: SessionCookie,
    private readonly addresses: Addresses,
  ) {}

  /** The session of a request, with its token against forged requests. */
  async session(id: string): Promise<SessionBody> {
    return presentSession(await this.sessions.current(id), this.cookie.csrfToken(id), this.addresses);
  }

  /** Signs a browser in with the secret of a link. Throws `forbidden` for pages of other sites. */
  async signIn(secret: string, request: Request, response: Response): Promise<SessionBody> {
    this.cookie.requireOwnPage(request);
    const begun = await this.signIns.signIn(secret, this.cookie.read(request));
    this.cookie.set(response, begun.secret, begun.seconds);
    return this.session(begun.id);
  }

  /** Ends the session of a request. Throws `unauthenticated` for one with an API token. */
  async signOut(caller: Caller, response: Response): Promise<void> {
    await this.sessions.current(caller.tokenId);
    await this.end(caller, caller.tokenId, response);
  }

  /** Ends a session of the caller, and takes the cookie away if it is that of the request. */
  async end(caller: Caller, id: string, response: Response): Promise<void> {
    await this.sessions.end(caller, id);
    if (id === caller.tokenId) this.cookie.clear(response);
  }
}
