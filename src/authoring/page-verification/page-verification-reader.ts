import { Injectable } from '@nestjs/common';
import type { SpaceAccess } from '../../kernel/access/access.service.js';
import { Addresses } from '../../kernel/common/addresses.js';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { notFound } from '../../kernel/common/errors.js';
import { Pages, type Page } from '../../kernel/common/page.js';
import { userFacts } from '../../identity/users/users.schema.js';
import {
  presentPageVerification,
  type PageVerificationBody,
  type PageVerificationRow,
  type VerificationsQuery,
} from './page-verifications.schema.js';

/** Verifications `v` of pages `i` of the current content. */
export const VERIFIED_PAGES = `FROM page_verification v
  JOIN content_item i ON i.space_id = v.space_id AND i.line = '' AND i.kind = 'page' AND i.id = v.page_id AND NOT i.deleted`;

/** A verification `v` is over at the time `now`: it has passed, or nobody answers for the page. */
export const isOver = (now: string): string => `(v.until <= ${now} OR v.user_id IS NULL AND v.team_id IS NULL)`;

const OWNERS = 'LEFT JOIN account owner ON owner.id = v.user_id LEFT JOIN team t ON t.id = v.team_id';

/** The columns of `PageVerificationRow` at `$3`. */
const COLUMNS = `v.page_id AS "pageId", i.title, CASE WHEN owner.id IS NOT NULL THEN jsonb_build_object('type', 'user', 'id', owner.id, 'title', owner.display_name)
    WHEN t.id IS NOT NULL THEN jsonb_build_object('type', 'team', 'id', t.id, 'title', t.title) END AS owner,
  ${isOver('$3::timestamptz')} AS "isOver", v.until, v.note, ${userFacts('verifier')} AS "verifiedBy", v.verified_at AS "verifiedAt"`;

/** The verifications of the space `$1` of pages that are not hidden by `$2`. */
const SEEN = `${VERIFIED_PAGES}
  JOIN account verifier ON verifier.id = v.verified_by
  ${OWNERS}
 WHERE v.space_id = $1 AND sees_page($1, $2::text[], '', v.page_id)`;

/** The owner of the page `$2` of the space `$1`, while its verification holds at `$3`. */
const SHOWN = `SELECT coalesce(owner.display_name, t.title) AS owner, v.until ${VERIFIED_PAGES}
  ${OWNERS}
 WHERE v.space_id = $1 AND v.page_id = $2 AND NOT ${isOver('$3')}`;

type Row = PageVerificationRow & Record<string, unknown>;

/** A verification as readers of published pages see it. */
export interface ShownVerification extends Record<string, unknown> {
  readonly owner: string;
  readonly until: Date;
}

/** Reads which pages are verified, until when, and by whom. */
@Injectable()
export class PageVerificationReader {
  constructor(
    private readonly database: Database,
    private readonly lists: Pages,
    private readonly clock: Clock,
    private readonly addresses: Addresses,
  ) {}

  /** Lists the verifications of pages that the caller sees; those that end first come first. */
  async list(space: SpaceAccess, query: VerificationsQuery): Promise<Page<PageVerificationBody>> {
    const { state = null } = query;
    const page = await this.lists.list<Row>(query, {
      scope: ['page-verifications', space.id, state],
      select: COLUMNS,
      from: `${SEEN} AND ($4::text IS NULL OR ${isOver('$3::timestamptz')} = ($4 = 'due'))`,
      values: [space.id, space.hiddenPages, this.clock.now(), state],
      order: [
        { expression: 'v.until', type: 'timestamptz' },
        { expression: 'v.page_id', type: 'text' },
      ],
      direction: 'asc',
    });
    return page.map((row) => presentPageVerification(row, space, this.addresses));
  }

  /** Throws `notFound` for a page without a verification, as for one that the caller does not see. */
  async get(space: SpaceAccess, pageId: string): Promise<PageVerificationBody> {
    const values = [space.id, space.hiddenPages, this.clock.now(), pageId];
    const row = await this.database.one<Row>(`SELECT ${COLUMNS} ${SEEN} AND v.page_id = $4`, values);
    if (!row) throw notFound('Page verification');
    return presentPageVerification(row, space, this.addresses);
  }

  /** The verification of a page that readers may be told of; undefined where nobody holds it to be true now. */
  async shown(spaceId: string, pageId: string): Promise<ShownVerification | undefined> {
    return this.database.one<ShownVerification>(SHOWN, [spaceId, pageId, this.clock.now()]);
  }
}
