import { Injectable } from '@nestjs/common';
import type { SpaceAccess } from '../../kernel/access/access.service.js';
import { FileUrls } from '../../kernel/platform/storage/file-urls.js';
import type { ChangesBody, RevisionChangesQuery } from './changes.schema.js';
import { ContentComparisons, type ContentComparison } from './content-comparisons.js';
import { ContentStore } from './content-store.js';
import { compareSiblings, ROOT, type Item, type ItemKey } from './domain/content-item.js';
import { indexPages, pathOf } from './domain/page-paths.js';
import { semanticChanges, type ShowItem } from './domain/semantic-changes.js';
import { ContentLines } from './content-lines.js';
import { presentFile, presentReusable } from './present-content.js';

/** A list of changes; `more` is the number of omitted ones. */
export interface Changes {
  readonly changes: readonly object[];
  readonly more?: number;
}

/**
 * The changes of revisions and change requests, in terms of the domain. The cost depends on the changes, not on the
 * space.
 */
@Injectable()
export class ContentChanges {
  constructor(
    private readonly store: ContentStore,
    private readonly comparisons: ContentComparisons,
    private readonly lines: ContentLines,
    private readonly files: FileUrls,
  ) {}

  /** The changes of a revision. Without `metadata`, pages of which only git metadata changed are left out. */
  async ofRevision(
    space: SpaceAccess,
    revisionId: string,
    { limit, metadata }: RevisionChangesQuery,
  ): Promise<ChangesBody> {
    const comparison = await this.comparisons.ofRevision(space, revisionId);
    const changes = await this.between(comparison, await comparison.keys(), limit, metadata);
    if (comparison.mergedFrom === undefined) return changes;
    return { mergedFrom: await this.lines.shownRequest(space, comparison.mergedFrom), ...changes };
  }

  async ofRequest(space: Pick<SpaceAccess, 'id' | 'hiddenPages'>, idOrNumber: string, limit: number): Promise<Changes> {
    const comparison = await this.comparisons.ofRequest(space, idOrNumber);
    return this.between(comparison, await comparison.keys(), limit);
  }

  /** The changes of some items. */
  async between(
    { before, after }: Pick<ContentComparison, 'before' | 'after'>,
    keys: readonly ItemKey[],
    limit: number,
    metadata = true,
  ): Promise<Changes> {
    const unique = [...new Set(keys)];
    const [old, now] = await Promise.all([this.store.byKeys(before, unique), this.store.byKeys(after, unique)]);
    const pages = (items: Map<ItemKey, Item>) =>
      [...items.values()].flatMap((item) => (item.kind === 'page' && item.parentId !== ROOT ? [item.parentId] : []));
    const [oldPages, nowPages] = await Promise.all([
      this.store.withAncestors(before, pages(old)),
      this.store.withAncestors(after, pages(now)),
    ]);
    const pairs = unique.flatMap((key) => {
      const pair = { before: old.get(key), after: now.get(key) };
      const item = pair.after ?? pair.before;
      return item ? [{ pair, item }] : [];
    });
    pairs.sort((a, b) => compareSiblings(a.item, b.item));
    const changes = semanticChanges(
      pairs.map(({ pair }) => pair),
      this.shower(oldPages, nowPages),
      metadata,
    );
    return { changes: changes.slice(0, limit), ...(changes.length > limit && { more: changes.length - limit }) };
  }

  private shower(oldPages: readonly Item[], nowPages: readonly Item[]): ShowItem {
    const indexes = { before: indexPages(oldPages), after: indexPages(nowPages) };
    const page = (item: Item, side: 'before' | 'after') => ({
      id: item.id,
      type: item.type,
      title: item.title,
      ...(item.slug !== null && { path: pathOf(item, indexes[side]) }),
    });
    return {
      page,
      parent: (item, side) => {
        const parent = indexes[side].get(item.parentId);
        return parent && page(parent, side);
      },
      file: (file) => {
        const { id, name, contentType, downloadURL } = presentFile(file, this.files, { metadata: false });
        return { id, name, contentType, downloadURL };
      },
      reusable: (item) => presentReusable(item, { metadata: false }),
    };
  }
}
