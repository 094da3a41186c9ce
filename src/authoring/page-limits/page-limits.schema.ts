import type { Addresses } from '../../kernel/common/addresses.js';
import { Id, Nested, ObjectName, Timestamp } from '../../kernel/common/fields.js';
import { presentTeam, TeamBody, type TeamForCaller } from '../../identity/teams/teams.schema.js';
import { presentUser, UserBody, type UserFacts } from '../../identity/users/users.schema.js';

/** Members, and teams, whom one limit names at most. */
const MOST_NAMED = 100;

export class LimitPage {
  @Id({
    optional: true,
    list: true,
    maxItems: MOST_NAMED,
    description: 'Members of the organization who see the page; without it none',
    example: ['AbCdEfGh0123456789Xy'],
  })
  users?: string[];
  @Id({
    optional: true,
    list: true,
    maxItems: MOST_NAMED,
    description: 'Teams of the organization whose members see the page; without it none',
    example: ['AbCdEfGh0123456789Xy'],
  })
  teams?: string[];
}

class LimitedPage {
  @Id()
  id: string;
}

export class PageLimitBody {
  @ObjectName('page-limit')
  object: 'page-limit';
  @Nested(() => LimitedPage)
  page: LimitedPage;
  @Nested(() => UserBody, { list: true, description: 'Members who see the page, with all pages below it' })
  users: UserBody[];
  @Nested(() => TeamBody, { list: true, description: 'Teams whose members see the page, with all pages below it' })
  teams: TeamBody[];
  @Timestamp()
  createdAt: string;
  @Timestamp({ description: 'When it was last set' })
  updatedAt: string;
}

export interface PageLimitRow {
  readonly pageId: string;
  readonly users: readonly UserFacts[];
  readonly teamIds: readonly string[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export function presentPageLimit(
  { pageId, users, createdAt, updatedAt }: PageLimitRow,
  teams: readonly TeamForCaller[],
  addresses: Addresses,
): PageLimitBody {
  return {
    object: 'page-limit',
    page: { id: pageId },
    users: users.map((user) => presentUser(user, addresses)),
    teams: teams.map(presentTeam),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
