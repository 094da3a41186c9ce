import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/common/database.js';
import type { PageOfSpace, ReaderView } from './rankings.js';

/** The pages of the lists $1 and $2, by space and page, with all descendants and the pages that are generated from them. */
const WITH_BELOW = `WITH RECURSIVE down AS (
    SELECT r.space COLLATE "C" AS space, r.page COLLATE "C" AS page FROM unnest($1::text[], $2::text[]) AS r (space, page)
    UNION
    SELECT i.space_id, i.id FROM down JOIN content_item i ON i.space_id = down.space AND i.line = '' AND i.kind = 'page' AND i.parent_id = down.page)
  SELECT space, page FROM down
  UNION ALL
  SELECT c.space_id, c.page_id FROM down JOIN page_current c ON c.space_id = down.space AND c.page_id > down.page AND c.page_id < down.page || '~' AND length(c.page_id) = 40`;

/** The pages in the organization $2 that a user does not see: reads only spaces with limits, which most organizations have none of. */
const IN_ORGANIZATION = `SELECT l.space_id AS space, hidden.page
  FROM limited_spaces($2) l CROSS JOIN LATERAL unnest(hidden_pages($1, l.space_id)) AS hidden (page)`;

/** A space as somebody sees it. */
export interface SeenSpace {
  readonly id: string;
  readonly hiddenPages: readonly string[];
}

/** Finds current pages that somebody does not see. */
@Injectable()
export class HiddenPages {
  constructor(private readonly database: Database) {}

  /** These pages of spaces and all below them, including generated ones. */
  async withBelow(pages: readonly PageOfSpace[]): Promise<PageOfSpace[]> {
    if (pages.length === 0) return [];
    return this.database.query<PageOfSpace & Record<string, unknown>>(WITH_BELOW, [
      pages.map(({ space }) => space),
      pages.map(({ page }) => page),
    ]);
  }

  /** The pages that are hidden in some spaces. */
  inSpaces(spaces: readonly SeenSpace[]): Promise<PageOfSpace[]> {
    return this.withBelow(spaces.flatMap(({ id: space, hiddenPages }) => hiddenPages.map((page) => ({ space, page }))));
  }

  /** The pages that are hidden from a user in the spaces of an organization. */
  async inOrganization(userId: string, organizationId: string): Promise<PageOfSpace[]> {
    return this.withBelow(
      await this.database.query<PageOfSpace & Record<string, unknown>>(IN_ORGANIZATION, [userId, organizationId]),
    );
  }
}

/** The view of somebody from whom pages are hidden; undefined if none are. */
export function viewWithout(hidden: readonly PageOfSpace[]): ReaderView | undefined {
  return hidden.length === 0 ? undefined : { hidden, rewritten: [], texts: [] };
}
