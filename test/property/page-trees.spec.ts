import { afterAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  blankItem,
  compareSiblings,
  itemKey,
  ROOT,
  type Item,
  type ItemKey,
} from '../../src/authoring/content/domain/content-item.js';
import { PageTree, SLICE_ITEMS } from '../../src/authoring/content/domain/page-tree.js';
import { tagsOf } from '../../src/authoring/content/domain/tags.js';
import { PageParts, PART_PAGES, SLICE_PAGES } from '../../src/authoring/content/page-parts.js';
import { pathBelow, presentNode, type ContentView } from '../../src/authoring/content/present-content.js';
import { editTree, pageEdits, rounds, seed, type Documents, type Tree } from './content-generators.js';

const RUNS = { numRuns: rounds(15), seed };
const NOON = new Date('2026-01-01T12:00:00.000Z');
const seen = { states: 0, hidden: 0, largest: 0 };

afterAll(() => {
  process.stdout.write(
    `page trees: seed ${seed}, ${RUNS.numRuns} cases, ${seen.states} states of up to ${seen.largest} pages, ${seen.hidden} pages hidden\n`,
  );
});

const VIEWS: readonly ContentView[] = [
  { app: 'https://a.example/o/1/s/2', metadata: true },
  { app: 'https://a.example/o/1/s/2/~/changes/3', metadata: false },
];

const REVISION = { id: 'r', pages: [], files: [] };

const TYPES = ['document', 'document', 'document', 'group', 'document', 'link', 'document', 'computed'] as const;

/** A page with attributes of many kinds, which follow from its number; its text must not be taken for a list of pages. */
function pageOf(number: number, parentId: string): Item {
  const id = `p${String(number).padStart(5, '0')}`;
  const type = TYPES[number % TYPES.length] ?? 'document';
  const props = {
    ...(number % 3 === 0 && { description: `"pages":[] \\ é漢 ${number}` }),
    ...(number % 5 === 0 && { git: { oid: `${number}`, path: `p/${number}.md` }, hidden: true }),
    ...(number % 7 === 0 && { variables: { pages: [], name: `v${number}` } }),
    ...(number % 4 === 0 && { tags: [`t${number % 3}`, 't3'], primaryTag: 't3' }),
    ...(type === 'link' && { target: { kind: 'url', url: 'https://example.com/' } }),
    ...(type === 'computed' && { computed: { integration: 'openapi' } }),
  };
  const slug = type === 'link' || type === 'computed' ? null : `s${number}`;
  const position = String((number * 7919) % 1000).padStart(4, '0');
  return { ...blankItem('page', id, `T${number}`, NOON), parentId, position, type, slug, props, hash: 'ab' };
}

/** The JSON of the pages of a tree as one text, made page by page from its items. */
function expectedJson(items: readonly Item[], view: ContentView): string {
  const tags = new Set(items.flatMap(({ kind, id }) => (kind === 'tag' ? [id] : [])));
  const below = (parent: string, above: string): object[] =>
    items
      .filter(({ kind, parentId }) => kind === 'page' && parentId === parent)
      .toSorted(compareSiblings)
      .map((page) => {
        const alone = { page, tags: tagsOf(page, (slug) => tags.has(slug)), children: [], size: 1 };
        const body = presentNode(alone, above, view);
        return 'pages' in body ? { ...body, pages: below(page.id, pathBelow(page, above)) } : body;
      });
  return JSON.stringify({ ...REVISION, pages: below(ROOT, '') });
}

const partsJson = async (parts: PageParts, tree: PageTree, view: ContentView): Promise<string> =>
  (await parts.inside(REVISION, tree.roots, view)).toString();

/** The pages that remain where some, and all below them, are not seen. */
function without(items: readonly Item[], roots: ReadonlySet<string>): Item[] {
  const byId = new Map(items.flatMap((item) => (item.kind === 'page' ? [[item.id, item] as const] : [])));
  const isHidden = (item: Item | undefined): boolean =>
    item !== undefined && (roots.has(item.id) || isHidden(byId.get(item.parentId)));
  return items.filter((item) => item.kind !== 'page' || !isHidden(item));
}

function difference(before: Tree, after: Tree): Map<ItemKey, Item | null> {
  const changes = new Map<ItemKey, Item | null>();
  for (const [key, item] of after) if (before.get(key) !== item) changes.set(key, item);
  for (const key of before.keys()) if (!after.has(key)) changes.set(key, null);
  return changes;
}

