import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, isEmail, ValidateBy } from 'class-validator';
import { atLeast, presentRole, ROLES, type AccessLevel, type Role } from '../../kernel/common/roles.js';
import { CollectionBody, presentCollection, type CollectionForCaller } from '../collections/collections.schema.js';
import type { Addresses } from '../../kernel/common/addresses.js';
import {
  Amount,
  Email,
  EMAIL_RULES,
  Flag,
  Id,
  Nested,
  ObjectName,
  OneOf,
  takes,
  Text,
  Timestamp,
  Url,
} from '../../kernel/common/fields.js';
import { presentSpace, SpaceBody, type SpaceForCaller } from '../spaces/spaces.schema.js';
import { UserBody } from '../../identity/users/users.schema.js';

const MAX_ADDRESSES = 100;
const MAX_ADDRESS_LENGTH = 320;
const GUEST = { nullable: true, optional: true } as const;

export class CreateInviteLink {
  @OneOf(ROLES, {
    ...GUEST,
    description: 'Role in the organization; null makes guests. Not together with a space or a collection',
  })
  role?: Role | null;
  @OneOf(ROLES, { ...GUEST, description: 'Role on the space or the collection' })
  level?: Role | null;
  @Id({ optional: true, description: 'Lets people into one space, as guests of the organization' })
  space?: string;
  @Id({ optional: true, description: 'Lets people into one collection, as guests of the organization' })
  collection?: string;
}

export class UpdateInviteLink {
  @OneOf(ROLES, { ...GUEST, description: 'Role in the organization, for links to it' })
  role?: Role | null;
  @OneOf(ROLES, { ...GUEST, description: 'Role on the space or collection, for links to it' })
  level?: Role | null;
}

export class InviteLinkBody {
  @ObjectName('invite')
  object: 'invite';
  @Text({
    description: 'Secret of the link; it lets its holder join',
    example: 'k3JxV0aQm7TzB2nYwE5cRpL9sHdUfG1i4oXvZ8bN',
  })
  id: string;
  @OneOf(ROLES, { ...GUEST, description: 'Role in the organization, for links to it' })
  role?: Role | null;
  @OneOf(ROLES, { ...GUEST, description: 'Role on the space or collection, for links to it' })
  level?: Role | null;
  @Flag({ example: false, description: 'The caller has these rights already' })
  redundant: boolean;
  @Nested(() => SpaceBody, { optional: true })
  space?: SpaceBody;
  @Nested(() => CollectionBody, { optional: true })
  collection?: CollectionBody;
}

/** One address, or an address with a role of its own. */
export type Invitee = string | { readonly email: string; readonly role?: Role | null };

/** A fault of one invitee begins with its path in the list. */
function inviteesFault(value: unknown): string | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_ADDRESSES)
    return `must be a list of 1 to ${MAX_ADDRESSES}`;
  for (const [index, each] of (value as unknown[]).entries()) {
    const { email, role }: { email?: unknown; role?: unknown } =
      typeof each === 'object' && each !== null ? each : { email: each };
    if (typeof email !== 'string' || email.length > MAX_ADDRESS_LENGTH || !isEmail(email, EMAIL_RULES))
      return `.${index} must be an e-mail address, or an object with one`;
    if (role !== undefined && role !== null && !ROLES.some((known) => known === role))
      return `.${index}.role must be one of ${ROLES.join(', ')} or null`;
  }
  return undefined;
}

function Invitees(): PropertyDecorator {
  const role = { type: 'string', enum: [...ROLES], nullable: true };
  return applyDecorators(
    ApiProperty({
      type: 'array',
      minItems: 1,
      maxItems: MAX_ADDRESSES,
      example: ['ada@example.com', { email: 'grace@example.com', role: 'edit' }],
      items: {
        oneOf: [
          { type: 'string', format: 'email' },
          { type: 'object', required: ['email'], properties: { email: { type: 'string', format: 'email' }, role } },
        ],
      },
    }),
    takes('free'),
    ArrayMaxSize(MAX_ADDRESSES),
    ValidateBy({
      name: 'invitees',
      validator: {
        validate: (value: unknown) => inviteesFault(value) === undefined,
        defaultMessage: (args) => inviteesFault(args?.value) ?? '',
      },
    }),
  );
}

