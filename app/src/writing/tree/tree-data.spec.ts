import { describe, expect, it } from '@jest/globals';
import type { Page } from '../queries.js';
import { ancestorsOf, branchOf, movedPages, ROOT, stepTo, treeData } from './tree-data.js';

function page(id: string, ...pages: Page[]): Page {
  return { id, title: id, type: 'document', pages };
}

const pages = [page('a', page('b', page('c')), page('d')), page('e')];
const ids = (list: readonly Page[]): unknown => list.map(({ id, pages: below = [] }) => [id, ids(below)]);

describe('the tree of pages', () => {
  const tree = treeData(pages);

  it('knows what is above and below a page', () => {
    expect([...tree.nodes.keys()]).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(ancestorsOf(tree, 'c')).toEqual(['b', 'a']);
    expect(branchOf(tree, 'a')).toEqual(['a', 'b', 'd', 'c']);
  });

  it('finds the places one step away', () => {
    expect(stepTo(tree, 'd', 'up')).toEqual({ into: 'a', at: 0 });
    expect(stepTo(tree, 'd', 'down')).toBeUndefined();
    expect(stepTo(tree, 'd', 'in')).toEqual({ into: 'b', at: 1 });
    expect(stepTo(tree, 'd', 'out')).toEqual({ into: ROOT, at: 1 });
    expect(stepTo(tree, 'a', 'out')).toBeUndefined();
  });

  it('moves and removes pages', () => {
    expect(ids(movedPages(pages, 'd', { into: ROOT, at: 1 }))).toEqual(
      ids([page('a', page('b', page('c'))), page('d'), page('e')]),
    );
    expect(ids(movedPages(pages, 'e', { into: 'b', at: 0 }))).toEqual(
      ids([page('a', page('b', page('e'), page('c')), page('d'))]),
    );
    expect(ids(movedPages(pages, 'b'))).toEqual(ids([page('a', page('d')), page('e')]));
  });

  it('indexes ten thousand pages', () => {
    const many = Array.from({ length: 100 }, (_, group) =>
      page(`g${group}`, ...Array.from({ length: 100 }, (_each, index) => page(`p${group}-${index}`))),
    );
    expect(treeData(many).nodes.size).toBe(10_100);
  });
});
