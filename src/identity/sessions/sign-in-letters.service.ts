import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Addresses } from '../../kernel/common/addresses.js';
import { Clock } from '../../kernel/common/clock.js';
import { currentContext } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { invalid } from '../../kernel/common/errors.js';
import { Jobs } from '../../kernel/platform/jobs/jobs.js';
import { Mail } from '../../kernel/platform/mail.js';
import { RateLimit } from '../../kernel/platform/rate-limit/rate-limit.js';
import { Users } from '../users/users.service.js';
import { ContributedInvites } from './contributed-invites.js';
import { signInEmail } from './domain/sign-in-email.js';
import { isWorkspacePath } from './domain/workspace-path.js';
import type { RequestSignInLink } from './sessions.schema.js';
import { LINK_MINUTES, SignInLinks } from './sign-in-links.service.js';

/** Links that may wait at one address at the same time: nobody fills the mailbox of somebody else. */
const WAITING_LINKS = 5;

interface WantedLetter {
  readonly email: string;
  readonly returnTo?: string;
  readonly inviteId?: string;
}

/** Letters with links by which people sign in. */
@Injectable()
export class SignInLetters implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly addresses: Addresses,
    private readonly users: Users,
    private readonly links: SignInLinks,
    private readonly jobs: Jobs,
    private readonly mail: Mail,
    private readonly limit: RateLimit,
    private readonly invites: ContributedInvites,
  ) {}

  onModuleInit(): void {
    this.jobs.handle('sessions.mail', (wanted) => this.send(wanted));
  }

  /**
   * Has a letter sent, if there is an account for the address and a mail server. Neither the answer nor its time tells
   * which: the account is looked for later. Throws `invalid` for a path outside of the workspace, `tooManyRequests`.
   */
  async request({ email, returnTo, invite }: RequestSignInLink): Promise<Record<string, never>> {
    if (returnTo !== undefined && !isWorkspacePath(returnTo, this.addresses.app('')))
      throw invalid('returnTo', 'must be a path below the workspace that begins with one slash');
    await this.limit.admitMail(currentContext()?.ip, email);
    if (!this.mail.configured) return {};
    const inviteId = invite === undefined ? undefined : await this.invites.idOf(invite);
    await this.jobs.enqueue('sessions.mail', {
      email,
      ...(returnTo !== undefined && { returnTo }),
      ...(inviteId !== undefined && { inviteId }),
    });
    return {};
  }

  private async send({ email, returnTo, inviteId }: WantedLetter): Promise<void> {
    const user = await this.users.findByEmail(email);
    if (user?.disabled || (!user && inviteId === undefined)) return;
    const waiting = await this.database.one<{ count: number }>(
      'SELECT count(*)::integer AS count FROM sign_in_link WHERE lower(email) = lower($1) AND mailed AND expires_at > $2',
      [email, this.clock.now()],
    );
    if (waiting && waiting.count >= WAITING_LINKS) return;
    const { url } = await this.links.make({
      email: user?.email ?? email,
      userId: user?.id ?? null,
      minutes: LINK_MINUTES.mailed,
      inviteId: user ? undefined : inviteId,
      mailed: true,
      returnTo,
    });
    await this.mail.send({ to: user?.email ?? email, ...signInEmail({ address: url, minutes: LINK_MINUTES.mailed }) });
  }
}
