import { describe, expect, it } from '@jest/globals';
import type { Collection, Organization, Space } from '../people/queries.js';
import { ROOT } from '../ui/tree/forest.js';
import { collectionOptions, moveTo, takesContent, workspaceTree } from './tree-data.js';

const collection = (id: string, position: string, parent?: string, create = true) =>
  ({ object: 'collection', id, title: id, position, parent, permissions: { admin: true, create } }) as Collection;
const space = (id: string, position: string, parent?: string) =>
  ({ object: 'space', id, title: id, position, parent, permissions: { admin: true } }) as Space;

const treeFor = (createContent: boolean) =>
  workspaceTree({ id: 'organization', permissions: { createContent } as Organization['permissions'] }, [
    ...[collection('guides', 'b'), collection('inner', 'b', 'guides', false)],
    ...[space('home', 'a'), space('last', 'c'), space('one', 'a', 'guides'), space('lost', 'd', 'unseen')],
  ]);
const tree = treeFor(true);

describe('the tree of collections and spaces', () => {
  it('sorts both by their positions, and shows at the top what is in an unseen collection', () => {
    expect(tree.children.get(ROOT)).toEqual(['home', 'guides', 'last', 'lost']);
    expect(tree.children.get('guides')).toEqual(['one', 'inner']);
  });

  it('moves an entry behind its new neighbour, before the first one, and into an empty collection', () => {
    expect(moveTo(tree, 'home', ROOT, 1)).toEqual({
      parent: null,
      position: { after: { type: 'collection', collection: 'guides' } },
    });
    expect(moveTo(tree, 'last', ROOT, 0)).toEqual({
      parent: null,
      position: { before: { type: 'space', space: 'home' } },
    });
    expect(moveTo(tree, 'home', 'inner')).toEqual({ parent: 'inner' });
    expect(moveTo(tree, 'home', ROOT, 0)).toBeUndefined();
  });

  it('knows which collections take content', () => {
    expect(['guides', 'inner', 'home', ROOT].map((id) => takesContent(tree, id))).toEqual([true, false, false, true]);
    expect(takesContent(treeFor(false), ROOT)).toBe(false);
  });

  it('lists collections below their parents, without one and what is in it', () => {
    expect(collectionOptions(tree)).toEqual([
      { id: 'guides', title: 'guides', depth: 0 },
      { id: 'inner', title: 'inner', depth: 1 },
    ]);
    expect(collectionOptions(tree, 'guides')).toEqual([]);
  });
});
