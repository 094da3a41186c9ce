import { Injectable } from '@nestjs/common';
import type { SpaceAccess } from '../../kernel/access/access.service.js';
import { Addresses } from '../../kernel/common/addresses.js';
import type { Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { notFound } from '../../kernel/common/errors.js';
import { Pages, type Page, type PageRequest } from '../../kernel/common/page.js';
import { userFacts } from '../../identity/users/users.schema.js';
import { Teams } from '../../identity/teams/teams.service.js';
import { Grants } from '../../workspace/grants/grants.service.js';
import { presentPageLimit, type PageLimitBody, type PageLimitRow } from './page-limits.schema.js';

const COLUMNS = `l.page_id AS "pageId", l.created_at AS "createdAt", l.updated_at AS "updatedAt",
  (SELECT coalesce(json_agg(${userFacts('u')} ORDER BY g.created_at, g.user_id), '[]') FROM page_member_grant g JOIN account u ON u.id = g.user_id
    WHERE g.space_id = l.space_id AND g.page_id = l.page_id) AS users,
  ARRAY(SELECT g.team_id FROM page_team_grant g WHERE g.space_id = l.space_id AND g.page_id = l.page_id ORDER BY g.created_at, g.team_id) AS "teamIds"`;

/** The limits of the space `$1` on pages that are not hidden by `$2`. */
export const SEEN_LIMITS = `FROM page_limit l WHERE l.space_id = $1 AND sees_page($1, $2::text[], '', l.page_id)`;

type Row = PageLimitRow & Record<string, unknown>;

/** Reads whom pages are limited to. */
@Injectable()
export class PageLimitReader {
  constructor(
    private readonly database: Database,
    private readonly lists: Pages,
    private readonly teams: Teams,
    private readonly grants: Grants,
    private readonly addresses: Addresses,
  ) {}

  /** Lists the limits that the caller may know of, latest first. */
  async list(
    caller: Caller,
    { id, hiddenPages, organizationId }: SpaceAccess,
    request: PageRequest,
  ): Promise<Page<PageLimitBody>> {
    const page = await this.lists.list<Row>(request, {
      scope: ['page-limits', id],
      select: COLUMNS,
      from: SEEN_LIMITS,
      values: [id, hiddenPages],
      order: [
        { expression: 'l.created_at', type: 'timestamptz' },
        { expression: 'l.page_id', type: 'text' },
      ],
      direction: 'desc',
    });
    return page.with(await this.present(caller, organizationId, page.items));
  }

  /** Throws `notFound` for a page without a limit, as for one that the caller does not see. */
  async get(caller: Caller, { id, hiddenPages, organizationId }: SpaceAccess, pageId: string): Promise<PageLimitBody> {
    const rows = await this.database.query<Row>(`SELECT ${COLUMNS} ${SEEN_LIMITS} AND l.page_id = $3`, [
      id,
      hiddenPages,
      pageId,
    ]);
    const [limit] = await this.present(caller, organizationId, rows);
    if (!limit) throw notFound('Page limit');
    return limit;
  }

  private async present(
    caller: Caller,
    organizationId: string,
    rows: readonly PageLimitRow[],
  ): Promise<PageLimitBody[]> {
    const organization = await this.grants.requireInsider(caller, organizationId);
    const teams = await this.teams.load(caller.userId, organization, [
      ...new Set(rows.flatMap(({ teamIds }) => teamIds)),
    ]);
    return rows.map((row) =>
      presentPageLimit(
        row,
        teams.filter(({ id }) => row.teamIds.includes(id)),
        this.addresses,
      ),
    );
  }
}
