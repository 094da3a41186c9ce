import { Injectable } from '@nestjs/common';
import type { SpaceAccess } from '../../kernel/access/access.service.js';
import { FileUrls } from '../../kernel/platform/storage/file-urls.js';
import type { ChangesBody, RevisionChangesQuery } from './changes.schema.js';
import { ContentStore, type Point } from './content-store.js';
import { compareSiblings, ROOT, type Item, type ItemKey } from './domain/content-item.js';
import { indexPages, pathOf } from './domain/page-paths.js';
import { semanticChanges, type ShowItem } from './domain/semantic-changes.js';
import { ContentLines, primaryPoint, requestPoint, revisionPoint } from './content-lines.js';
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
    private readonly lines: ContentLines,
    private readonly files: FileUrls,
  ) {}

  /**
   * The changes of a revision compared with the previous one of its line; an update also includes the changes from
   * primary. Without `metadata`, pages of which only git metadata changed are left out.
   */
  async ofRevision(
    space: SpaceAccess,
    revisionId: string,
    { limit, metadata }: RevisionChangesQuery,
  ): Promise<ChangesBody> {
    const spaceId = space.id;
    const revision = await this.lines.revision(spaceId, revisionId);
    const after = revisionPoint(spaceId, revision);
    if (revision.line === '') {
      const before = { ...after, base: revision.sequence - 1 };
      const keys = await this.store.changedBetween(spaceId, '', revision.sequence - 1, revision.sequence);
      const changes = await this.between(before, after, keys, limit, metadata);
      if (revision.mergedFrom === null) return changes;
      return { mergedFrom: await this.lines.shownRequest(space, revision.mergedFrom), ...changes };
    }
    const previousBase = await this.lines.baseBefore(spaceId, revision);
    const before = { ...after, sequence: revision.sequence - 1, base: previousBase };
    const keys = await Promise.all([
      this.store.changedBetween(spaceId, revision.line, revision.sequence - 1, revision.sequence),
      this.store.changedBetween(spaceId, '', previousBase, revision.baseSequence),
    ]);
    return this.between(before, after, keys.flat(), limit, metadata);
  }

  /** The changes of a change request compared with the primary revision that it is based on. */
  async ofRequest(spaceId: string, idOrNumber: string, limit: number): Promise<Changes> {
    const request = await this.lines.request(spaceId, idOrNumber);
    const after = requestPoint(request);
    const overlay = await this.store.overlay(after);
    return this.between(primaryPoint({ spaceId, sequence: request.baseSequence }), after, [...overlay.keys()], limit);
  }

  private async between(
    before: Point,
    after: Point,
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
