import type { Addresses } from '../../kernel/common/addresses.js';
import { Email, Flag, Id, Nested, ObjectName, OneOf, Text, Timestamp, Url } from '../../kernel/common/fields.js';
import { presentUser, UserBody, type UserFacts } from '../users/users.schema.js';
import { SIGN_IN_METHODS, type SignInMethod } from './sign-in-method.js';

const SECRET_EXAMPLE = 'k3JxV0aQm7TzB2nYwE5cRpL9sHdUfG1i4oXvZ8bN';
const HOW = 'How the session began: by a link, a login through an identity provider, or an invitation';
const LIMIT = 'The only organization in which the session acts';

export class SessionBody {
  @ObjectName('session')
  object: 'session';
  @Id()
  id: string;
  @Nested(() => UserBody)
  user: UserBody;
  @Text({
    description: 'Goes with every change in the session, in the header `X-CSRF-Token`',
    example: '0rZ5mB2uJq8Xw1Kf7Yc3Vd9Ls6Ht4Pn0Ga5Qe8Rj2Ui',
  })
  csrfToken: string;
  @Id({ optional: true, description: LIMIT })
  organization?: string;
  @OneOf(SIGN_IN_METHODS, { description: HOW, example: 'link' })
  method: SignInMethod;
  @Timestamp()
  createdAt: string;
  @Timestamp()
  expiresAt: string;
}

export class BeginSession {
  @Text({ min: 1, max: 200, description: 'The part of the link behind #', example: SECRET_EXAMPLE })
  secret: string;
}

export class RequestSignInLink {
  @Email()
  email: string;
  @Text({
    optional: true,
    max: 2000,
    description: 'The path below the workspace that is opened behind the sign-in',
    example: '/o/AbCdEfGh0123456789Xy',
  })
  returnTo?: string;
  @Text({
    optional: true,
    max: 200,
    description: 'The id of an invite link: somebody without an account gets one, and joins by the link',
    example: SECRET_EXAMPLE,
  })
  invite?: string;
}

export class RequestedBody {}

class OrganizationNameBody {
  @Id()
  id: string;
  @Text({ example: 'Example Inc.' })
  title: string;
}

export class SignInLinkBody {
  @ObjectName('sign-in-link')
  object: 'sign-in-link';
  @Email()
  email: string;
  @Text({ example: 'Ada Lovelace' })
  displayName: string;
  @Nested(() => OrganizationNameBody, { optional: true, description: LIMIT })
  organization?: OrganizationNameBody;
  @Text({
    optional: true,
    description: 'The path below the workspace to open then',
    example: '/o/AbCdEfGh0123456789Xy',
  })
  returnTo?: string;
  @Timestamp()
  expiresAt: string;
}

export class MadeSignInLinkBody {
  @Url({
    description: 'The link; this is the only answer that shows it',
    example: `http://localhost:3000/app/sign-in#${SECRET_EXAMPLE}`,
  })
  url: string;
  @Timestamp()
  expiresAt: string;
}

export class SessionInListBody {
  @ObjectName('session')
  object: 'session';
  @Id()
  id: string;
  @OneOf(SIGN_IN_METHODS, { description: HOW, example: 'link' })
  method: SignInMethod;
  @Text({ optional: true, description: 'The browser, as it names itself', example: 'Mozilla/5.0' })
  userAgent?: string;
  @Text({ optional: true, description: 'The address from which it began', example: '192.0.2.7' })
  ip?: string;
  @Timestamp()
  createdAt: string;
  @Timestamp({ optional: true })
  lastUsedAt?: string;
  @Timestamp()
  expiresAt: string;
  @Flag({ description: 'The session of this very request', example: true })
  current: boolean;
  @Id({ optional: true, description: LIMIT })
  organization?: string;
}

/** A session as it is listed. */
export interface SessionFacts {
  readonly id: string;
  readonly method: SignInMethod;
  readonly userAgent: string | null;
  readonly ip: string | null;
  readonly organizationId: string | null;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly expiresAt: Date;
}

/** A session with its person, as its browser sees it. */
export interface OwnSession extends Pick<SessionFacts, 'id' | 'method' | 'organizationId' | 'createdAt' | 'expiresAt'> {
  readonly user: UserFacts;
}

/** A link as its reader sees it before using it. */
export interface ShownSignInLink {
  readonly email: string;
  readonly displayName: string;
  readonly organizationId: string | null;
  readonly organizationTitle: string | null;
  readonly returnTo: string | null;
  readonly expiresAt: Date;
}

export function presentSession(session: OwnSession, csrfToken: string, addresses: Addresses): SessionBody {
  return {
    object: 'session',
    id: session.id,
    user: presentUser(session.user, addresses),
    csrfToken,
    ...(session.organizationId !== null && { organization: session.organizationId }),
    method: session.method,
    createdAt: session.createdAt.toISOString(),
    expiresAt: session.expiresAt.toISOString(),
  };
}

/** Presents a session in a list; `currentId` is the token of the request. */
export function presentSessionInList(session: SessionFacts, currentId: string): SessionInListBody {
  const { userAgent, ip, lastUsedAt, organizationId } = session;
  return {
    object: 'session',
    id: session.id,
    method: session.method,
    ...(userAgent !== null && { userAgent }),
    ...(ip !== null && { ip }),
    createdAt: session.createdAt.toISOString(),
    ...(lastUsedAt && { lastUsedAt: lastUsedAt.toISOString() }),
    expiresAt: session.expiresAt.toISOString(),
    current: session.id === currentId,
    ...(organizationId !== null && { organization: organizationId }),
  };
}

export function presentSignInLink(link: ShownSignInLink): SignInLinkBody {
  const { organizationId, organizationTitle, returnTo } = link;
  return {
    object: 'sign-in-link',
    email: link.email,
    displayName: link.displayName,
    ...(organizationId !== null && { organization: { id: organizationId, title: organizationTitle ?? '' } }),
    ...(returnTo !== null && { returnTo }),
    expiresAt: link.expiresAt.toISOString(),
  };
}
