import { Injectable } from '@nestjs/common';
import { Pages, type Page, type PageRequest } from '../../kernel/common/page.js';
import { ContentLines } from '../content/content-lines.js';
import { userFacts } from '../../identity/users/users.schema.js';
import type { ContributorRow } from './reviews.schema.js';

/** The contributions to the change request $2 of the space $1, by user, with their last times. */
const CONTRIBUTIONS = `SELECT v.author_id AS user_id, 'edit' AS action, count(*)::int AS count, max(v.created_at) AS updated_at
  FROM revision v WHERE v.space_id = $1 AND v.line = $2 AND v.author_id IS NOT NULL GROUP BY v.author_id
 UNION ALL
 SELECT c.posted_by, 'comment', count(*)::int, max(c.posted_at) FROM comment c WHERE c.space_id = $1 AND c.line = $2 GROUP BY c.posted_by`;

/** The contributors of a change request. */
@Injectable()
export class Contributors {
  constructor(
    private readonly pages: Pages,
    private readonly lines: ContentLines,
  ) {}

  /**
   * Lists everyone who changed its content or discussed it, the latest one first; a person who did both is listed
   * twice.
   */
  async list(spaceId: string, idOrNumber: string, query: PageRequest): Promise<Page<ContributorRow>> {
    const { id } = await this.lines.request(spaceId, idOrNumber);
    return this.pages.list<ContributorRow & Record<string, unknown>>(query, {
      scope: ['contributors', spaceId, id],
      select: `c.updated_at AS "updatedAt", c.count, c.action AS "actionType", ${userFacts('u')} AS "user"`,
      from: `FROM (${CONTRIBUTIONS}) c JOIN account u ON u.id = c.user_id WHERE true`,
      values: [spaceId, id],
      order: [
        { expression: 'c.updated_at', type: 'timestamptz' },
        { expression: 'c.action', type: 'text' },
        { expression: 'c.user_id', type: 'text' },
      ],
      direction: 'desc',
    });
  }
}