const tagItem = (slug: number): Item => blankItem('tag', `t${slug}`, `Tag ${slug}`, NOON);

const shapes = fc.record({
  /** Each page stands below one before it, or at the root. */
  parents: fc.oneof(
    fc.array(fc.nat(20), { minLength: 1, maxLength: 20 }),
    // Some subtrees are then larger than a part.
    fc.array(fc.nat(20), { minLength: PART_PAGES + 50, maxLength: PART_PAGES + 150 }),
  ),
  states: fc.array(fc.record({ edits: pageEdits, tag: fc.nat(3), hidden: fc.array(fc.nat(500), { maxLength: 3 }) }), {
    minLength: 1,
    maxLength: 5,
  }),
});

describe('page trees', () => {
  it('show the same bytes as trees made anew, after any changes, and whichever pages are hidden', async () => {
    await fc.assert(
      fc.asyncProperty(shapes, async ({ parents, states }) => {
        const parts = new PageParts();
        const documents: Documents = new Map();
        const pages = parents.map((parent, number) =>
          pageOf(number, number === 0 || parent === 0 ? ROOT : pageOf((parent - 1) % number, ROOT).id),
        );
        let items: Tree = new Map([...pages, tagItem(3)].map((item) => [itemKey(item), item]));
        let tree = PageTree.of(items.values());
        for (const [number, { edits, tag, hidden }] of states.entries()) {
          const before = items;
          const edited = new Map(editTree(items, edits, `n${number}-`, documents));
          const key: ItemKey = `tag:t${tag}`;
          if (!edited.delete(key)) edited.set(key, tagItem(tag));
          items = edited;
          tree = tree.with(difference(before, items));
          const ids = tree.list.filter(({ kind }) => kind === 'page').map(({ id }) => id);
          const roots = new Set(hidden.flatMap((at) => ids[at % Math.max(1, ids.length)] ?? []));
          const all = [...items.values()];
          const open = without(all, roots);
          for (const view of VIEWS) {
            expect(await partsJson(parts, tree, view)).toBe(expectedJson(all, view));
            expect(await partsJson(parts, tree.showing(open), view)).toBe(expectedJson(open, view));
          }
          expect(tree.weight).toBe(PageTree.of(all).weight);
          seen.states++;
          seen.hidden += all.length - open.length;
          seen.largest = Math.max(seen.largest, ids.length);
        }
      }),
      RUNS,
    );
  });
});

describe('a tree of 10,000 pages', () => {
  const SECTION = 100;
  let shown = 0;
  /** A page that counts how often it is made into JSON. */
  const counted = (item: Item): Item => ({
    ...item,
    get createdAt() {
      shown++;
      return NOON;
    },
  });
  const items = Array.from({ length: 10_000 }, (_, number) =>
    counted(pageOf(number * 8, number % SECTION === 0 ? ROOT : pageOf((number - (number % SECTION)) * 8, ROOT).id)),
  );
  const [view] = VIEWS;

  it('is built and made into parts in short slices, and a change makes the parts anew that hold it', async () => {
    const sizes: number[] = [];
    const slices = PageTree.slices(items);
    let next = slices.next();
    for (; !next.done; next = slices.next()) sizes.push(next.value);
    const tree = next.value;
    expect(sizes.length).toBeGreaterThanOrEqual(20);
    expect(Math.max(...sizes)).toBe(SLICE_ITEMS);
    if (!view) throw new Error('there is no view');

    const parts = new PageParts();
    shown = 0;
    const slicesOfParts: number[] = [];
    let before = 0;
    for (const work of parts.slices(tree.roots, view, [])) {
      slicesOfParts.push(Math.max(work, shown - before));
      before = shown;
    }
    expect(shown).toBe(10_000);
    expect(slicesOfParts.length).toBeGreaterThanOrEqual(10_000 / (SLICE_PAGES + PART_PAGES));
    expect(Math.max(...slicesOfParts)).toBeLessThan(SLICE_PAGES + PART_PAGES);

    shown = 0;
    await parts.inside({ pages: [] }, tree.roots, view);
    expect(shown).toBe(0);

    const page = counted({ ...pageOf(5_055 * 8, pageOf(5_000 * 8, ROOT).id), title: 'Changed' });
    const after = tree.with(new Map([[itemKey(page), page]]));
    shown = 0;
    const json = await parts.inside({ pages: [] }, after.roots, view);
    expect(shown).toBe(SECTION);
    expect(json.toString()).toContain('"title":"Changed"');
  });
});
