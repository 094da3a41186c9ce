import { Injectable } from '@nestjs/common';
import type { NamedKind } from '../../kernel/access/readers.js';
import { ContentStore, type Point } from '../../authoring/content/content-store.js';
import { DocumentEvaluation } from '../../authoring/content/document-evaluation.js';
import { DocumentStore } from '../../authoring/content/document-store.js';
import { itemKey, type Item } from '../../authoring/content/domain/content-item.js';
import { ReaderPages } from '../../authoring/content/reader-pages.js';
import { NamingContent, type NamingItem } from '../../authoring/links/naming-content.js';
import { referencesIn } from '../../formats/document/derive.js';
import { mayHoldExpressions } from '../../formats/document/evaluate.js';
import type { Document } from '../../formats/document/types.js';
import { pointOf } from './pages/space-trees.js';
import type { Visit } from './visit.js';

/** Tells which users, specifications and addresses the content that a visitor sees names. */
@Injectable()
export class VisibleNames {
  constructor(
    private readonly content: NamingContent,
    private readonly pages: ReaderPages,
    private readonly store: ContentStore,
    private readonly documents: DocumentStore,
    private readonly evaluation: DocumentEvaluation,
  ) {}

  /**
   * Reusable contents are open to all readers of their space, pages to those who meet their conditions; parts of both with a
   * condition to those who meet it.
   */
  async has(visit: Visit, kind: NamedKind, target: string): Promise<boolean> {
    const rows = new Map(visit.rows.siteSpaces.map((row) => [row.id, row]));
    for await (const items of this.content.of([...rows.keys()], kind, target)) {
      for (const space of new Set(items.map((item) => item.space))) {
        const row = rows.get(space);
        const naming = items.filter((item) => item.space === space);
        if (row && (await this.isNamed(pointOf(visit, row), visit, naming, target))) return true;
      }
    }
    return false;
  }

  private async isNamed(point: Point, visit: Visit, naming: readonly NamingItem[], target: string): Promise<boolean> {
    const [pages, reusables] = [naming.filter(isPage), naming.filter((item) => !isPage(item))];
    const items = [
      ...(await this.store.byKeys(point, reusables.map(itemKey))).values(),
      ...(await this.pages.seenAmong(
        point,
        visit,
        pages.map(({ id }) => id),
      )),
    ];
    const bodies = await this.documents.json(
      point.spaceId,
      items.flatMap(({ hash }) => hash ?? []),
      { keep: false },
    );
    const isConditional = ({ hash }: Item): boolean => mayHoldExpressions(bodies.get(hash ?? '') ?? '');
    if (items.some((item) => !isConditional(item))) return true;
    const evaluated = this.evaluation.several(point, 'true', visit.visitor);
    for (const item of items) {
      const document = JSON.parse(await evaluated(item, bodies.get(item.hash ?? '') ?? '')) as Document;
      if (referencesIn(document).some((ref) => Object.values(ref).includes(target))) return true;
    }
    return false;
  }
}

const isPage = ({ kind }: NamingItem): boolean => kind === 'page';
