import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Addresses } from '../../kernel/common/addresses.js';
import { Clock } from '../../kernel/common/clock.js';
import { actAs } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { invalid } from '../../kernel/common/errors.js';
import { CONFIG, type Config } from '../../kernel/platform/config/config.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { isInWorkspace } from '../sessions/domain/workspace-path.js';
import { LOGIN_LIFE } from './domain/browser-cookie.js';
import { LoginFault } from './domain/login-fault.js';
import { requireSession } from './domain/session-end.js';
import { isReturnAddress } from './domain/web-addresses.js';
import { LoginRequest } from './login-request.entity.js';
import type { BegunSession } from '../sessions/sessions.service.js';
import { LoginTokens, type SessionToken } from './login-tokens.service.js';
import { asPayload, type Admission, type AdmittedPerson, type ProtocolName } from './protocol.js';
import { SsoAccounts } from './sso-accounts.service.js';

/** The end of a login: a token, or a redirect to the application that began it, or a session in the workspace. */
export type LoginEnd = { readonly token: SessionToken } | { readonly address: string; readonly session?: BegunSession };

/** A pending login, with the state that was stored with it. */
export interface BegunLogin<Answer> {
  readonly id: string;
  readonly answer: Answer;
  readonly returnTo: string | null;
}

/** The provider that identifies a person. */
interface Voucher {
  readonly id: string;
  readonly protocol: ProtocolName;
  readonly organizationId: string;
}

const OVER = 'This login began in another browser, or is over: begin the login again, here';

/** The common part of logins by all protocols: a pending login in the database, and its end that admits a person. */
@Injectable()
export class Logins {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly accounts: SsoAccounts,
    private readonly tokens: LoginTokens,
    private readonly outbox: Outbox,
    private readonly addresses: Addresses,
    @Inject(CONFIG) private readonly config: Pick<Config, 'ssoReturnUrls'>,
  ) {}

  /**
   * Begins a login in a browser and returns its id, which cannot be guessed. Throws `invalid` for a return address that
   * is not allowed.
   */
  async begin(providerId: string, browser: Buffer, returnTo: string | undefined): Promise<string> {
    if (returnTo !== undefined && !this.mayReturnTo(returnTo))
      throw invalid(
        'returnTo',
        'is neither an address of the workspace nor one that the operator allows with SSO_RETURN_URLS',
      );
    const id = `_${randomBytes(20).toString('hex')}`;
    const now = this.clock.now();
    await this.database.execute('DELETE FROM login_request WHERE provider_id = $1 AND expires_at <= $2', [
      providerId,
      now,
    ]);
    await this.database
      .of(LoginRequest)
      .insert({ id, providerId, browser, returnTo: returnTo ?? null, expiresAt: new Date(now.getTime() + LOGIN_LIFE) });
    return id;
  }

  /**
   * Uses up a login in the browser in which it began, on any server, whatever its outcome; `isAnswered` states whether
   * a verified response must be stored with it. Throws `LoginFault` for every other browser and for a login that has
   * ended.
   */
  async take<Answer>(
    providerId: string,
    loginId: string,
    browser: Buffer | undefined,
    isAnswered: boolean,
  ): Promise<BegunLogin<Answer>> {
    if (!browser)
      throw new LoginFault(
        'Your browser has not kept the cookie of this login, or it began in another browser: begin the login again, here',
      );
    const [login] = await this.database.query<BegunLogin<Answer> & Record<string, unknown>>(
      `UPDATE login_request SET taken = true WHERE provider_id = $1 AND id = $2 AND browser = $3 AND expires_at > $4 AND (answer IS NOT NULL) = $5 AND NOT taken RETURNING id, answer, return_to AS "returnTo"`,
      [providerId, loginId, browser, this.clock.now(), isAnswered],
    );
    if (!login) throw new LoginFault(OVER);
    return login;
  }

  /** The return address of a pending login, so that it can be begun again; undefined if there is none. */
  async returnAddress(providerId: string, loginId: string): Promise<string | undefined> {
    const login = await this.database.one<{ returnTo: string | null }>(
      'SELECT return_to AS "returnTo" FROM login_request WHERE provider_id = $1 AND id = $2',
      [providerId, loginId],
    );
    return login?.returnTo != null && this.mayReturnTo(login.returnTo) ? login.returnTo : undefined;
  }

  /** Tells whether the operator allows logins to return to an address. */
  mayReturnTo(returnTo: string): boolean {
    return this.isToWorkspace(returnTo) || isReturnAddress(returnTo, this.config.ssoReturnUrls);
  }

  /** Tells whether a login that returns to an address ends with a session in the workspace. */
  isToWorkspace(returnTo: string): boolean {
    return isInWorkspace(returnTo, this.addresses.app(''));
  }

  /**
   * Admits a person whom a provider has identified, with its current settings. Throws `LoginFault` for people whom it
   * may not identify, for a session that has ended, and if the provider was removed or changed since the login was
   * taken: requesting it may have taken long.
   */
  letIn(
    provider: Voucher,
    { id: loginId, returnTo }: BegunLogin<unknown>,
    person: AdmittedPerson,
    sessionUntil: Date | null = null,
  ): Promise<LoginEnd> {
    const { id: providerId, organizationId } = provider;
    return this.database.transaction(async () => {
      if (sessionUntil) requireSession(sessionUntil, this.clock.now());
      // The same lock as for changes of members and providers, so that no member or provider changes meanwhile.
      await this.database.execute('SELECT FROM organization WHERE id = $1 FOR NO KEY UPDATE', [organizationId]);
      const [vouching] = await this.database.query<Admission & { label: string } & Record<string, unknown>>(
        `DELETE FROM login_request l USING identity_provider p WHERE l.id = $1 AND l.provider_id = $2 AND p.id = l.provider_id
         RETURNING p.organization_id AS "organizationId", p.default_role AS "defaultRole", p.default_team_id AS "defaultTeamId", p.label`,
        [loginId, providerId],
      );
      if (!vouching) throw new LoginFault(OVER);
      actAs({ type: 'integration', id: providerId, label: vouching.label });
      const userId = await this.accounts.admit(vouching, person);
      actAs({ type: 'user', id: userId });
      await this.database.execute(
        `UPDATE identity_provider SET status = 'active', version = version + 1 WHERE id = $1 AND status <> 'active'`,
        [providerId],
      );
      await this.outbox.record({
        type: 'member_signed_in',
        organizationId,
        target: userId,
        payload: asPayload(provider),
      });
      const login = { userId, organizationId, providerId, sessionUntil };
      if (returnTo === null) return { token: await this.tokens.issue(login) };
      if (this.isToWorkspace(returnTo)) return { address: returnTo, session: await this.tokens.beginSession(login) };
      const address = new URL(returnTo);
      address.searchParams.set('code', await this.tokens.issueCode(login));
      return { address: address.href };
    });
  }
}
