import { Injectable } from '@nestjs/common';
import { Addresses } from '../../kernel/common/addresses.js';
import type { OrganizationAccess } from '../../kernel/access/access.service.js';
import { boundBrowser, newAnswerCode } from './answer-code.js';
import { LoginFault } from './domain/login-fault.js';
import { shownAssertion, shownFault, type LoginTestResult } from './login-test-result.js';
import { IdentityMappings } from './identity-mappings.js';
import { IdentityProviders } from './identity-providers.service.js';
import { isTestId, LoginTests, type LoginTestRow } from './login-tests.service.js';
import type { CompleteProvider } from './protocol.js';
import type { SamlForm } from './saml-form.js';
import { authnRequestUrl } from './saml-library.js';
import { SamlLogins } from './saml-logins.service.js';
import { SamlProtocol } from './saml-protocol.js';
import { samlServiceOf, testedURL, type SamlSettings } from './saml.schema.js';
import { SsoAccounts } from './sso-accounts.service.js';

/** A test with the address at which it begins; absent once the provider has answered. */
export interface BegunTest extends LoginTestRow {
  readonly providerId: string;
  readonly organizationId: string;
  readonly url?: string;
}

/** Logins by SAML that let nobody in: an administrator sees what the identity provider sends, and what a login would make of it. */
@Injectable()
export class SamlLoginTests {
  constructor(
    private readonly addresses: Addresses,
    private readonly providers: IdentityProviders,
    private readonly protocol: SamlProtocol,
    private readonly logins: SamlLogins,
    private readonly tests: LoginTests,
    private readonly mappings: IdentityMappings,
    private readonly accounts: SsoAccounts,
  ) {}

  /** Begins a test in the browser of an administrator. Throws `conflict` for a provider without all settings. */
  async begin(
    organization: OrganizationAccess,
    providerId: string,
    userId: string,
    browser: Buffer,
  ): Promise<BegunTest> {
    // Those of other organizations are not found, whether their settings are complete or not.
    await this.providers.get(this.protocol, userId, organization, providerId);
    const provider = await this.providers.forLogin(this.protocol, providerId);
    const test = await this.tests.begin(provider, userId, browser);
    const url = await authnRequestUrl(provider, samlServiceOf(providerId, this.addresses), test.id);
    return { ...test, providerId, organizationId: organization.id, url };
  }

  async get(organizationId: string, providerId: string, id: string, userId: string): Promise<BegunTest> {
    return {
      ...(await this.tests.get({ id: providerId, organizationId }, id, userId)),
      providerId,
      organizationId,
    };
  }

  /**
   * Receives an answer of the identity provider, and returns the address where the test ends; undefined for an answer
   * that belongs to no test. Everything that is wrong with it is part of the result.
   */
  async receive(providerId: string, form: SamlForm): Promise<string | undefined> {
    if (!isTestId(form.relayState)) return undefined;
    const provider = await this.providers.forLogin(this.protocol, providerId);
    if (!(await this.tests.waits(provider, form.relayState)))
      throw new LoginFault('The answer belongs to no test that waits for one: begin it again');
    const code = newAnswerCode();
    await this.tests.keep(provider, form.relayState, code, await this.resultOf(provider, form));
    return testedURL(providerId, form.relayState, code, this.addresses);
  }

  /** Ends a test in the browser in which it began and which brought the answer, and returns the address of its screen. */
  async finish(providerId: string, id: string, code: string, browser: Buffer | undefined): Promise<string> {
    const provider = await this.providers.forLogin(this.protocol, providerId);
    await this.tests.finish(provider, id, boundBrowser(browser, code));
    return this.addresses.app(`/o/${provider.organizationId}/settings/sso/${providerId}?test=${id}`);
  }

  private async resultOf(provider: CompleteProvider<SamlSettings>, form: SamlForm): Promise<LoginTestResult> {
    let assertion: LoginTestResult['assertion'];
    try {
      const { person } = await this.logins.verify(provider, form);
      assertion = shownAssertion(person.email, person.attributes, person.sessionUntil);
      const account = await this.accounts.foresee(provider, await this.mappings.apply(provider, person));
      return { assertion, account };
    } catch (error) {
      if (!(error instanceof LoginFault)) throw error;
      return { ...(assertion && { assertion }), fault: shownFault(error) };
    }
  }
}
