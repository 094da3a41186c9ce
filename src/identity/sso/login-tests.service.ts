import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { notFound } from '../../kernel/common/errors.js';
import { hashSecret } from '../../kernel/common/secrets.js';
import { boundBrowser, newAnswerCode } from './answer-code.js';
import { LOGIN_LIFE } from './domain/browser-cookie.js';
import { LoginFault } from './domain/login-fault.js';
import type { LoginTestResult } from './login-test-result.js';
import type { ProtocolName } from './protocol.js';

/** Ids of tests look otherwise than those of logins, so that an answer to one is never taken for an answer to the other. */
const TEST_ID = /^_test[0-9a-f]{40}$/;
/** For a test that its browser cannot end. */
export const TEST_OVER = 'This test began in another browser, or is over: begin it again';

/** The provider of a test. */
interface Tested {
  readonly id: string;
  readonly organizationId: string;
}

export interface LoginTestRow {
  readonly id: string;
  readonly expiresAt: Date;
  /** Null until the test has ended in the browser in which it began. */
  readonly result: LoginTestResult | null;
}

/** Tests of identity providers: one at a time for each administrator and provider, kept for minutes. */
@Injectable()
export class LoginTests {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Begins a test in a browser, in place of an earlier one of the same person. Throws `notFound` if the provider was removed. */
  async begin({ id: providerId, organizationId }: Tested, userId: string, browser: Buffer): Promise<LoginTestRow> {
    const test = { id: `_test${randomBytes(20).toString('hex')}`, expiresAt: this.end(), result: null };
    const begun = await this.database.execute(
      `INSERT INTO login_test AS t (organization_id, id, provider_id, user_id, browser, expires_at)
       SELECT p.organization_id, $3, p.id, m.user_id, $5, $6
         FROM identity_provider p JOIN member m ON m.organization_id = p.organization_id AND m.user_id = $4
        WHERE p.organization_id = $1 AND p.id = $2 FOR KEY SHARE
       ON CONFLICT (organization_id, provider_id, user_id) DO UPDATE
         SET id = excluded.id, browser = excluded.browser, expires_at = excluded.expires_at, result = NULL, finished = false
       WHERE t.organization_id = $1`,
      [organizationId, providerId, test.id, userId, browser, test.expiresAt],
    );
    if (begun === 0) throw notFound('Identity provider');
    return test;
  }

  /** Tells whether a test waits for the answer of its provider. */
  async waits({ id: providerId, organizationId }: Tested, id: string): Promise<boolean> {
    const found = await this.database.one(
      'SELECT FROM login_test WHERE organization_id = $1 AND id = $2 AND provider_id = $3 AND result IS NULL AND expires_at > $4',
      [organizationId, id, providerId, this.clock.now()],
    );
    return found !== undefined;
  }

  /**
   * Uses up the wait of a test in the browser in which it began, and returns its browser from now on: only who has it
   * can keep a result, so an answer that comes twice is asked about once. Throws `LoginFault` for every other browser.
   */
  async take({ id: providerId, organizationId }: Tested, id: string, browser: Buffer | undefined): Promise<Buffer> {
    const code = newAnswerCode();
    const taken = boundBrowser(browser, code);
    if (taken === undefined) throw new LoginFault(TEST_OVER);
    const count = await this.database.execute(
      'UPDATE login_test SET browser = $6 WHERE organization_id = $1 AND id = $2 AND provider_id = $3 AND browser = $4 AND result IS NULL AND expires_at > $5',
      [organizationId, id, providerId, browser, this.clock.now(), taken],
    );
    if (count === 0) throw new LoginFault(TEST_OVER);
    return taken;
  }

  /** Ends a test in its browser with what came of it; false if it is over, another one has begun or its provider changed. */
  async keep(
    { id: providerId, organizationId }: Tested,
    id: string,
    browser: Buffer,
    result: LoginTestResult,
  ): Promise<boolean> {
    const kept = await this.database.execute(
      'UPDATE login_test SET result = $4, finished = true, expires_at = $5 WHERE organization_id = $1 AND id = $2 AND provider_id = $3 AND browser = $6 AND result IS NULL',
      [organizationId, id, providerId, result, this.end(), browser],
    );
    return kept > 0;
  }

  /**
   * Keeps what a provider sent, once, until the browser that brought it ends the test with the code. Throws `LoginFault`
   * for an answer that comes again.
   */
  async keepForBrowser(
    { id: providerId, organizationId }: Tested,
    id: string,
    code: string,
    result: LoginTestResult,
  ): Promise<void> {
    const kept = await this.database.execute(
      'UPDATE login_test SET result = $4, expires_at = $5, browser = sha256(browser || $7::bytea) WHERE organization_id = $1 AND id = $2 AND provider_id = $3 AND result IS NULL AND expires_at > $6',
      [organizationId, id, providerId, result, this.end(), this.clock.now(), hashSecret(code)],
    );
    if (kept === 0) throw new LoginFault(TEST_OVER);
  }

  /**
   * Ends a test in the browser in which it began and which brought the answer, given as `boundBrowser`: the result is
   * shown from now on. Throws `LoginFault` for every other browser.
   */
  async finish({ id: providerId, organizationId }: Tested, id: string, browser: Buffer | undefined): Promise<void> {
    const finished =
      browser === undefined
        ? 0
        : await this.database.execute(
            'UPDATE login_test SET finished = true WHERE organization_id = $1 AND id = $2 AND provider_id = $3 AND browser = $4 AND result IS NOT NULL AND expires_at > $5',
            [organizationId, id, providerId, browser, this.clock.now()],
          );
    if (finished === 0) throw new LoginFault(TEST_OVER);
  }

  /** A test of the person who began it. Throws `notFound` for those of others, and for those that are over. */
  async get(
    { id: providerId, organizationId, protocol }: Tested & { readonly protocol: ProtocolName },
    id: string,
    userId: string,
  ): Promise<LoginTestRow> {
    const row = await this.database.one<LoginTestRow & Record<string, unknown>>(
      `SELECT t.id, t.expires_at AS "expiresAt", CASE WHEN t.finished THEN t.result END AS result
         FROM login_test t JOIN identity_provider p ON p.organization_id = t.organization_id AND p.id = t.provider_id AND p.protocol = $6
        WHERE t.organization_id = $1 AND t.id = $2 AND t.provider_id = $3 AND t.user_id = $4 AND t.expires_at > $5`,
      [organizationId, id, providerId, userId, this.clock.now(), protocol],
    );
    if (!row) throw notFound('Test login');
    return row;
  }

  /** Removes the tests that are over. */
  async removeExpired(): Promise<void> {
    await this.database.execute('DELETE FROM login_test WHERE expires_at <= $1', [this.clock.now()]);
  }

  private end(): Date {
    return new Date(this.clock.now().getTime() + LOGIN_LIFE);
  }
}

/** Tells whether an answer of a provider names a test, and no login. */
export function isTestId(id: string): boolean {
  return TEST_ID.test(id);
}
