import type { Addresses } from '../../kernel/common/addresses.js';
import { Flag, Nested, ObjectName, Text, Url } from '../../kernel/common/fields.js';
import { versioned } from '../../kernel/common/versioned.js';
import type { ProviderForCaller } from './protocol.js';
import { LABEL, loginBase, presentCommon, ProviderBody, ProviderSettings } from './providers.schema.js';

const ISSUER = {
  description:
    'The issuer, exactly as the provider calls itself; its settings are read at `/.well-known/openid-configuration` below it',
  example: 'https://login.example.com',
} as const;
const CLIENT_ID = {
  min: 1,
  max: 1024,
  pattern: /^[\x21-\x7e]+$/,
  patternMessage: 'must be printable characters without spaces',
  description: 'Client ID that the provider assigned to this service',
  example: 'bindery',
} as const;
const SCOPES = {
  list: true,
  max: 100,
  maxItems: 20,
  pattern: /^[\x21\x23-\x5b\x5d-\x7e]+$/,
  patternMessage: 'must be names of scopes',
  description: 'Scopes that are requested from the provider',
  example: ['openid', 'email', 'profile'],
} as const;
const DOMAINS = {
  list: true,
  max: 253,
  maxItems: 100,
  pattern: /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/i,
  patternMessage: 'must be domains',
  description:
    'The domains of the e-mail addresses that are let in; an empty list lets in everybody whom the provider knows',
  example: ['example.com'],
} as const;

/** A provider needs our addresses before its own are known, so only the label is required. */
class OidcProviderSettings extends ProviderSettings {
  @Url({ ...ISSUER, optional: true })
  issuer?: string;
  @Text({ ...CLIENT_ID, optional: true })
  clientID?: string;
  @Text({
    optional: true,
    min: 1,
    max: 1024,
    pattern: /^[\x20-\x7e]+$/,
    patternMessage: 'must be printable characters',
    description: 'Client secret; stored encrypted and never shown again',
    example: 'a-long-random-secret',
  })
  clientSecret?: string;
  @Text({ ...SCOPES, optional: true, minItems: 1 })
  scopes?: string[];
  @Text({ ...DOMAINS, optional: true })
  emailDomains?: string[];
}

export class CreateOidcProvider extends OidcProviderSettings {
  @Text(LABEL)
  label: string;
}

export class UpdateOidcProvider extends OidcProviderSettings {
  @Text({ ...LABEL, optional: true })
  label?: string;
}

class OidcService {
  @Url({
    description: 'Where the provider sends people back to',
    example: 'http://localhost:3000/sso/oidc/AbCdEfGh0123456789Xy/callback',
  })
  redirectURL: string;
  @Url({ description: 'Where a login begins', example: 'http://localhost:3000/sso/oidc/AbCdEfGh0123456789Xy/start' })
  startURL: string;
}

class OidcProviderUrls {
  @Url({ example: 'http://localhost:3000/v1/orgs/AbCdEfGh0123456789Xz/oidc/AbCdEfGh0123456789Xy' })
  location: string;
}

export class OidcProviderBody extends ProviderBody {
  @ObjectName('oidc-provider')
  object: 'oidc-provider';
  @Url({ ...ISSUER, optional: true })
  issuer?: string;
  @Text({ ...CLIENT_ID, optional: true })
  clientID?: string;
  @Flag({ description: 'A client secret is set' })
  hasClientSecret: boolean;
  @Text(SCOPES)
  scopes: string[];
  @Text(DOMAINS)
  emailDomains: string[];
  @Nested(() => OidcService, { description: 'Addresses to configure at the provider' })
  service: OidcService;
  @Nested(() => OidcProviderUrls)
  urls: OidcProviderUrls;
}

/** The settings of a provider of OpenID Connect; lists are separated by spaces. */
export interface OidcSettings {
  readonly issuer: string;
  readonly clientID: string;
  /** Encrypted. */
  readonly clientSecret: Buffer;
  readonly scopes: string;
  readonly emailDomains: string;
}

/**
 * The addresses of this service for one provider. Each provider has its own, so that the response of one cannot be used
 * for another.
 */
export function oidcServiceOf(id: string, addresses: Addresses): OidcService {
  const base = loginBase('oidc', id, addresses);
  return { redirectURL: `${base}/callback`, startURL: `${base}/start` };
}

export const splitList = (text: string | null): string[] => (text ?? '').split(' ').filter((item) => item !== '');

export function presentOidcProvider(provider: ProviderForCaller<OidcSettings>, addresses: Addresses): OidcProviderBody {
  const { row } = provider;
  return versioned(
    {
      object: 'oidc-provider',
      ...presentCommon(provider),
      ...(row.issuer !== null && { issuer: row.issuer }),
      ...(row.clientID !== null && { clientID: row.clientID }),
      hasClientSecret: row.clientSecret !== null,
      scopes: splitList(row.scopes),
      emailDomains: splitList(row.emailDomains),
      service: oidcServiceOf(row.id, addresses),
      urls: { location: addresses.location(`/orgs/${row.organizationId}/oidc/${row.id}`) },
    },
    row.version,
  );
}
