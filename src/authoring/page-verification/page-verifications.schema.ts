import type { SpaceAccess } from '../../kernel/access/access.service.js';
import type { Addresses } from '../../kernel/common/addresses.js';
import { Id, Nested, ObjectName, OneOf, Text, Timestamp } from '../../kernel/common/fields.js';
import { PageQuery } from '../../kernel/common/page-query.js';
import { presentUserTo, UserBody, type UserFacts } from '../../identity/users/users.schema.js';

const VERIFICATION_STATES = ['verified', 'due'] as const;
export type VerificationState = (typeof VERIFICATION_STATES)[number];

export class VerificationsQuery extends PageQuery {
  @OneOf(VERIFICATION_STATES, {
    optional: true,
    description: 'Only those that hold, or only those whose time has passed or whose owner has left',
  })
  state?: VerificationState;
}

const OWNER_TYPES = ['user', 'team'] as const;
type OwnerType = (typeof OWNER_TYPES)[number];

class NewOwner {
  @OneOf(OWNER_TYPES)
  type: OwnerType;
  @Id()
  id: string;
}

export class VerifyPage {
  @Nested(() => NewOwner, {
    optional: true,
    description: 'The member who answers for the page, and sees it, or the team; without it the caller',
  })
  owner?: NewOwner;
  @Timestamp({ description: 'The time until which the page is held to be true', example: '2099-01-31T00:00:00.000Z' })
  until: string;
  @Text({ optional: true, max: 500, description: 'A remark for those who verify it again', example: 'Ask the vendor' })
  note?: string;
}

class PageOwner {
  @OneOf(OWNER_TYPES)
  type: OwnerType;
  @Id()
  id: string;
  @Text({ description: 'The name of the member, or the title of the team', example: 'Ada Lovelace' })
  title: string;
}

class VerifiedPage {
  @Id()
  id: string;
  @Text({ example: 'Quickstart' })
  title: string;
}

export class PageVerificationBody {
  @ObjectName('page-verification')
  object: 'page-verification';
  @Nested(() => VerifiedPage)
  page: VerifiedPage;
  @OneOf(VERIFICATION_STATES, {
    description: '`due` once the time has passed, or the owner has left: nobody answers for the page then',
  })
  state: VerificationState;
  @Nested(() => PageOwner, {
    optional: true,
    description: 'The member or team that answers for the page; absent once they have left',
  })
  owner?: PageOwner;
  @Timestamp({ description: 'The time until which the page is held to be true' })
  until: string;
  @Text({ optional: true, example: 'Ask the vendor' })
  note?: string;
  @Nested(() => UserBody, { description: 'The person who verified it last' })
  verifiedBy: UserBody;
  @Timestamp({ description: 'When it was verified last' })
  verifiedAt: string;
}

export interface PageVerificationRow {
  readonly pageId: string;
  readonly title: string;
  readonly owner: PageOwner | null;
  /** The time has passed, or there is no owner any longer. */
  readonly isOver: boolean;
  readonly until: Date;
  readonly note: string | null;
  readonly verifiedBy: UserFacts;
  readonly verifiedAt: Date;
}

export function presentPageVerification(
  row: PageVerificationRow,
  viewer: Pick<SpaceAccess, 'guestId'>,
  addresses: Addresses,
): PageVerificationBody {
  const { pageId, title, owner, isOver, until, note, verifiedBy, verifiedAt } = row;
  return {
    object: 'page-verification',
    page: { id: pageId, title },
    state: isOver ? 'due' : 'verified',
    ...(owner && { owner }),
    until: until.toISOString(),
    ...(note !== null && { note }),
    verifiedBy: presentUserTo(viewer, verifiedBy, addresses),
    verifiedAt: verifiedAt.toISOString(),
  };
}
