import type { Addresses } from '../../kernel/common/addresses.js';
import { Nested, ObjectName, Text, Url } from '../../kernel/common/fields.js';
import { versioned } from '../../kernel/common/versioned.js';
import type { ProviderForCaller } from './protocol.js';
import { LABEL, loginBase, presentCommon, ProviderBody, ProviderSettings } from './providers.schema.js';

/** The placeholder address of a provider that has none yet. */
const NO_ADDRESS = 'about:blank';
const EXAMPLE_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIDFzCCAf+gAwIBAgIUMLxYmg6eXhqbvBDQpCJpgb4b21EwDQYJKoZIhvcNAQEL
BQAwGjEYMBYGA1UEAwwPaWRwLmV4YW1wbGUuY29tMCAXDTI2MTEyNzAzNDM0MVoY
DzIxMjYxMTAzMDM0MzQxWjAaMRgwFgYDVQQDDA9pZHAuZXhhbXBsZS5jb20wggEi
MA0GCSqGSIb3DQEBAQUAA4IBDwAwggEKAoIBAQDDlxQ8+/OP38YwKutcBGlnckKc
ERKBQU9znPTPKLtMCkJCdSM8Ou1OrQiCNs4inNpDnu2E1Qj52lckb+yWoObHKgRy
NGhHYs3F8jgxybLfQtxRvly96Mv4hKW10DlGgns12mjEWlhHW5XA+7YBSNFnaNjz
Y6w/XZ2h2H0RfamocZL4Le5qvhmW7BDj1Qly50TaYkRhtiOcZeKh6P/DLYeWpWm0
CYK1RR52MlHTv98ey3g/65wPxLcOMnh3mhiw8ikCr1E9hxNuoJlYVxKcN5Y6iCpe
bFH4bHNsguN9sfEHOaNv/OLqNZq02Cx06efNnUaqrrLkiWFRHs7yEdor5bsJAgMB
AAGjUzBRMB0GA1UdDgQWBBQqU4rhdqSdoxLvszwdkGobmBrA8jAfBgNVHSMEGDAW
gBQqU4rhdqSdoxLvszwdkGobmBrA8jAPBgNVHRMBAf8EBTADAQH/MA0GCSqGSIb3
DQEBCwUAA4IBAQCt/Ug8eHYxSjA1xH2KRFex8B+c8Yq4ZZZKsrIZ1K2fm0bLlKSm
D8l8cDfTX30OP7G/HAQfh3KuNSAE0ouNJ1Zxmx79u9ARY4qjmf8jValL8Kyo/Ok0
Hm3xIQVxon0Yv2LLu+5ZHUzMEvFPLeAof/I7XGNQwjJQZ7wlCAWaS9OLWSmXOHsU
oFJYTHhsST+J1Lmse3MaWJZwNIaM0Uf8zBSst1kVcgncn5x6B2ZJ/LngH/sxYVJ0
l2K60Boh4RcWUYKVq1pb9wDjjr81IuLTz85y2ReBZbSPDOhQK2C+OHTMeDzSViHP
zvR7Ci0K1wONQg24SePpHjc0dFm3JI28qysj
-----END CERTIFICATE-----`;

/** A provider needs our addresses before its own are known, so only the label is required. */
class SamlProviderSettings extends ProviderSettings {
  @Text({
    optional: true,
    min: 1,
    max: 1024,
    pattern: /^\S+$/,
    patternMessage: 'must not hold spaces',
    description: 'The name by which the identity provider signs',
    example: 'https://idp.example.com/metadata',
  })
  entityID?: string;
  @Text({
    optional: true,
    min: 1,
    max: 10_000,
    description:
      'Signing certificates of the identity provider: one X.509 certificate in PEM or base64, or two while it changes over',
    example: EXAMPLE_CERTIFICATE,
  })
  certificate?: string;
  @Url({
    optional: true,
    description: 'Where people log in at the identity provider (redirect binding)',
    example: 'https://idp.example.com/sso',
  })
  ssoURL?: string;
}

export class CreateSamlProvider extends SamlProviderSettings {
  @Text(LABEL)
  label: string;
}

export class UpdateSamlProvider extends SamlProviderSettings {
  @Text({ ...LABEL, optional: true })
  label?: string;
}

class SamlService {
  @Url({
    description: 'Where the identity provider sends its answers (POST binding)',
    example: 'http://localhost:3000/sso/saml/AbCdEfGh0123456789Xy/acs',
  })
  acsURL: string;
  @Url({ description: 'Where a login begins', example: 'http://localhost:3000/sso/saml/AbCdEfGh0123456789Xy/start' })
  startURL: string;
  @Text({
    description: 'Our name towards the identity provider, which is the address of our metadata',
    example: 'http://localhost:3000/sso/saml/AbCdEfGh0123456789Xy/metadata',
  })
  entityID: string;
}

class SamlProviderUrls {
  @Url({ example: 'http://localhost:3000/v1/orgs/AbCdEfGh0123456789Xz/saml/AbCdEfGh0123456789Xy' })
  location: string;
}

export class SamlProviderBody extends ProviderBody {
  @ObjectName('saml-provider')
  object: 'saml-provider';
  @Text({ description: '`about:blank` until it is given', example: 'https://idp.example.com/sso' })
  ssoURL: string;
  @Text({ description: 'Empty until it is given', example: 'https://idp.example.com/metadata' })
  entityID: string;
  @Text({ description: 'Empty until it is given', example: EXAMPLE_CERTIFICATE })
  certificate: string;
  @Nested(() => SamlService, { description: 'Addresses to configure at the identity provider' })
  service: SamlService;
  @Nested(() => SamlProviderUrls)
  urls: SamlProviderUrls;
}

/** The settings of a provider of SAML. */
export interface SamlSettings {
  readonly entityID: string;
  readonly certificate: string;
  readonly ssoURL: string;
}

/** The addresses of this service for one provider, on the API's origin, outside of its versions. */
export function samlServiceOf(id: string, addresses: Addresses): SamlService {
  const base = loginBase('saml', id, addresses);
  return { acsURL: `${base}/acs`, startURL: `${base}/start`, entityID: `${base}/metadata` };
}

/** The address where an answered login ends. */
export function finishURL(id: string, requestId: string, code: string, addresses: Addresses): string {
  return `${loginBase('saml', id, addresses)}/finish?login=${encodeURIComponent(requestId)}&code=${code}`;
}

/** The address where an answered test login ends. */
export function testedURL(id: string, testId: string, code: string, addresses: Addresses): string {
  return `${loginBase('saml', id, addresses)}/tested?test=${encodeURIComponent(testId)}&code=${code}`;
}

export function presentSamlProvider(provider: ProviderForCaller<SamlSettings>, addresses: Addresses): SamlProviderBody {
  const { row } = provider;
  return versioned(
    {
      object: 'saml-provider',
      ...presentCommon(provider),
      ssoURL: row.ssoURL ?? NO_ADDRESS,
      entityID: row.entityID ?? '',
      certificate: row.certificate ?? '',
      service: samlServiceOf(row.id, addresses),
      urls: { location: addresses.location(`/orgs/${row.organizationId}/saml/${row.id}`) },
    },
    row.version,
  );
}
