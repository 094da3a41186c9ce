import { sourceOfDerived } from '../../../../authoring/content/domain/computed/expansion.js';
import { documentKindOf } from '../../../../formats/document/computed-source.js';
import type { SpaceTree, TreePage } from './space-tree.js';

/** The generated pages of each tree, by the names that they have in every grouping of their specification. */
const generated = new WeakMap<SpaceTree, ReadonlyMap<string, readonly TreePage[]>>();

/**
 * The page of a specification for an address that it had while it was in another group, such as that of a tag which it
 * no longer has: the last part of an address names the page, those before it the groups. An address right below a page
 * that shows all operations of a group leads to that page. Undefined if no page of a specification can have had it.
 */
export function pageAtFormerAddress(tree: SpaceTree, path: string): TreePage | undefined {
  const segments = path.split('/');
  const name = segments.pop();
  if (name === undefined || segments.includes('')) return undefined;
  let nearest: TreePage | undefined;
  for (let length = segments.length; length > 0 && !nearest; length--)
    nearest = tree.byPath.get(segments.slice(0, length).join('/'));
  const source = nearest && sourceOfDerived(nearest.item.id);
  const found = namedPages(tree)
    .get(name)
    ?.filter((page) => (source === undefined ? placeOf(page) === nearest : source === sourceOfDerived(page.item.id)));
  if (found?.[0]) return found.find((page) => documentKindOf(page.item) === 'operation') ?? found[0];
  // No slug made of a name has a dot: robots ask for files everywhere.
  if (!nearest || nearest.path !== segments.join('/') || name.includes('.')) return undefined;
  if (source === undefined || nearest.children.length > 0) return undefined;
  return ['operations', 'models'].includes(documentKindOf(nearest.item) ?? '') ? nearest : undefined;
}

/** The written page below which a specification shows its pages; undefined at the root of the space. */
function placeOf(page: TreePage): TreePage | undefined {
  let above = page.parent;
  while (above && sourceOfDerived(above.item.id) !== undefined) above = above.parent;
  return above;
}

function namedPages(tree: SpaceTree): ReadonlyMap<string, readonly TreePage[]> {
  const known = generated.get(tree);
  if (known) return known;
  const named = new Map<string, TreePage[]>();
  for (const page of tree.documents) {
    if (page.item.slug === null || sourceOfDerived(page.item.id) === undefined) continue;
    const others = named.get(page.item.slug);
    if (others) others.push(page);
    else named.set(page.item.slug, [page]);
  }
  generated.set(tree, named);
  return named;
}
