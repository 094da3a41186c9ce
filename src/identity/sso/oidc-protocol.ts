import { Injectable } from '@nestjs/common';
import { Addresses } from '../../kernel/common/addresses.js';
import { invalid } from '../../kernel/common/errors.js';
import { Secrets } from '../../kernel/common/secrets.js';
import { OutboundError } from '../../kernel/platform/outbound/outbound-error.js';
import { Outbound } from '../../kernel/platform/outbound/outbound.js';
import { issuerFault } from './domain/web-addresses.js';
import type { OidcSettings, UpdateOidcProvider } from './oidc.schema.js';
import type { Protocol, Settings } from './protocol.js';

/** OpenID Connect: browsers carry a code, which this service exchanges at the provider. */
@Injectable()
export class OidcProtocol implements Protocol<OidcSettings, UpdateOidcProvider> {
  readonly name = 'oidc';
  readonly columns = {
    issuer: 'issuer',
    clientID: 'client_id',
    clientSecret: 'client_secret',
    scopes: 'scopes',
    emailDomains: 'email_domains',
  };
  readonly empty = {
    issuer: null,
    clientID: null,
    clientSecret: null,
    scopes: 'openid email profile',
    emailDomains: '',
  };

  constructor(
    private readonly secrets: Secrets,
    private readonly outbound: Outbound,
    private readonly addresses: Addresses,
  ) {}

  async check({ issuer, scopes }: UpdateOidcProvider): Promise<void> {
    if (issuer !== undefined) await this.requireReachable(issuer);
    if (scopes && !scopes.includes('openid')) throw invalid('scopes', 'must hold openid');
  }

  settingsAfter(
    before: Settings<OidcSettings>,
    { issuer, clientID, clientSecret, scopes, emailDomains }: UpdateOidcProvider,
  ): Settings<OidcSettings> {
    return {
      issuer: issuer ?? before.issuer,
      clientID: clientID ?? before.clientID,
      clientSecret: clientSecret === undefined ? before.clientSecret : this.secrets.encrypt(clientSecret),
      scopes: scopes ? [...new Set(scopes)].join(' ') : before.scopes,
      emailDomains: emailDomains
        ? [...new Set(emailDomains.map((domain) => domain.toLowerCase()))].join(' ')
        : before.emailDomains,
    };
  }

  told({ issuer, clientID, scopes, emailDomains }: Settings<OidcSettings>): Readonly<Record<string, unknown>> {
    return { issuer, clientID, scopes, emailDomains };
  }

  private async requireReachable(issuer: string): Promise<void> {
    const fault = issuerFault(issuer, this.addresses.own);
    if (fault !== undefined) throw invalid('issuer', fault);
    try {
      await this.outbound.vet(issuer);
    } catch (error) {
      throw error instanceof OutboundError ? invalid('issuer', error.message) : error;
    }
  }
}
