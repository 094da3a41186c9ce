import { sourceOfDerived } from '../../../../authoring/content/domain/computed/expansion.js';
import { copiedId } from '../../../../authoring/content/domain/copied-id.js';
import type { SpaceTree, TreePage } from './space-tree.js';

/** The pages of a space as a visitor sees them. */
export interface SpacePages {
  readonly spaceId: string;
  readonly tree: SpaceTree;
}

/** The pages of a tree by the ids that they would have in another space that is made from theirs, by that space. */
const copies = new WeakMap<SpaceTree, Map<string, ReadonlyMap<string, TreePage>>>();

/**
 * The page of another space that says the same as a page: a translation or copy of it, the page that it was made from, or
 * one that was made from the same page; else the one at the same path, unless that says the same as another page.
 * `all` are the spaces among which a common source may be.
 */
export function counterpartOf(
  page: TreePage,
  own: SpacePages,
  other: SpacePages,
  all: readonly SpacePages[],
): TreePage | undefined {
  const related = relatedPage(page, own, other, all);
  if (related) return related;
  const alike = page === own.tree.first ? other.tree.first : other.tree.byPath.get(page.path);
  return alike && relatedPage(alike, other, own, all) === undefined ? alike : undefined;
}

/** The page of another space that was made from a page, or this from it, or both from the same one. */
function relatedPage(
  page: TreePage,
  own: SpacePages,
  other: SpacePages,
  all: readonly SpacePages[],
): TreePage | undefined {
  const madeFrom = (id: string): TreePage | undefined => other.tree.byId.get(idInCopy(other.spaceId, id));
  const found = madeFrom(page.item.id) ?? pagesByCopy(other.tree, own.spaceId).get(page.item.id);
  if (found) return found;
  for (const { tree, spaceId } of all) {
    const common = spaceId === own.spaceId ? undefined : pagesByCopy(tree, own.spaceId).get(page.item.id);
    const made = common && madeFrom(common.item.id);
    if (made) return made;
  }
  return undefined;
}

/** Pages that are computed from a specification have ids below that of their block. */
function idInCopy(spaceId: string, id: string): string {
  const computed = sourceOfDerived(id);
  return computed === undefined ? copiedId(spaceId, id) : copiedId(spaceId, computed) + id.slice(computed.length);
}

function pagesByCopy(tree: SpaceTree, spaceId: string): ReadonlyMap<string, TreePage> {
  const known = copies.get(tree) ?? new Map<string, ReadonlyMap<string, TreePage>>();
  copies.set(tree, known);
  const made =
    known.get(spaceId) ?? new Map([...tree.byId.values()].map((page) => [idInCopy(spaceId, page.item.id), page]));
  known.set(spaceId, made);
  return made;
}
