import { Injectable } from '@nestjs/common';
import type { NamedKind } from '../../kernel/access/readers.js';
import { ReaderPages } from '../../authoring/content/reader-pages.js';
import { NamingContent } from '../../authoring/links/naming-content.js';
import { pointOf } from './pages/space-trees.js';
import type { Visit } from './visitor-access.service.js';

/** Tells which users and specifications the content that a visitor sees names. */
@Injectable()
export class VisibleNames {
  constructor(
    private readonly content: NamingContent,
    private readonly pages: ReaderPages,
  ) {}

  /** Reusable contents are open to all readers of their space, pages to those who meet their conditions. */
  async has(visit: Visit, kind: NamedKind, target: string): Promise<boolean> {
    const rows = new Map(visit.rows.siteSpaces.map((row) => [row.id, row]));
    for await (const items of this.content.of([...rows.keys()], kind, target)) {
      if (items.some((item) => item.kind === 'reusable')) return true;
      for (const space of new Set(items.map((item) => item.space))) {
        const row = rows.get(space);
        const ids = items.flatMap((item) => (item.space === space ? [item.id] : []));
        if (row && (await this.pages.sees(pointOf(visit, row), visit, ...ids))) return true;
      }
    }
    return false;
  }
}
