import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { actAs } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError } from '../../kernel/common/errors.js';
import { SessionCookie } from '../../kernel/platform/http/session-cookie.js';
import { Sessions, type BegunSession } from '../../identity/sessions/sessions.service.js';
import { Tokens } from '../../identity/users/tokens.service.js';
import type { User } from '../../identity/users/user.entity.js';
import { Users } from '../../identity/users/users.service.js';
import { InviteAttempts } from './invite-attempts.js';
import type { AcceptInvitation } from './invites.schema.js';
import { RedeemedInvitations } from './redeemed-invitations.js';

const FIRST_TOKEN = 'First token';
const MAX_NAME_LENGTH = 64;

/** How the new account is used at first: by programs, or in the browser, whose former session ends then. */
export type FirstUse = 'token' | { readonly browserWith: string | undefined };

export interface NewAccount {
  readonly user: User;
  readonly organizationId: string;
  readonly token?: string;
  readonly session?: BegunSession;
}

/** Makes accounts for people who were invited and have none. */
@Injectable()
export class Registrations {
  constructor(
    private readonly database: Database,
    private readonly redeemed: RedeemedInvitations,
    private readonly users: Users,
    private readonly tokens: Tokens,
    private readonly sessions: Sessions,
    private readonly cookie: SessionCookie,
    private readonly attempts: InviteAttempts,
  ) {}

  /** The same for a request, whose browser is signed in where it asks for that. Throws `forbidden` for pages of other sites. */
  async acceptFrom(request: Request, response: Response, secret: string, body: AcceptInvitation): Promise<NewAccount> {
    if (body.session !== true) return this.accept(secret, body, 'token');
    this.cookie.requireOwnPage(request);
    const made = await this.accept(secret, body, { browserWith: this.cookie.read(request) });
    if (made.session) this.cookie.set(response, made.session.secret, made.session.seconds);
    return made;
  }

  /** Makes an account for an invited address, with a first token or a session. Throws `notFound` for unknown, used and old secrets, `conflict` for an address that has an account. */
  async accept(secret: string, { displayName }: AcceptInvitation, use: FirstUse): Promise<NewAccount> {
    return this.attempts.guard(() =>
      this.database.transaction(async () => {
        const invitation = await this.redeemed.takeBySecret(secret);
        if (!invitation) return undefined;
        const { email, mailed, organizationId } = invitation;
        if (await this.users.findByEmail(email)) {
          throw new DomainError(
            'conflict',
            `There is an account for this address: accept with its own token at POST /orgs/${organizationId}/invites/{secret}`,
          );
        }
        const user = await this.users.create({
          email,
          displayName: displayName?.trim() ?? nameOf(email),
          emailVerified: mailed,
        });
        actAs({ type: 'user', id: user.id });
        await this.redeemed.admit(invitation, user.id);
        if (use === 'token') {
          const { secret: token } = await this.tokens.issue(user.id, { name: FIRST_TOKEN });
          return { user, organizationId, token };
        }
        const signIn = { userId: user.id, method: 'invitation', organizationId: null } as const;
        return { user, organizationId, session: await this.sessions.begin(signIn, use.browserWith) };
      }),
    );
  }
}

function nameOf(email: string): string {
  return email.slice(0, email.lastIndexOf('@')).slice(0, MAX_NAME_LENGTH);
}
