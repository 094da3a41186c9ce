import type { ContentChange } from './content-change.js';
import { ROOT, type Item } from './content-item.js';
import { indexPages } from './page-paths.js';

/** Pages whose children a batch needs, and pages of which it needs all descendants. */
export interface NeededChildren {
  readonly parents: ReadonlySet<string>;
  readonly subtrees: ReadonlySet<string>;
}

/**
 * The pages that must be loaded beside those that a batch names: the siblings of pages that get a position or a slug,
 * and all descendants of a deleted page. A change of a document alone needs none.
 */
export function neededChildren(changes: readonly ContentChange[], items: Iterable<Item>): NeededChildren {
  const pages = indexPages(items);
  const inserted = new Set<string>();
  const parents = new Set<string>();
  const subtrees = new Set<string>();
  const deletes = changes.some(({ operation }) => operation === 'delete_page');
  const need = (parent: string | undefined) => {
    if (parent !== undefined && !inserted.has(parent)) parents.add(parent);
  };
  for (const change of changes) {
    if (change.operation === 'insert_page') {
      inserted.add(change.id);
      need(change.into);
    } else if (change.operation === 'delete_page') {
      if (!inserted.has(change.page)) subtrees.add(change.page);
    } else if (change.operation === 'restore_page') {
      // A page whose parent is deleted returns to the root.
      [ROOT, change.version.parentId, change.version.id, pages.get(change.version.id)?.parentId].forEach(need);
    } else if (change.operation === 'update_page') {
      const page = pages.get(change.page);
      const { title, slug, type } = { ...change, ...change.document?.attributes };
      const renamed = (title !== undefined && title !== page?.title) || slug !== undefined || type !== undefined;
      if (renamed || change.into !== undefined || change.at !== undefined) need(page?.parentId);
      if (change.into !== undefined) need(change.into);
      // The depth to which a page can move depends on its descendants, and it may be deleted with its new parent.
      if (change.into !== undefined && (deletes || change.into !== page?.parentId) && !inserted.has(change.page))
        subtrees.add(change.page);
      if (type !== undefined) need(change.page);
    }
  }
  return { parents, subtrees };
}
