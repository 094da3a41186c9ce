import { Injectable } from '@nestjs/common';
import type { OrganizationAccess } from '../../kernel/access/access.service.js';
import type { AccessLevel } from '../../kernel/common/roles.js';
import { Database } from '../../kernel/common/database.js';
import type { OrderedPageQuery } from '../../kernel/common/page-query.js';
import { Page, Pages, type ListStatement } from '../../kernel/common/page.js';
import { isGuest, Members } from '../../identity/organizations/members.service.js';
import { Spaces } from '../spaces/spaces.service.js';
import type { SpacePermission } from './grants.schema.js';

/** The spaces that a member can see: the set that `Member.spaces` counts. */
@Injectable()
export class MemberSpaces {
  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
    private readonly members: Members,
    private readonly spaces: Spaces,
  ) {}

  /**
   * Lists the spaces that both a member and the caller can see, with the member's role. Throws `notFound` for members
   * hidden from the caller.
   */
  async list(
    callerId: string,
    organization: OrganizationAccess,
    userId: string,
    query: OrderedPageQuery,
  ): Promise<Page<SpacePermission>> {
    const member = await this.members.get(callerId, organization, userId);
    if (member.disabled) return new Page([], 0, undefined);
    const page = await this.pages.list<{ id: string }>(query, {
      scope: ['member-spaces', callerId, organization.id, userId, query.order],
      select: 's.id',
      ...sharedSpaces(isGuest(organization), member.role),
      values: [callerId, organization.id, userId],
      order: [
        { expression: 's.created_at', type: 'timestamptz' },
        { expression: 's.id', type: 'text' },
      ],
      direction: query.order,
    });
    const ids = page.items.map(({ id }) => id);
    const roles = await this.database.query<{ id: string; role: AccessLevel }>(
      'SELECT space_id AS id, role FROM space_access($1, $2::text[])',
      [userId, ids],
    );
    const roleOf = new Map(roles.map(({ id, role }) => [id, role]));
    const spaces = await this.spaces.byIds(callerId, ids);
    return page.with(
      ids.flatMap((id) => {
        const [space, role] = [spaces.get(id), roleOf.get(id)];
        return space && role ? [{ space, role }] : [];
      }),
    );
  }
}

/**
 * Over `$1` caller, `$2` organization and `$3` member. It starts from the exceptions of both: the spaces that guests
 * can see, and that others cannot. Guests request only themselves.
 */
function sharedSpaces(callerIsGuest: boolean, role: AccessLevel): Pick<ListStatement, 'from' | 'count'> {
  const hidden = (user: string) => `SELECT x.space_id FROM exceptional_spaces(${user}, $2) x`;
  if (callerIsGuest)
    return { from: `FROM (${hidden('$3')} WHERE $1 = $3) own JOIN space s ON s.id = own.space_id WHERE true` };
  if (role === 'none')
    return {
      from: `FROM (${hidden('$3')}) own JOIN space s ON s.id = own.space_id WHERE s.id NOT IN (${hidden('$1')})`,
    };
  return {
    from: `FROM space s WHERE s.organization_id = $2 AND s.deleted_at IS NULL AND s.id NOT IN (${hidden('$1')}) AND s.id NOT IN (${hidden('$3')})`,
    count: `SELECT t.spaces - (SELECT count(*) FROM (${hidden('$1')} UNION ${hidden('$3')}) either) AS count FROM organization_total t WHERE t.organization_id = $2`,
  };
}
