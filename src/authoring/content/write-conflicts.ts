import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/common/database.js';
import { DomainError } from '../../kernel/common/errors.js';
import type { MarkdownConflict } from './base-merge-tasks.js';
import type { Point } from './content-store.js';
import type { RevisionRow } from './content-lines.js';
import type { Item } from './domain/content-item.js';
import type { AttributeConflict } from './domain/merge-attributes.js';
import { pathOf, type PageIndex } from './domain/page-paths.js';
import { MarkdownLinks } from './markdown-links.js';

/** The conflicts of one change with what was written to its page after the revision that it names. */
export interface WriteConflict {
  /** The index of the change. */
  readonly index: number;
  readonly page: Item;
  readonly base: RevisionRow;
  readonly blocks: readonly MarkdownConflict[];
  readonly attributes: readonly AttributeConflict[];
}

/** One conflict as an error shows it. */
interface ShownConflict {
  readonly id: string;
  readonly page: string;
  readonly by?: { readonly id: string; readonly displayName: string };
  readonly block?: string;
  readonly blocks?: readonly string[];
  readonly attribute?: string;
  readonly base: string;
  readonly current: string;
  readonly given: string;
}

/** The last author of each page on the line $2 above the sequences `own`, and on primary above `below` up to $3. */
const LAST_AUTHORS = `SELECT DISTINCT ON (c.page) c.page, a.id, a.display_name AS "displayName"
  FROM unnest($4::text[], $5::bigint[], $6::bigint[]) AS c (page, own, below)
  JOIN content_undo u ON u.space_id = $1 AND u.kind = 'page' AND u.id = c.page
   AND (u.line = $2 AND u.sequence > c.own OR u.line = '' AND u.sequence > c.below AND u.sequence <= $3)
  JOIN revision r ON r.space_id = u.space_id AND r.line = u.line AND r.sequence = u.sequence
  JOIN account a ON a.id = r.author_id
 ORDER BY c.page, r.created_at DESC, r.id DESC`;

/** Tells writers who come second what is in their way. */
@Injectable()
export class WriteConflicts {
  constructor(
    private readonly database: Database,
    private readonly links: MarkdownLinks,
  ) {}

  /** The error of a batch with conflicts, which names each of them with its three sides. */
  async error(point: Point, conflicts: readonly WriteConflict[], pages: PageIndex): Promise<DomainError> {
    const authors = await this.authors(point, conflicts);
    const shown: ShownConflict[] = [];
    for (const { page, blocks, attributes } of conflicts) {
      const by = authors.get(page.id);
      const about = { page: page.id, ...(by && { by: { id: by.id, displayName: by.displayName } }) };
      const texts = blocks.flatMap(({ base, current, given }) => [base, current, given]);
      const render = await this.links.renderer(point, pathOf(page, pages), texts);
      for (const { id, blocks: keys, base, current, given } of blocks)
        shown.push({
          id,
          ...about,
          ...(keys[0] !== undefined && { block: keys[0], blocks: keys }),
          base: render(base),
          current: render(current),
          given: render(given),
        });
      for (const { id, attribute, base, current, given } of attributes)
        shown.push({ id, ...about, attribute, base: inText(base), current: inText(current), given: inText(given) });
    }
    const details = conflicts.map(({ index }) => ({
      path: `changes.${index}.document`,
      message: 'The same part of the page has been changed since the revision on which it was written',
    }));
    return new DomainError(
      'conflict',
      'Somebody else has changed the same part of a page: nothing was written',
      details,
      {},
      { conflicts: shown },
    );
  }

  private async authors(
    point: Point,
    conflicts: readonly WriteConflict[],
  ): Promise<Map<string, { readonly id: string; readonly displayName: string }>> {
    const rows = await this.database.query<{ page: string; id: string; displayName: string }>(LAST_AUTHORS, [
      point.spaceId,
      // Without a line of its own the second half of the condition has all that counts.
      point.line ?? 'none',
      point.base,
      conflicts.map(({ page }) => page.id),
      conflicts.map(({ base }) => (base.line === '' ? 0 : base.sequence)),
      conflicts.map(({ base }) => base.baseSequence),
    ]);
    return new Map(rows.map((row) => [row.page, row]));
  }
}

function inText(value: unknown): string {
  return value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
}
