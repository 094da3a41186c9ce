import { presentRole, ROLES, type Role } from '../../kernel/common/roles.js';
import type { Addresses } from '../../kernel/common/addresses.js';
import { Email, Flag, Id, Nested, OneOf, Text, Timestamp, Url } from '../../kernel/common/fields.js';
import { presentTeam, TeamBody } from '../teams/teams.schema.js';
import { UserBody } from '../users/users.schema.js';
import {
  PROVIDER_STATUSES,
  type ProtocolName,
  type ProviderForCaller,
  type ProviderStatus,
  type LoginOption,
  type WayIn,
} from './protocol.js';

export const LABEL = { min: 1, max: 30, pattern: /\S/, patternMessage: 'must not be blank', example: 'Okta' } as const;

/** The settings of every identity provider beside its label. */
export class ProviderSettings {
  @Id({
    optional: true,
    nullable: true,
    description: 'The team that people are in who log in for the first time; null for none',
  })
  defaultTeam?: string | null;
  @OneOf(ROLES, {
    optional: true,
    nullable: true,
    description: 'The role of people who log in for the first time; null makes guests',
    example: 'read',
  })
  defaultRole?: Role | null;
}

/** The shown fields of every identity provider. */
export class ProviderBody {
  @Id()
  id: string;
  @Text(LABEL)
  label: string;
  @Nested(() => TeamBody, { optional: true })
  defaultTeam?: TeamBody;
  @OneOf(ROLES, { nullable: true, example: 'read' })
  defaultRole: Role | null;
  @Timestamp()
  createdAt: string;
  @OneOf(PROVIDER_STATUSES, { description: '`active` once somebody has logged in with what is set' })
  status: ProviderStatus;
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

class WayInOrganization {
  @Id()
  id: string;
  @Text({ example: 'Example Inc.' })
  title: string;
}

class WayInBody {
  @Text({ example: 'Company account' })
  label: string;
  @Url({
    description: 'To be opened in the browser',
    example: 'http://localhost:3000/sso/saml/AbCdEfGh0123456789Xy/start',
  })
  startURL: string;
  @Nested(() => WayInOrganization)
  organization: WayInOrganization;
}

export class WaysInBody {
  @Nested(() => WayInBody, { list: true })
  items: WayInBody[];
  @Flag({ description: 'The service sends e-mails with sign-in links', example: true })
  mail: boolean;
}

export class WaysInQuery {
  @Email({ optional: true, description: 'Providers of the organizations that admit the domain of the address' })
  email?: string;
  @Id({ optional: true, description: 'Providers of this organization' })
  organization?: string;
}

export class ExchangeCode {
  @Text({
    min: 1,
    max: 200,
    description: 'The parameter `code` of the address that the login ended at; it works once, for a minute',
    example: '0123456789abcdefghijABCDEFGHIJ0123456789',
  })
  code: string;
}

export class LoginTokenBody {
  @Nested(() => UserBody)
  user: UserBody;
  @Id({ description: 'The only organization in which the token acts' })
  organization: string;
  @Text({
    description: 'The token; this is the only answer that shows it',
    example: 'bdy_0123456789abcdef0123456789abcdef01234567',
  })
  token: string;
  @Timestamp({ description: 'When the token stops working' })
  expiresAt: string;
}

/** The beginning of the addresses that browsers open for one provider: on the API's origin, outside of its versions. */
export function loginBase(protocol: ProtocolName, id: string, addresses: Addresses): string {
  return `${addresses.api}/sso/${protocol}/${id}`;
}

export function presentCommon<Complete>({ row, team }: ProviderForCaller<Complete>): ProviderBody {
  return {
    id: row.id,
    label: row.label,
    ...(team && { defaultTeam: presentTeam(team) }),
    defaultRole: presentRole(row.defaultRole),
    createdAt: row.createdAt.toISOString(),
    status: row.status,
  };
}

export function presentWayIn(way: WayIn, addresses: Addresses): WayInBody {
  return {
    label: way.label,
    startURL: `${loginBase(way.protocol, way.id, addresses)}/start`,
    organization: { id: way.organizationId, title: way.organizationTitle },
  };
}

export function presentWaysIn(ways: readonly LoginOption[], addresses: Addresses): SsoLoginsBody {
  return {
    items: ways.map(({ id, protocol, label }) => ({
      id,
      label,
      startURL: `${loginBase(protocol, id, addresses)}/start`,
    })),
  };
}
