import { presentRole, ROLES, type AccessLevel, type Role } from '../access/roles.js';
import type { Addresses } from '../common/addresses.js';
import { Id, Nested, ObjectName, OneOf, Text, Timestamp, Url } from '../common/fields.js';
import { versioned } from '../common/versioned.js';
import { presentTeam, TeamBody, type TeamForCaller } from '../teams/teams.schema.js';
import { UserBody } from '../users/users.schema.js';

export const SAML_STATUSES = ['pending', 'active'] as const;
export type SamlStatus = (typeof SAML_STATUSES)[number];

/** Stands for the address of a provider that has not been given one. */
const NO_ADDRESS = 'about:blank';
const EXAMPLE_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIDCzCCAfOgAwIBAgIUdCrqMeYzIAJGtRgCXW9ln9mE3HIwDQYJKoZIhvcNAQEL
-----END CERTIFICATE-----`;

const LABEL = { min: 1, max: 30, pattern: /\S/, patternMessage: 'must not be blank', example: 'Okta' } as const;
const ENTITY_ID = { optional: true, min: 1, max: 1024, pattern: /^\S+$/, patternMessage: 'must not hold spaces', description: 'The name of the identity provider, as it signs as', example: 'https://idp.example.com/metadata' } as const;
const CERTIFICATE = { optional: true, min: 1, max: 10_000, description: 'What the identity provider signs with: one X.509 certificate in PEM or base64, or two while it changes over', example: EXAMPLE_CERTIFICATE } as const;
const SSO_URL = { optional: true, description: 'Where people log in at the identity provider (redirect binding)', example: 'https://idp.example.com/sso' } as const;
const DEFAULT_TEAM = { optional: true, nullable: true, description: 'The team that people are in who log in for the first time; null for none' } as const;
const DEFAULT_ROLE = { optional: true, nullable: true, description: 'The role of people who log in for the first time; null makes guests', example: 'read' } as const;

export class CreateSamlProvider {
  @Text(LABEL)
  label: string;
  @Text(ENTITY_ID)
  entityID?: string;
  @Text(CERTIFICATE)
  certificate?: string;
  @Url(SSO_URL)
  ssoURL?: string;
  @Id(DEFAULT_TEAM)
  defaultTeam?: string | null;
  @OneOf(ROLES, DEFAULT_ROLE)
  defaultRole?: Role | null;
}

export class UpdateSamlProvider {
  @Text({ ...LABEL, optional: true })
  label?: string;
  @Text(ENTITY_ID)
  entityID?: string;
  @Text(CERTIFICATE)
  certificate?: string;
  @Url(SSO_URL)
  ssoURL?: string;
  @Id(DEFAULT_TEAM)
  defaultTeam?: string | null;
  @OneOf(ROLES, DEFAULT_ROLE)
  defaultRole?: Role | null;
}

class SamlService {
  @Url({ description: 'Where the identity provider sends its answers (POST binding)', example: 'http://localhost:3000/sso/saml/AbCdEfGh0123456789Xy/acs' })
  acsURL: string;
  @Url({ description: 'Where a login begins', example: 'http://localhost:3000/sso/saml/AbCdEfGh0123456789Xy/start' })
  startURL: string;
  @Text({ description: 'Our name towards the identity provider, which is the address of our metadata', example: 'http://localhost:3000/sso/saml/AbCdEfGh0123456789Xy/metadata' })
  entityID: string;
}

class SamlProviderUrls {
  @Url({ example: 'http://localhost:3000/v1/orgs/AbCdEfGh0123456789Xz/saml/AbCdEfGh0123456789Xy' })
  location: string;
}

export class SamlProviderBody {
  @ObjectName('saml-provider')
  object: 'saml-provider';
  @Id()
  id: string;
  @Text(LABEL)
  label: string;
  @Text({ description: '`about:blank` until it is given', example: 'https://idp.example.com/sso' })
  ssoURL: string;
  @Text({ description: 'Empty until it is given', example: 'https://idp.example.com/metadata' })
  entityID: string;
  @Text({ description: 'Empty until it is given', example: EXAMPLE_CERTIFICATE })
  certificate: string;
  @Nested(() => TeamBody, { optional: true })
  defaultTeam?: TeamBody;
  @OneOf(ROLES, { nullable: true, example: 'read' })
  defaultRole: Role | null;
  @Timestamp()
  createdAt: string;
  @OneOf(SAML_STATUSES, { description: '`active` once somebody has logged in with what is set' })
  status: SamlStatus;
  @Nested(() => SamlService, { description: 'What the identity provider has to be told' })
  service: SamlService;
  @Nested(() => SamlProviderUrls)
  urls: SamlProviderUrls;
}

class SsoLogin {
  @Id()
  id: string;
  @Text(LABEL)
  label: string;
  @Url({ example: 'http://localhost:3000/sso/saml/AbCdEfGh0123456789Xy/start' })
  startURL: string;
}

export class SsoLoginsBody {
  @Nested(() => SsoLogin, { list: true })
  items: SsoLogin[];
}

export class ExchangeCode {
  @Text({ min: 1, max: 200, description: 'The parameter `code` of the address that the login ended at; it works once, for a minute', example: '0123456789abcdefghijABCDEFGHIJ0123456789' })
  code: string;
}

export class LoginTokenBody {
  @Nested(() => UserBody)
  user: UserBody;
  @Id({ description: 'The only organization in which the token acts' })
  organization: string;
  @Text({ description: 'The token; this is the only answer that shows it', example: 'bdy_0123456789abcdef0123456789abcdef01234567' })
  token: string;
  @Timestamp({ description: 'When the token stops working' })
  expiresAt: string;
}

export interface SamlProviderRow {
  readonly id: string;
  readonly organizationId: string;
  readonly label: string;
  readonly entityID: string | null;
  readonly certificate: string | null;
  readonly ssoURL: string | null;
  readonly defaultTeamId: string | null;
  readonly defaultRole: AccessLevel;
  readonly status: SamlStatus;
  readonly version: number;
  readonly createdAt: Date;
}

/** A provider as a caller sees it, with its team. */
export interface SamlProviderForCaller {
  readonly row: SamlProviderRow;
  readonly team: TeamForCaller | undefined;
}

/** Our addresses for one provider; they lie on the API's origin, outside of its versions. */
export function serviceOf(id: string, addresses: Addresses): SamlService {
  const base = `${addresses.api}/sso/saml/${id}`;
  return { acsURL: `${base}/acs`, startURL: `${base}/start`, entityID: `${base}/metadata` };
}

export function presentProvider({ row, team }: SamlProviderForCaller, addresses: Addresses): SamlProviderBody {
  return versioned(
    {
      object: 'saml-provider',
      id: row.id,
      label: row.label,
      ssoURL: row.ssoURL ?? NO_ADDRESS,
      entityID: row.entityID ?? '',
      certificate: row.certificate ?? '',
      ...(team && { defaultTeam: presentTeam(team) }),
      defaultRole: presentRole(row.defaultRole),
      createdAt: row.createdAt.toISOString(),
      status: row.status,
      service: serviceOf(row.id, addresses),
      urls: { location: addresses.location(`/orgs/${row.organizationId}/saml/${row.id}`) },
    },
    row.version,
  );
}

export function presentLogins(rows: readonly { readonly id: string; readonly label: string }[], addresses: Addresses): SsoLoginsBody {
  return { items: rows.map(({ id, label }) => ({ id, label, startURL: serviceOf(id, addresses).startURL })) };
}