export class InvitePeople {
  @Invitees()
  emails: Invitee[];
  @OneOf(ROLES, {
    ...GUEST,
    description:
      'Role of people without a role of their own; null makes guests, and without it the default role of the organization counts',
  })
  role?: Role | null;
  @Flag({ optional: true, example: false, description: 'They sign in through a provider of the organization' })
  sso?: boolean;
}

export class InvitedBody {
  @Id({ list: true, description: 'Those of the invited who are members already; nothing changes for them' })
  users: string[];
  @Amount({ min: 0, example: 2, description: 'Invitations made or renewed' })
  invited: number;
  @Email({
    optional: true,
    list: true,
    description: 'Addresses of members who sign in otherwise than through a provider',
  })
  failedSSOEmails?: string[];
}

class InvitationUrls {
  @Url({
    optional: true,
    example: 'http://localhost:3000/v1/auth/invitations/k3JxV0aQm7TzB2nYwE5cRpL9sHdUfG1i4oXvZ8bN',
    description: 'To be posted to by the invited; absent where it was e-mailed',
  })
  accept?: string;
  @Url({
    optional: true,
    example: 'http://localhost:3000/app/invitations/k3JxV0aQm7TzB2nYwE5cRpL9sHdUfG1i4oXvZ8bN',
    description: 'To be opened by the invited in a browser; absent where it was e-mailed',
  })
  app?: string;
}

export class InvitationBody {
  @ObjectName('invitation')
  object: 'invitation';
  @Id()
  id: string;
  @Email()
  email: string;
  @OneOf(ROLES, { nullable: true })
  role: Role | null;
  @Flag({ example: false })
  sso: boolean;
  @Flag({ example: false, description: 'Sent by e-mail; otherwise `urls.accept` has to be handed over' })
  mailed: boolean;
  @Timestamp()
  createdAt: string;
  @Timestamp()
  expiresAt: string;
  @Nested(() => InvitationUrls)
  urls: InvitationUrls;
}

export class JoinedBody {}

export class AcceptInvitation {
  @Text({
    optional: true,
    min: 1,
    max: 64,
    pattern: /\S/,
    patternMessage: 'must not be blank',
    example: 'Ada Lovelace',
    description: 'Without it the part of the address before the @',
  })
  displayName?: string;
  @Flag({
    optional: true,
    example: false,
    description: 'Signs the browser in: the answer sets the cookie of a session and has no token',
  })
  session?: boolean;
}

export class NewAccountBody {
  @Nested(() => UserBody)
  user: UserBody;
  @Id({ description: 'The organization that the new user is a member of' })
  organization: string;
  @Text({
    optional: true,
    description:
      'The first API token of the new user, unless a session was asked for; this is the only answer that shows it',
    example: 'bdy_0123456789abcdef0123456789abcdef01234567',
  })
  token?: string;
}

/** A link with its secret, the caller's role on its target, and that target. */
export interface InviteLinkForCaller {
  readonly secret: string;
  readonly role: AccessLevel;
  readonly callerRole: AccessLevel;
  readonly space?: SpaceForCaller;
  readonly collection?: CollectionForCaller;
}

export interface InvitationForCaller {
  readonly id: string;
  readonly email: string;
  readonly role: AccessLevel;
  readonly sso: boolean;
  readonly mailed: boolean;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** Undefined if it was sent by e-mail: only the addressee knows it. */
  readonly secret: string | undefined;
}

export function presentInviteLink(
  { secret, role, callerRole, space, collection }: InviteLinkForCaller,
  addresses: Addresses,
): InviteLinkBody {
  const redundant = atLeast(callerRole, role);
  if (space)
    return { object: 'invite', id: secret, level: presentRole(role), redundant, space: presentSpace(space, addresses) };
  if (collection)
    return {
      object: 'invite',
      id: secret,
      level: presentRole(role),
      redundant,
      collection: presentCollection(collection, addresses),
    };
  return { object: 'invite', id: secret, role: presentRole(role), redundant };
}

export function presentInvitation(invitation: InvitationForCaller, addresses: Addresses): InvitationBody {
  const { secret } = invitation;
  return {
    object: 'invitation',
    id: invitation.id,
    email: invitation.email,
    role: presentRole(invitation.role),
    sso: invitation.sso,
    mailed: invitation.mailed,
    createdAt: invitation.createdAt.toISOString(),
    expiresAt: invitation.expiresAt.toISOString(),
    urls:
      secret === undefined
        ? {}
        : {
            accept: addresses.location(`/auth/invitations/${secret}`),
            app: addresses.app(`/invitations/${secret}`),
          },
  };
}
