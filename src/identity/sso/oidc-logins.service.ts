import { IdentityMappings } from './identity-mappings.js';
import { Injectable } from '@nestjs/common';
import * as oidc from 'openid-client';
import { Addresses } from '../../kernel/common/addresses.js';
import { Clock } from '../../kernel/common/clock.js';
import { Secrets } from '../../kernel/common/secrets.js';
import { claimTexts, checkIdToken, personOf, type Claims } from './domain/id-token.js';
import { LoginFault } from './domain/login-fault.js';
import { IdentityProviders } from './identity-providers.service.js';
import { shownAssertion } from './login-test-result.js';
import type { TestableLogins, VerifiedAnswer } from './login-testing.service.js';
import { Logins, type LoginEnd } from './logins.service.js';
import { OidcClients } from './oidc-clients.js';
import { asLoginFault } from './oidc-faults.js';
import { OidcProtocol } from './oidc-protocol.js';
import { splitList, oidcServiceOf, type OidcSettings } from './oidc.schema.js';
import type { CompleteProvider } from './protocol.js';

/** The claims that a login reads; the parts of a name will do for the whole. */
const READ_CLAIMS = [['email'], ['name', 'given_name', 'family_name']] as const;

/**
 * Logins by OpenID Connect: the authorization code flow with PKCE. The state consists of the id of the login and that
 * of the key from which its nonce and verifier are derived.
 */
@Injectable()
export class OidcLogins implements TestableLogins<OidcSettings, URLSearchParams> {
  constructor(
    private readonly clock: Clock,
    private readonly addresses: Addresses,
    private readonly secrets: Secrets,
    private readonly providers: IdentityProviders,
    readonly protocol: OidcProtocol,
    private readonly clients: OidcClients,
    private readonly logins: Logins,
    private readonly mappings: IdentityMappings,
  ) {}

  /**
   * Begins a login in a browser and returns the address at the identity provider. Throws `invalid` for a return address
   * that is not allowed.
   */
  async begin(providerId: string, browser: Buffer, returnTo: string | undefined): Promise<string> {
    const provider = await this.providers.forLogin(this.protocol, providerId);
    // A provider that cannot be read begins no login.
    await this.clients.of(provider);
    return this.addressOf(provider, await this.logins.begin(providerId, browser, returnTo));
  }

  async addressOf(provider: CompleteProvider<OidcSettings>, loginId: string): Promise<string> {
    const client = await this.clients.of(provider);
    const state = `${loginId}.${this.secrets.firstKeyId}`;
    const { nonce, verifier } = this.secretsOf(state);
    const asked = {
      scope: provider.scopes,
      state,
      nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    };
    try {
      return oidc.buildAuthorizationUrl(client, {
        redirect_uri: oidcServiceOf(provider.id, this.addresses).redirectURL,
        ...asked,
      }).href;
    } catch (error) {
      throw asLoginFault(error, 'The settings of the identity provider cannot be read');
    }
  }

  /**
   * Ends a login with the parameters that the browser brings back from the provider, in the browser in which it began.
   * Throws `LoginFault` if they do not prove an identity, and for people who are not admitted.
   */
  async end(providerId: string, answer: URLSearchParams, browser: Buffer | undefined): Promise<LoginEnd> {
    const provider = await this.providers.forLogin(this.protocol, providerId);
    const login = await this.logins.take(providerId, stateParts(this.stateOf(answer)).loginId, browser, false);
    const { person } = await this.verified(provider, answer);
    return this.logins.letIn(provider, login, await this.mappings.apply(provider, person()));
  }

  async verified(provider: CompleteProvider<OidcSettings>, answer: URLSearchParams): Promise<VerifiedAnswer> {
    const state = this.stateOf(answer);
    const client = await this.clients.of(provider);
    const claims = await this.claims(
      client,
      `${oidcServiceOf(provider.id, this.addresses).redirectURL}?${answer}`,
      state,
    ).catch((error: unknown) => {
      throw asLoginFault(error, 'The answer could not be verified');
    });
    checkIdToken(claims, provider.clientID, this.clock.now());
    return {
      shown: shownAssertion(String(claims['sub']), claimTexts(claims), READ_CLAIMS),
      person: () => personOf(claims, splitList(provider.emailDomains)),
    };
  }

  /** The state of an answer. Throws `LoginFault` unless this server can derive the secrets of its login. */
  private stateOf(answer: URLSearchParams): string {
    const [state, ...others] = answer.getAll('state');
    if (state === undefined || others.length > 0)
      throw new LoginFault('The answer belongs to no login that was begun here: begin at the start address');
    if (!this.secrets.keyIds.includes(stateParts(state).keyId))
      throw new LoginFault(
        'The answer belongs to no login that was begun here, or this server lacks the key of the one where it was: begin the login again',
      );
    return state;
  }

  /** The claims of the provider: from the id token, or from the userinfo endpoint if the token has no address. */
  private async claims(client: oidc.Configuration, callback: string, state: string): Promise<Claims> {
    const { nonce, verifier } = this.secretsOf(state);
    const tokens = await oidc.authorizationCodeGrant(client, new URL(callback), {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims) throw new LoginFault('The identity provider sent no id token');
    if (claims['email'] !== undefined || client.serverMetadata().userinfo_endpoint === undefined) return claims;
    return { ...(await oidc.fetchUserInfo(client, tokens.access_token, claims.sub)), ...claims };
  }

  /**
   * The secrets of a login that only this service and the provider know: derived from the key that was first when it
   * began, so the database stores nothing of them.
   */
  private secretsOf(state: string): { readonly nonce: string; readonly verifier: string } {
    const { keyId } = stateParts(state);
    return {
      nonce: this.secrets.sign('login', `nonce:${state}`, keyId),
      verifier: this.secrets.sign('login', `verifier:${state}`, keyId),
    };
  }
}

/** The login of a state, and the key that was first when it began. */
export function stateParts(state: string): { readonly loginId: string; readonly keyId: string } {
  const [loginId = '', keyId = ''] = state.split('.');
  return { loginId, keyId };
}
