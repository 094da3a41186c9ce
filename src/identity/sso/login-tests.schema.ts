import type { Addresses } from '../../kernel/common/addresses.js';
import { Id, Nested, ObjectName, OneOf, Text, Timestamp, Url } from '../../kernel/common/fields.js';
import { presentRole, ROLES, type Role } from '../../kernel/common/roles.js';
import type { ProtocolName } from './protocol.js';
import { FORESEEN_ACCOUNTS, type ForeseenAccount } from './login-test-result.js';
import type { BegunTest } from './login-testing.service.js';

const TEST_STATUSES = ['begun', 'passed', 'failed'] as const;
const TEST_ID = { example: '_test0123456789abcdef0123456789abcdef01234567' } as const;

class LoginComparisonBody {
  @Text({ description: 'The name in the protocol', example: 'Audience' })
  name: string;
  @Text({ example: 'http://localhost:3000/sso/saml/AbCdEfGh0123456789Xy/metadata' })
  expected: string;
  @Text({ example: 'https://docs.example.com' })
  received: string;
}

class LoginFaultBody {
  @Text({
    description: 'The reason for which a login would have been refused',
    example: 'The assertion was made for another service: the identity provider has to name us as its audience',
  })
  message: string;
  @Nested(() => LoginComparisonBody, { list: true, description: 'Values to compare with the identity provider' })
  compared: LoginComparisonBody[];
}

class AssertedAttributeBody {
  @Text({ example: 'first_name' })
  name: string;
  @Text({ list: true, example: ['Ada'] })
  values: string[];
}

class AssertionBody {
  @Text({ description: 'The name of the person: the NameID, or the claim `sub`', example: 'ada@example.com' })
  subject: string;
  @Nested(() => AssertedAttributeBody, { list: true, description: 'The first 100 attributes or claims' })
  attributes: AssertedAttributeBody[];
  @Text({
    list: true,
    description: 'Names of attributes or claims that a login reads and that did not come',
    example: ['last_name'],
  })
  missing: string[];
  @Timestamp({ optional: true, description: 'The end of the session at the identity provider, if it says so' })
  sessionUntil?: string;
}

class ForeseenTeamBody {
  @Id()
  id: string;
  @Text({ example: 'Writers' })
  title: string;
}

class ForeseenAccountBody {
  @OneOf(FORESEEN_ACCOUNTS, {
    description: 'A member who is let in, an account or a new person that an invitation admits, or a new account',
    example: 'new',
  })
  account: ForeseenAccount['account'];
  @Id({ optional: true, description: 'The member' })
  user?: string;
  @Text({ example: 'Ada Lovelace' })
  displayName: string;
  @OneOf(ROLES, { nullable: true, description: 'The role in the organization; null is a guest', example: 'read' })
  role: Role | null;
  @Nested(() => ForeseenTeamBody, { list: true, description: 'The teams that the login would add the person to' })
  teams: ForeseenTeamBody[];
}

const LOGIN_URL = {
  optional: true,
  description: 'The identity provider, to be opened in the same browser; only when the test begins',
} as const;

class SamlLoginTestUrls {
  @Url({
    example:
      'http://localhost:3000/v1/orgs/AbCdEfGh0123456789Xz/saml/AbCdEfGh0123456789Xy/tests/_test0123456789abcdef0123456789abcdef01234567',
  })
  location: string;
  @Url({ ...LOGIN_URL, example: 'https://idp.example.com/sso?SAMLRequest=fZFNa4QwEIb' })
  login?: string;
}

class OidcLoginTestUrls {
  @Url({
    example:
      'http://localhost:3000/v1/orgs/AbCdEfGh0123456789Xz/oidc/AbCdEfGh0123456789Xy/tests/_test0123456789abcdef0123456789abcdef01234567',
  })
  location: string;
  @Url({ ...LOGIN_URL, example: 'https://login.example.com/auth?client_id=bindery&response_type=code' })
  login?: string;
}

class LoginTestBody {
  @Text(TEST_ID)
  id: string;
  @OneOf(TEST_STATUSES, {
    description: '`begun` until the test has ended in the browser that began it, then whether a login would succeed',
    example: 'passed',
  })
  status: (typeof TEST_STATUSES)[number];
  @Timestamp({ description: 'When the test and what it found are gone' })
  expiresAt: string;
  @Nested(() => LoginFaultBody, { optional: true })
  fault?: LoginFaultBody;
  @Nested(() => AssertionBody, { optional: true, description: 'The verified assertion, or the verified claims' })
  assertion?: AssertionBody;
  @Nested(() => ForeseenAccountBody, { optional: true, description: 'The person whom a login would let in' })
  account?: ForeseenAccountBody;
}

export class SamlLoginTestBody extends LoginTestBody {
  @ObjectName('saml-login-test')
  object: 'saml-login-test';
  @Nested(() => SamlLoginTestUrls)
  urls: SamlLoginTestUrls;
}

export class OidcLoginTestBody extends LoginTestBody {
  @ObjectName('oidc-login-test')
  object: 'oidc-login-test';
  @Nested(() => OidcLoginTestUrls)
  urls: OidcLoginTestUrls;
}

export function presentLoginTest<Name extends ProtocolName>(protocol: Name, test: BegunTest, addresses: Addresses) {
  const { id, expiresAt, result, organizationId, providerId, url } = test;
  const { fault, assertion, account } = result ?? {};
  return {
    object: `${protocol}-login-test` as const,
    id,
    status: result ? (fault ? 'failed' : 'passed') : 'begun',
    expiresAt: expiresAt.toISOString(),
    ...(fault && { fault: { message: fault.message, compared: [...fault.compared] } }),
    ...(assertion && {
      assertion: {
        subject: assertion.subject,
        attributes: assertion.attributes.map(({ name, values }) => ({ name, values: [...values] })),
        missing: [...(assertion.missing ?? [])],
        ...(assertion.sessionUntil !== undefined && { sessionUntil: assertion.sessionUntil }),
      },
    }),
    ...(account && {
      account: {
        account: account.account,
        ...(account.userId !== undefined && { user: account.userId }),
        displayName: account.displayName,
        role: presentRole(account.role),
        teams: account.teams.map((team) => ({ id: team.id, title: team.title })),
      },
    }),
    urls: {
      location: addresses.location(`/orgs/${organizationId}/${protocol}/${providerId}/tests/${id}`),
      ...(url !== undefined && { login: url }),
    },
  } satisfies LoginTestBody & { object: string; urls: SamlLoginTestUrls };
}
