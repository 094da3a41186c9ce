import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Addresses } from '../common/addresses.js';
import { Clock } from '../common/clock.js';
import { Database } from '../common/database.js';
import { invalid, notFound } from '../common/errors.js';
import { isId } from '../common/ids.js';
import { CONFIG, type Config } from '../config.js';
import { Outbox } from '../platform/outbox.js';
import { readAssertion, type AssertedPerson } from './domain/assertion.js';
import { checkResponse } from './domain/saml-response.js';
import { SamlFault } from './domain/saml-fault.js';
import { safeXml } from './domain/saml-xml.js';
import { isReturnAddress } from './domain/web-addresses.js';
import { LoginTokens, type LoginToken } from './login-tokens.service.js';
import { loginAddress, serviceMetadata, verifiedAssertion } from './saml-library.js';
import { SamlProviders, type CompleteProvider } from './saml-providers.service.js';
import { serviceOf } from './saml.schema.js';
import { SsoAccounts } from './sso-accounts.service.js';

/** How long somebody may take to log in at the identity provider. */
const REQUEST_LIFE = 10 * 60_000;
const BASE64 = /^[A-Za-z0-9+/\s]+={0,2}\s*$/;

/** The fields of the form that an identity provider lets the browser send. */
export interface SamlForm {
  readonly response: string;
  readonly relayState: string;
}

/** How a login ends: with a token, or at the address of the application that began it. */
export type LoginEnd = { readonly token: LoginToken } | { readonly address: string };

/** Logins through identity providers, from the request to the token. */
@Injectable()
export class SamlLogins {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly addresses: Addresses,
    private readonly providers: SamlProviders,
    private readonly accounts: SsoAccounts,
    private readonly tokens: LoginTokens,
    private readonly outbox: Outbox,
    @Inject(CONFIG) private readonly config: Pick<Config, 'ssoReturnUrls'>,
  ) {}

  /** The metadata of our side for a provider. */
  async metadata(providerId: string): Promise<string> {
    const found = isId(providerId) && (await this.database.one('SELECT FROM saml_provider WHERE id = $1', [providerId]));
    if (!found) throw notFound('Identity provider');
    return serviceMetadata(providerId, serviceOf(providerId, this.addresses));
  }

  /** Begins a login and gives the address at the identity provider. Throws `invalid` for an address to return to that is not allowed. */
  async begin(providerId: string, returnTo: string | undefined): Promise<string> {
    const provider = await this.provider(providerId);
    if (returnTo !== undefined && !isReturnAddress(returnTo, this.config.ssoReturnUrls)) throw invalid('returnTo', 'is no address that the operator allows with SSO_RETURN_URLS');
    const id = `_${randomBytes(20).toString('hex')}`;
    const now = this.clock.now();
    await this.database.execute('DELETE FROM saml_request WHERE provider_id = $1 AND expires_at <= $2', [providerId, now]);
    await this.database.execute('INSERT INTO saml_request (id, provider_id, return_to, expires_at) VALUES ($1, $2, $3, $4)', [id, providerId, returnTo ?? null, new Date(now.getTime() + REQUEST_LIFE)]);
    return loginAddress(provider, serviceOf(providerId, this.addresses), id);
  }

  /** Ends a login with what the identity provider sent. Throws `SamlFault` for everything that does not prove who is there. */
  async end(providerId: string, form: SamlForm): Promise<LoginEnd> {
    const provider = await this.provider(providerId);
    const { person, requestId } = await this.verify(provider, form);
    const returnTo = await this.useUp(provider.id, requestId, person);
    return this.database.transaction(async () => {
      const userId = await this.accounts.admit(provider, person);
      await this.database.execute(`UPDATE saml_provider SET status = 'active', version = version + 1 WHERE id = $1 AND status <> 'active' AND version = $2`, [provider.id, provider.version]);
      await this.outbox.record({ type: 'member_signed_in', organizationId: provider.organizationId, target: userId, payload: { samlProviderId: provider.id } });
      const login = { userId, organizationId: provider.organizationId, providerId: provider.id };
      if (returnTo === null) return { token: await this.tokens.issue(login) };
      const address = new URL(returnTo);
      address.searchParams.set('code', await this.tokens.issueCode(login));
      return { address: address.href };
    });
  }

  private provider(id: string): Promise<CompleteProvider> {
    if (!isId(id)) throw notFound('Identity provider');
    return this.providers.forLogin(id);
  }

  private async verify(provider: CompleteProvider, { response, relayState }: SamlForm): Promise<{ person: AssertedPerson; requestId: string }> {
    if (!BASE64.test(response)) throw new SamlFault('The answer of the identity provider is not base64');
    const service = serviceOf(provider.id, this.addresses);
    const xml = safeXml(Buffer.from(response, 'base64'));
    const { inResponseTo } = checkResponse(xml, { acsURL: service.acsURL, entityID: provider.entityID });
    if (relayState !== inResponseTo) throw new SamlFault('The answer belongs to another login than its relay state');
    const signed = await verifiedAssertion(provider, service, xml);
    const person = readAssertion(signed.xml, { entityID: provider.entityID, audience: service.entityID, acsURL: service.acsURL, inResponseTo, now: this.clock.now() });
    // Two parsers have read the same bytes by now.
    if (signed.nameId.trim().toLowerCase() !== person.email) throw new SamlFault('The name of the person can be read in two ways');
    return { person, requestId: inResponseTo };
  }

  /**
   * Uses up the request and the assertion, whatever comes of the login: in a transaction of its own, in the database, so that
   * neither works again on any server. Gives the address to return to.
   */
  private async useUp(providerId: string, requestId: string, { assertionId, usableUntil }: AssertedPerson): Promise<string | null> {
    const now = this.clock.now();
    return this.database.transaction(async () => {
      const request = await this.database.one<{ returnTo: string | null }>(
        'DELETE FROM saml_request WHERE provider_id = $1 AND id = $2 AND expires_at > $3 RETURNING return_to AS "returnTo"',
        [providerId, requestId, now],
      );
      if (!request) throw new SamlFault('The answer belongs to no login that was begun here, or to one that is over: begin the login again');
      await this.database.execute('DELETE FROM saml_assertion WHERE provider_id = $1 AND expires_at <= $2', [providerId, now]);
      const used = await this.database.execute('INSERT INTO saml_assertion (provider_id, id, expires_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING', [providerId, assertionId, usableUntil]);
      if (used === 0) throw new SamlFault('The assertion was used before');
      return request.returnTo;
    });
  }
}
