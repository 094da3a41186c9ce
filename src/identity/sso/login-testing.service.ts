import { Injectable } from '@nestjs/common';
import { Addresses } from '../../kernel/common/addresses.js';
import type { OrganizationAccess } from '../../kernel/access/access.service.js';
import { DomainError } from '../../kernel/common/errors.js';
import { boundBrowser, newAnswerCode } from './answer-code.js';
import { LoginFault } from './domain/login-fault.js';
import type { AssertedPerson } from './domain/person.js';
import { shownFault, type LoginTestResult, type ShownAssertion } from './login-test-result.js';
import { IdentityMappings } from './identity-mappings.js';
import { IdentityProviders } from './identity-providers.service.js';
import { LoginTests, TEST_OVER, type LoginTestRow } from './login-tests.service.js';
import type { CompleteProvider, Protocol, ProtocolName } from './protocol.js';
import { testedURL } from './saml.schema.js';
import { SsoAccounts } from './sso-accounts.service.js';

/** A verified answer of an identity provider. */
export interface VerifiedAnswer {
  readonly shown: ShownAssertion;
  /** Reads the person in it. Throws `LoginFault` if it names none who may be let in. */
  readonly person: () => AssertedPerson;
}

/** The logins of a protocol, as far as their tests need them; `Answer` has what the browser brings back. */
export interface TestableLogins<Complete, Answer> {
  readonly protocol: Protocol<Complete, never>;
  /** The address at the identity provider for a login with this id. Throws `LoginFault` if it cannot be known. */
  addressOf(provider: CompleteProvider<Complete>, loginId: string): Promise<string>;
  /** Throws `LoginFault` for an answer that proves nothing. */
  verified(provider: CompleteProvider<Complete>, answer: Answer): Promise<VerifiedAnswer>;
}

/** A test with the address at which it begins; absent once it has ended. */
export interface BegunTest extends LoginTestRow {
  readonly providerId: string;
  readonly organizationId: string;
  readonly url?: string;
}

/** Logins that let nobody in: an administrator sees what the identity provider sends, and what a login would make of it. */
@Injectable()
export class LoginTesting {
  constructor(
    private readonly addresses: Addresses,
    private readonly providers: IdentityProviders,
    private readonly tests: LoginTests,
    private readonly mappings: IdentityMappings,
    private readonly accounts: SsoAccounts,
  ) {}

  /**
   * Begins a test in the browser of an administrator; it ends at once if the identity provider cannot be asked. Throws
   * `conflict` for a provider without all settings.
   */
  async begin<Complete>(
    logins: TestableLogins<Complete, never>,
    organization: OrganizationAccess,
    providerId: string,
    userId: string,
    browser: Buffer,
  ): Promise<BegunTest> {
    // Those of other organizations are not found, whether their settings are complete or not.
    await this.providers.get(logins.protocol, userId, organization, providerId);
    const provider = await this.providers.forLogin(logins.protocol, providerId);
    const test = await this.tests.begin(provider, userId, browser);
    const begun = { ...test, providerId, organizationId: organization.id };
    try {
      return { ...begun, url: await logins.addressOf(provider, test.id) };
    } catch (error) {
      const result = { fault: faultIn(error) };
      if (!(await this.tests.keep(provider, test.id, browser, result)))
        throw new DomainError(
          'conflict',
          'Another test has begun, or the provider was changed meanwhile: begin it again',
        );
      return { ...begun, result };
    }
  }

  async get(
    protocol: ProtocolName,
    organizationId: string,
    providerId: string,
    id: string,
    userId: string,
  ): Promise<BegunTest> {
    return {
      ...(await this.tests.get({ id: providerId, organizationId, protocol }, id, userId)),
      providerId,
      organizationId,
    };
  }

  /**
   * Receives an answer to a test from a form of another site, without the cookie of the browser, and returns the address
   * where the test ends. Everything that is wrong with the answer is part of the result.
   */
  async receive<Complete, Answer>(
    logins: TestableLogins<Complete, Answer>,
    providerId: string,
    id: string,
    answer: Answer,
  ): Promise<string> {
    const provider = await this.providers.forLogin(logins.protocol, providerId);
    if (!(await this.tests.waits(provider, id)))
      throw new LoginFault('The answer belongs to no test that waits for one: begin it again');
    const code = newAnswerCode();
    await this.tests.keepForBrowser(provider, id, code, await this.resultOf(logins, provider, answer));
    return testedURL(providerId, id, code, this.addresses);
  }

  /** Ends a received test in the browser in which it began and which brought the answer, and returns the address of its screen. */
  async finish<Complete>(
    logins: TestableLogins<Complete, never>,
    providerId: string,
    id: string,
    code: string,
    browser: Buffer | undefined,
  ): Promise<string> {
    const provider = await this.providers.forLogin(logins.protocol, providerId);
    await this.tests.finish(provider, id, boundBrowser(browser, code));
    return this.screenOf(provider, id);
  }

  /** Ends a test with the answer that the browser brings in which it began, and returns the address of its screen. */
  async end<Complete, Answer>(
    logins: TestableLogins<Complete, Answer>,
    providerId: string,
    id: string,
    answer: Answer,
    browser: Buffer | undefined,
  ): Promise<string> {
    const provider = await this.providers.forLogin(logins.protocol, providerId);
    const taken = await this.tests.take(provider, id, browser);
    if (!(await this.tests.keep(provider, id, taken, await this.resultOf(logins, provider, answer))))
      throw new LoginFault(TEST_OVER);
    return this.screenOf(provider, id);
  }

  private screenOf({ organizationId, protocol, id }: CompleteProvider<unknown>, testId: string): string {
    return this.addresses.app(`/o/${organizationId}/settings/sso/${protocol}/${id}?test=${testId}`);
  }

  private async resultOf<Complete, Answer>(
    logins: TestableLogins<Complete, Answer>,
    provider: CompleteProvider<Complete>,
    answer: Answer,
  ): Promise<LoginTestResult> {
    let assertion: ShownAssertion | undefined;
    try {
      const { shown, person } = await logins.verified(provider, answer);
      assertion = shown;
      const account = await this.accounts.foresee(provider, await this.mappings.apply(provider, person()));
      return { assertion, account };
    } catch (error) {
      return { ...(assertion && { assertion }), fault: faultIn(error) };
    }
  }
}

/** The fault that a test shows; every other error is thrown. */
function faultIn(error: unknown): NonNullable<LoginTestResult['fault']> {
  if (error instanceof LoginFault) return shownFault(error);
  throw error;
}
