import { Injectable, Logger } from '@nestjs/common';
import {
  AccessDeniedError,
  InvalidScopeError,
  InvalidTargetError,
  InvalidTokenError,
  OAuthError,
} from '@modelcontextprotocol/sdk/server/auth/errors.js';
import type { AuthorizationParams, OAuthServerProvider } from '@modelcontextprotocol/sdk/server/auth/provider.js';
import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js';
import type {
  OAuthClientInformationFull,
  OAuthTokenRevocationRequest,
  OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js';
import type { Response } from 'express';
import { SCOPES } from '../../kernel/access/permissions.js';
import { Addresses } from '../../kernel/common/addresses.js';
import { stackOf } from '../../kernel/common/errors.js';
import { standalonePagePolicy } from '../../kernel/platform/http/standalone-page.js';
import { consentPage } from './consent-page.js';
import { Consents, type GivenConsent } from './consents.service.js';
import { policySource } from './domain/redirect-uri.js';
import { OauthClients } from './oauth-clients.service.js';
import { OauthGrants, type ClientTokens } from './oauth-grants.service.js';
import { resourceAddress } from './oauth-metadata.js';

/** OAuth 2.1 over API tokens: the protocol is that of the SDK, what is granted is decided here. */
@Injectable()
export class OauthProvider implements OAuthServerProvider {
  private readonly logger = new Logger('OAuth');

  constructor(
    readonly clientsStore: OauthClients,
    private readonly grants: OauthGrants,
    private readonly consents: Consents,
    private readonly addresses: Addresses,
  ) {}

  /** Shows what a client asks for; as an answer to the form, sends the person back to it. */
  async authorize(client: OAuthClientInformationFull, params: AuthorizationParams, response: Response): Promise<void> {
    const { redirectUri, state, codeChallenge, resource } = params;
    this.requireResource(resource);
    const unknown = params.scopes?.filter((scope) => scope !== '' && !SCOPES.includes(scope)) ?? [];
    if (unknown.length > 0) throw new InvalidScopeError(`There is no scope ${unknown.slice(0, 3).join(', ')}`);
    const asked = this.consents.asked(params.scopes ?? []);
    const given = consentOf(response);
    if (given?.decision === 'deny') throw new AccessDeniedError('The user has refused');
    const outcome = given && (await this.logged(() => this.consents.decide(given, asked)));
    if (outcome && 'userId' in outcome) {
      const code = await this.logged(() =>
        this.grants.grant({ ...outcome, clientId: client.client_id, redirectUri, challenge: codeChallenge }),
      );
      const address = new URL(redirectUri);
      address.searchParams.set('code', code);
      if (state !== undefined) address.searchParams.set('state', state);
      address.searchParams.set('iss', this.addresses.api);
      response.redirect(303, address.href);
      return;
    }
    response
      .status(outcome ? 400 : 200)
      .set({
        'Content-Security-Policy': standalonePagePolicy(`'self' ${policySource(redirectUri)}`),
        'Referrer-Policy': 'no-referrer',
      })
      .type('html')
      .send(
        consentPage({
          clientName: client.client_name ?? client.client_id,
          redirectUri,
          scopes: this.consents.shown(asked, given?.scopes),
          request: {
            client_id: client.client_id,
            redirect_uri: redirectUri,
            response_type: 'code',
            code_challenge: codeChallenge,
            code_challenge_method: 'S256',
            state,
            scope: params.scopes?.join(' ') || undefined,
            resource: resource?.href,
          },
          fault: outcome?.fault,
        }),
      );
  }

  challengeForAuthorizationCode({ client_id: id }: OAuthClientInformationFull, code: string): Promise<string> {
    return this.logged(() => this.grants.challengeOf(id, code));
  }

  async exchangeAuthorizationCode(
    { client_id: id, client_name: name = id }: OAuthClientInformationFull,
    code: string,
    _verifier?: string,
    redirectUri?: string,
    resource?: URL,
  ): Promise<OAuthTokens> {
    this.requireResource(resource);
    return present(await this.logged(() => this.grants.exchange(id, name, code, redirectUri)));
  }

  async exchangeRefreshToken(
    { client_id: id }: OAuthClientInformationFull,
    refreshToken: string,
    scopes?: string[],
    resource?: URL,
  ): Promise<OAuthTokens> {
    this.requireResource(resource);
    const tokens = await this.logged(() => this.grants.refresh(id, refreshToken, scopes));
    return present(tokens);
  }

  revokeToken({ client_id: id }: OAuthClientInformationFull, { token }: OAuthTokenRevocationRequest): Promise<void> {
    return this.logged(() => this.grants.revoke(id, token));
  }

  /** Access tokens are API tokens, which the guards of the API verify. */
  verifyAccessToken(): Promise<AuthInfo> {
    return Promise.reject(new InvalidTokenError('Access tokens are verified by the API'));
  }

  /** Tokens are for the MCP server and the API beside it (RFC 8707). */
  private requireResource(resource: URL | undefined): void {
    const own = [this.addresses.api, resourceAddress(this.addresses)].map((address) => new URL(address).href);
    if (resource && !own.includes(resource.href))
      throw new InvalidTargetError(`The resource must be ${resourceAddress(this.addresses)}`);
  }

  /** Writes faults of the service to the log; the handlers of the SDK only answer them. */
  private async logged<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof OAuthError)) this.logger.error(stackOf(error));
      throw error;
    }
  }
}

/** The answer to the form; undefined for a request that only opens the page. */
function consentOf({ req: request }: Response): GivenConsent | undefined {
  if (request.method !== 'POST') return undefined;
  const form = (request.body ?? {}) as Readonly<Record<string, unknown>>;
  const decision = form['decision'];
  if (decision !== 'allow' && decision !== 'deny') return undefined;
  const text = (name: string): string => (typeof form[name] === 'string' ? form[name].trim() : '');
  const site = request.get('sec-fetch-site');
  return {
    decision,
    token: text('token'),
    organization: text('organization'),
    scopes: [form['grant'] ?? []].flat().filter((scope): scope is string => typeof scope === 'string'),
    isFromElsewhere: site !== undefined && site !== 'same-origin',
  };
}

const present = ({ accessToken, refreshToken, expiresIn, scopes }: ClientTokens): OAuthTokens => ({
  access_token: accessToken,
  token_type: 'Bearer',
  expires_in: expiresIn,
  refresh_token: refreshToken,
  scope: scopes.join(' '),
});
