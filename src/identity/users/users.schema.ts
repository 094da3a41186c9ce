import type { Viewer } from '../../kernel/access/access.service.js';
import { SCOPES } from '../../kernel/access/permissions.js';
import type { Addresses } from '../../kernel/common/addresses.js';
import { Email, Id, Nested, ObjectName, OneOf, Text, Timestamp, Url } from '../../kernel/common/fields.js';
import { isNoAddress } from './domain/no-address.js';
import type { ApiToken } from './token.entity.js';

class LocationUrl {
  @Url({ example: 'http://localhost:3000/v1/users/AbCdEfGh0123456789Xy' })
  location: string;
}

export class UserBody {
  @ObjectName('user')
  object: 'user';
  @Id()
  id: string;
  @Text({ example: 'Ada Lovelace' })
  displayName: string;
  @Email({ optional: true })
  email?: string;
  @Url({ optional: true, example: 'https://example.com/ada.png' })
  photoURL?: string;
  @Nested(() => LocationUrl)
  urls: LocationUrl;
}

export class UpdateUser {
  @Text({
    optional: true,
    min: 1,
    max: 64,
    pattern: /\S/,
    patternMessage: 'must not be blank',
    example: 'Ada Lovelace',
  })
  displayName?: string;
  @Url({ optional: true, nullable: true, description: 'Null removes it', example: 'https://example.com/ada.png' })
  photoURL?: string | null;
}

/** The fields for presenting a user; entities and joined rows both have them. */
export interface UserFacts {
  readonly id: string;
  readonly displayName: string;
  readonly email: string;
  readonly photoURL: string | null;
}

/** A statement's expression for `UserFacts` of an account under an alias. */
export function userFacts(alias: string): string {
  return `jsonb_build_object('id', ${alias}.id, 'displayName', ${alias}.display_name, 'email', ${alias}.email, 'photoURL', ${alias}.photo_url)`;
}

export function presentUser(user: UserFacts, addresses: Addresses): UserBody {
  return {
    object: 'user',
    id: user.id,
    displayName: user.displayName,
    ...(!isNoAddress(user.email) && { email: user.email }),
    ...(user.photoURL !== null && { photoURL: user.photoURL }),
    urls: { location: addresses.location(`/users/${user.id}`) },
  };
}

/** Presents a user to a viewer: guests see no address but their own. */
export function presentUserTo({ guestId }: Viewer, user: UserFacts, addresses: Addresses): UserBody {
  const { email, ...rest } = presentUser(user, addresses);
  return email !== undefined && (guestId === null || guestId === user.id) ? { ...rest, email } : rest;
}

const MAX_AGENT_NAME = 100;

/** The agent that acted for a user. */
export function AgentName({
  description = 'Name of the agent that acted for the user; absent where no agent did',
} = {}) {
  return Text({
    optional: true,
    min: 1,
    max: MAX_AGENT_NAME,
    pattern: /\S/,
    patternMessage: 'must not be blank',
    description,
    example: 'Claude Code',
  });
}

export class CreateToken {
  @Text({ min: 1, max: 100, example: 'Continuous integration' })
  name: string;
  @Timestamp({
    optional: true,
    example: '2099-12-31T00:00:00.000Z',
    description: 'When the token stops working; at most as late as that of the token that makes it',
  })
  expiresAt?: string;
  @OneOf(SCOPES, {
    optional: true,
    list: true,
    maxItems: 50,
    example: ['space:read'],
    description:
      'Scopes of the token; without them it may do everything that its user may, and with `agent` read, open change requests, write in them and comment',
  })
  scopes?: string[];
  @AgentName({ description: 'Name of the agent that will use the token: what it does is marked with it' })
  agent?: string;
}

export class TokenBody {
  @ObjectName('api-token')
  object: 'api-token';
  @Id()
  id: string;
  @Text({ example: 'Continuous integration' })
  name: string;
  @Text({ description: 'The first characters of the token', example: 'bdy_k3Jx' })
  hint: string;
  @OneOf(SCOPES, { optional: true, list: true, example: ['space:read'] })
  scopes?: string[];
  @AgentName() agent?: string;
  @Id({ optional: true, description: 'The only organization in which the token acts' })
  organization?: string;
  @Timestamp({ optional: true })
  expiresAt?: string;
  @Timestamp({ optional: true })
  lastUsedAt?: string;
  @Timestamp()
  createdAt: string;
}

export class NewTokenBody extends TokenBody {
  @Text({
    description: 'The token; this is the only answer that shows it',
    example: 'bdy_0123456789abcdef0123456789abcdef01234567',
  })
  token: string;
}

/** A token as its owner sees it, without its hash. */
export type ShownToken = Omit<ApiToken, 'hash' | 'kind'>;

export function presentToken(token: ShownToken): TokenBody {
  return {
    object: 'api-token',
    id: token.id,
    name: token.name,
    hint: token.hint,
    ...(token.scopes && { scopes: token.scopes }),
    ...(token.agent !== null && { agent: token.agent }),
    ...(token.organizationId !== null && { organization: token.organizationId }),
    ...(token.expiresAt && { expiresAt: token.expiresAt.toISOString() }),
    ...(token.lastUsedAt && { lastUsedAt: token.lastUsedAt.toISOString() }),
    createdAt: token.createdAt.toISOString(),
  };
}
