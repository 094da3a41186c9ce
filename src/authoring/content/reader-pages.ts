import { Injectable } from '@nestjs/common';
import type { ReaderClaims } from '../../kernel/access/access.service.js';
import { holds } from '../../kernel/common/expressions/evaluate.js';
import type { DataObject } from '../../kernel/common/expressions/tree.js';
import { ContentStore, type Point } from './content-store.js';
import { sourceOfDerived } from './domain/computed/expansion.js';
import type { Item } from './domain/content-item.js';
import { presentVariables } from './present-content.js';

/** The pages that readers of published sites can see: those whose condition holds, as do those of all ancestors. */
@Injectable()
export class ReaderPages {
  constructor(private readonly store: ContentStore) {}

  /** The pages among the items that a reader sees; what stands above a page decides as far as it is among the items. Without a reader these are all. */
  async seen(point: Point, reader: ReaderClaims | undefined, items: readonly Item[]): Promise<Item[]> {
    if (!reader || !items.some(({ props }) => typeof props['condition'] === 'string')) return [...items];
    const space = { vars: presentVariables(await this.store.ofKinds(point, ['variable'])) as DataObject };
    const open = (item: Item): boolean => {
      const page = { vars: (item.props['variables'] ?? {}) as DataObject };
      const condition = item.props['condition'];
      return typeof condition !== 'string' || holds(condition, { visitor: reader.visitor, space, page });
    };
    const byId = new Map(items.map((item) => [item.id, item]));
    const known = new Map<string, boolean>();
    const isSeen = (item: Item): boolean => {
      const before = known.get(item.id);
      if (before !== undefined) return before;
      const parent = byId.get(item.parentId);
      const found = open(item) && (parent === undefined || isSeen(parent));
      known.set(item.id, found);
      return found;
    };
    return items.filter((item) => item.kind !== 'page' || isSeen(item));
  }

  /** Tells whether a reader can see a page, which may be a generated one. */
  async sees(point: Point, reader: ReaderClaims, pageId: string): Promise<boolean> {
    return (await this.seenAmong(point, reader, [pageId])).length > 0;
  }

  /** Those of some pages that a reader can see; generated ones are seen with the page that they are generated from. */
  async seenAmong(point: Point, reader: ReaderClaims, pageIds: readonly string[]): Promise<Item[]> {
    const ids = new Set(pageIds.map((pageId) => sourceOfDerived(pageId) ?? pageId));
    const seen = await this.seen(point, reader, await this.store.withAncestors(point, ids));
    return seen.filter(({ id }) => ids.has(id));
  }
}
