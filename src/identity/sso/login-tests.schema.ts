import type { Addresses } from '../../kernel/common/addresses.js';
import { Id, Nested, ObjectName, OneOf, Text, Timestamp, Url } from '../../kernel/common/fields.js';
import { presentRole, ROLES, type Role } from '../../kernel/common/roles.js';
import { FORESEEN_ACCOUNTS, type ForeseenAccount } from './login-test-result.js';
import type { BegunTest } from './saml-login-tests.service.js';

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
  @Text({ description: 'The name of the person (NameID)', example: 'ada@example.com' })
  subject: string;
  @Nested(() => AssertedAttributeBody, { list: true, description: 'The first 100 attributes' })
  attributes: AssertedAttributeBody[];
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

class SamlLoginTestUrls {
  @Url({
    example:
      'http://localhost:3000/v1/orgs/AbCdEfGh0123456789Xz/saml/AbCdEfGh0123456789Xy/tests/_test0123456789abcdef0123456789abcdef01234567',
  })
  location: string;
  @Url({
    optional: true,
    description: 'The identity provider, to be opened in the same browser; only when the test begins',
    example: 'https://idp.example.com/sso?SAMLRequest=fZFNa4QwEIb',
  })
  login?: string;
}

export class SamlLoginTestBody {
  @ObjectName('saml-login-test')
  object: 'saml-login-test';
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
  @Nested(() => AssertionBody, { optional: true, description: 'The verified assertion' })
  assertion?: AssertionBody;
  @Nested(() => ForeseenAccountBody, { optional: true, description: 'The person whom a login would let in' })
  account?: ForeseenAccountBody;
  @Nested(() => SamlLoginTestUrls)
  urls: SamlLoginTestUrls;
}

export function presentSamlLoginTest(test: BegunTest, addresses: Addresses): SamlLoginTestBody {
  const { id, expiresAt, result, organizationId, providerId, url } = test;
  const { fault, assertion, account } = result ?? {};
  const status = result ? (fault ? 'failed' : 'passed') : 'begun';
  return {
    object: 'saml-login-test',
    id,
    status,
    expiresAt: expiresAt.toISOString(),
    ...(fault && { fault: { message: fault.message, compared: [...fault.compared] } }),
    ...(assertion && {
      assertion: {
        subject: assertion.subject,
        attributes: assertion.attributes.map(({ name, values }) => ({ name, values: [...values] })),
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
      location: addresses.location(`/orgs/${organizationId}/saml/${providerId}/tests/${id}`),
      ...(url !== undefined && { login: url }),
    },
  };
}
