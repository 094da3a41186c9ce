import { IdentityMappings } from './identity-mappings.js';
import { Injectable } from '@nestjs/common';
import { Addresses } from '../../kernel/common/addresses.js';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { notFound } from '../../kernel/common/errors.js';
import { isId } from '../../kernel/common/ids.js';
import { hashSecret } from '../../kernel/common/secrets.js';
import { boundBrowser, newAnswerCode } from './answer-code.js';
import { readAssertion, type VerifiedAssertion } from './domain/assertion.js';
import { LoginFault } from './domain/login-fault.js';
import { checkResponse } from './domain/saml-response.js';
import { safeXml } from './domain/saml-xml.js';
import { IdentityProviders } from './identity-providers.service.js';
import { shownAssertion } from './login-test-result.js';
import type { TestableLogins, VerifiedAnswer } from './login-testing.service.js';
import { Logins, type LoginEnd } from './logins.service.js';
import type { AdmittedPerson, CompleteProvider } from './protocol.js';
import type { SamlForm } from './saml-form.js';
import { authnRequestUrl, serviceMetadata, verifiedAssertion } from './saml-library.js';
import { SamlProtocol } from './saml-protocol.js';
import { finishURL, samlServiceOf, type SamlSettings } from './saml.schema.js';

/** Milliseconds for which a response waits for the browser, which is redirected to it at once. */
const ANSWER_LIFE = 60_000;
/** The attributes that become the display name. */
const NAME_ATTRIBUTES = [['first_name'], ['last_name']] as const;
const BASE64 = /^[A-Za-z0-9+/\s]+={0,2}\s*$/;

/** The verified content of a response, while it waits for the browser. */
interface StoredAnswer extends Omit<AdmittedPerson, 'displayName'> {
  readonly displayName?: string;
  /** As an ISO text. */
  readonly sessionUntil?: string;
}

/** Logins by SAML, from the request to the token. */
@Injectable()
export class SamlLogins implements TestableLogins<SamlSettings, SamlForm> {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly addresses: Addresses,
    private readonly providers: IdentityProviders,
    readonly protocol: SamlProtocol,
    private readonly logins: Logins,
    private readonly mappings: IdentityMappings,
  ) {}

  /** Our metadata for a provider. */
  async metadata(providerId: string): Promise<string> {
    const found =
      isId(providerId) &&
      (await this.database.one(`SELECT FROM identity_provider WHERE id = $1 AND protocol = 'saml'`, [providerId]));
    if (!found) throw notFound('Identity provider');
    return serviceMetadata(providerId, samlServiceOf(providerId, this.addresses));
  }

  /**
   * Begins a login in a browser and returns the address at the identity provider. Throws `invalid` for a return address
   * that is not allowed.
   */
  async begin(providerId: string, browser: Buffer, returnTo: string | undefined): Promise<string> {
    const provider = await this.providers.forLogin(this.protocol, providerId);
    return this.addressOf(provider, await this.logins.begin(providerId, browser, returnTo));
  }

  addressOf(provider: CompleteProvider<SamlSettings>, loginId: string): Promise<string> {
    return authnRequestUrl(provider, samlServiceOf(provider.id, this.addresses), loginId);
  }

  /**
   * Receives the response of the identity provider, and returns the address where the login ends: there the browser
   * sends its cookie, which it omits from a cross-site form. Throws `LoginFault` if the response does not prove an
   * identity.
   */
  async receive(providerId: string, form: SamlForm): Promise<string> {
    const provider = await this.providers.forLogin(this.protocol, providerId);
    const { person, requestId } = await this.verify(provider, form);
    const code = newAnswerCode();
    await this.keep(providerId, requestId, code, { ...person, ...(await this.mappings.apply(provider, person)) });
    return finishURL(providerId, requestId, code, this.addresses);
  }

  /**
   * Ends an answered login, in the browser in which it began and which brought the answer. Throws `LoginFault` for every
   * other browser, and for people who are not admitted.
   */
  async finish(providerId: string, requestId: string, code: string, browser: Buffer | undefined): Promise<LoginEnd> {
    const provider = await this.providers.forLogin(this.protocol, providerId);
    const login = await this.logins.take<StoredAnswer>(providerId, requestId, boundBrowser(browser, code), true);
    const { sessionUntil, displayName, ...person } = login.answer;
    return this.logins.letIn(
      provider,
      login,
      { ...person, displayName },
      sessionUntil === undefined ? null : new Date(sessionUntil),
    );
  }

  async verified(provider: CompleteProvider<SamlSettings>, form: SamlForm): Promise<VerifiedAnswer> {
    const { person } = await this.verify(provider, form);
    return {
      shown: shownAssertion(person.email, person.attributes, NAME_ATTRIBUTES, person.sessionUntil),
      person: () => person,
    };
  }

  /** Reads the person in a response that answers the request of its relay state. Throws `LoginFault`. */
  private async verify(
    provider: CompleteProvider<SamlSettings>,
    { response, relayState }: SamlForm,
  ): Promise<{ person: VerifiedAssertion; requestId: string }> {
    if (!BASE64.test(response)) throw new LoginFault('The answer of the identity provider is not base64');
    const service = samlServiceOf(provider.id, this.addresses);
    const xml = safeXml(Buffer.from(response, 'base64'));
    const { inResponseTo } = checkResponse(xml, { acsURL: service.acsURL, entityID: provider.entityID });
    if (relayState !== inResponseTo) throw new LoginFault('The answer belongs to another login than its relay state');
    const signed = await verifiedAssertion(provider, service, xml);
    const person = readAssertion(signed.xml, {
      entityID: provider.entityID,
      audience: service.entityID,
      acsURL: service.acsURL,
      inResponseTo,
      now: this.clock.now(),
    });
    // At this point, two parsers have read the same bytes.
    if (signed.nameId.trim().toLowerCase() !== person.email)
      throw new LoginFault('The name of the person can be read in two ways');
    return { person, requestId: inResponseTo };
  }

  /**
   * Uses up the assertion and stores its content with its request, once, in the database, so that neither works again
   * on any server.
   */
  private async keep(
    providerId: string,
    requestId: string,
    code: string,
    { assertionId, usableUntil, sessionUntil, email, displayName, role, teams }: VerifiedAssertion & AdmittedPerson,
  ): Promise<void> {
    const now = this.clock.now();
    const answer: StoredAnswer = {
      email,
      ...(displayName !== undefined && { displayName }),
      ...(role !== undefined && { role }),
      ...(teams && { teams }),
      ...(sessionUntil && { sessionUntil: sessionUntil.toISOString() }),
    };
    await this.database.transaction(async () => {
      const kept = await this.database.execute(
        'UPDATE login_request SET answer = $4, expires_at = $5, browser = sha256(browser || $6::bytea) WHERE provider_id = $1 AND id = $2 AND expires_at > $3 AND answer IS NULL',
        [providerId, requestId, now, answer, new Date(now.getTime() + ANSWER_LIFE), hashSecret(code)],
      );
      if (kept === 0)
        throw new LoginFault(
          'The answer belongs to no login that was begun here, or to one that is over: begin the login again',
        );
      await this.database.execute('DELETE FROM saml_assertion WHERE provider_id = $1 AND expires_at <= $2', [
        providerId,
        now,
      ]);
      const used = await this.database.execute(
        'INSERT INTO saml_assertion (provider_id, id, expires_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
        [providerId, assertionId, usableUntil],
      );
      if (used === 0) throw new LoginFault('The assertion was used before');
    });
  }
}
