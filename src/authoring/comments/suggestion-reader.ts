import { Injectable } from '@nestjs/common';
import { WorkerPool } from '../../kernel/platform/workers/worker-pool.js';
import { BlockTexts } from '../content/block-texts.js';
import { ContentStore, type Point } from '../content/content-store.js';
import { DocumentStore } from '../content/document-store.js';
import type { ItemKey } from '../content/domain/content-item.js';
import type { CommentRow, ShownSuggestion } from './comments.schema.js';
import { asWhole, STANDING_SUGGESTIONS } from './suggestion-tasks.js';

/** The rows of comments with a suggestion. */
interface Suggested extends CommentRow {
  readonly pageId: string;
  readonly node: string;
  readonly suggestion: NonNullable<CommentRow['suggestion']>;
  readonly suggestionBefore: NonNullable<CommentRow['suggestionBefore']>;
}

/** Shows the suggestions of comments, with a constant number of queries. */
@Injectable()
export class SuggestionReader {
  constructor(
    private readonly store: ContentStore,
    private readonly documents: DocumentStore,
    private readonly texts: BlockTexts,
    private readonly workers: WorkerPool,
  ) {}

  /** By the id of the comment. */
  async of(point: Point, rows: readonly CommentRow[]): Promise<ReadonlyMap<string, ShownSuggestion>> {
    const suggested = rows.filter(isSuggested);
    if (suggested.length === 0) return new Map();
    const texts = await this.texts.show(
      [point],
      suggested.map(({ pageId, suggestion, suggestionBefore }) => ({
        item: `page:${pageId}`,
        versions: [asWhole(suggestion), asWhole(suggestionBefore)],
      })),
    );
    const standing = await this.standing(
      point,
      suggested.filter(({ appliedAt }) => appliedAt === null),
    );
    return new Map(
      suggested.map((row, index) => {
        const [markdown = '', before = ''] = texts[index] ?? [];
        const status = row.appliedAt ? 'applied' : standing.has(row.id) ? 'open' : 'outdated';
        return [row.id, { markdown, before, status }];
      }),
    );
  }

  /** The comments whose block is still what it was. */
  private async standing(point: Point, rows: readonly Suggested[]): Promise<ReadonlySet<string>> {
    const pages = await this.store.byKeys(
      point,
      rows.map(({ pageId }): ItemKey => `page:${pageId}`),
    );
    const bodies = await this.documents.json(
      point.spaceId,
      [...pages.values()].flatMap(({ hash }) => hash ?? []),
    );
    const found = new Set<string>();
    for (const [key, { hash }] of pages) {
      const own = rows.filter(({ pageId }) => key === `page:${pageId}`);
      const json = hash === null ? undefined : bodies.get(hash);
      if (json === undefined) continue;
      const stand = await this.workers.run(STANDING_SUGGESTIONS, {
        json,
        suggestions: own.map(({ node, suggestionBefore }) => ({ node, before: suggestionBefore })),
      });
      own.forEach(({ id }, index) => {
        if (stand[index] === true) found.add(id);
      });
    }
    return found;
  }
}

function isSuggested(row: CommentRow): row is Suggested {
  return row.suggestion !== null && row.suggestionBefore !== null && row.pageId !== null && row.node !== null;
}
