import fc from 'fast-check';
import { keyBetween } from '../../src/kernel/common/order-key.js';
import { canonicalJson, contentJson, hashText } from '../../src/formats/document/hash.js';
import type { BlockComparison } from '../../src/authoring/content/domain/block-merge.js';
import {
  compareSiblings,
  itemKey,
  sameValue,
  type Item,
  type ItemKey,
} from '../../src/authoring/content/domain/content-item.js';
import type { MergeBlock, Side } from '../../src/authoring/content/domain/block-order.js';
import { writeConflict, type WrittenConflict } from '../../src/authoring/content/domain/conflict.js';
import {
  documentsToMerge,
  mergeContent,
  type MergedDocument,
  type MergeOutcome,
} from '../../src/authoring/content/domain/merge.js';
import { withField } from '../../src/authoring/content/domain/merge-fields.js';
import { mergeDocument } from '../../src/authoring/content/domain/merge-document.js';
import type { MergeSides } from '../../src/authoring/content/domain/merge-structure.js';

/** How often a property is tried: `ROUNDS`, or few enough for every run. */
export const rounds = (usual: number): number => Number(process.env['ROUNDS'] ?? usual);

/** The seed of this run: `SEED`, or a new one, which the properties print. */
export const seed = Number(process.env['SEED'] ?? Date.now() % 2_147_483_647);

export type Tree = ReadonlyMap<ItemKey, Item>;

/** A decoded block with a key. */
export interface PlainBlock extends MergeBlock {
  readonly [property: string]: unknown;
}

/** Compares decoded blocks. */
export const VALUES: BlockComparison<PlainBlock> = {
  same: sameValue,
  content: (block) => contentJson({ ...block, key: '' }),
};

const NOON = new Date('2026-01-01T12:00:00.000Z');

/** One edit of a list of blocks; places are taken modulo what is there. */
export type BlockEdit =
  | { readonly kind: 'insert'; readonly at: number; readonly text: number }
  | { readonly kind: 'edit'; readonly at: number; readonly text: number }
  | { readonly kind: 'delete'; readonly at: number }
  | { readonly kind: 'move'; readonly at: number; readonly to: number };

const place = fc.nat(5);
const text = fc.nat(6);

export const blockEdits: fc.Arbitrary<BlockEdit[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('insert' as const), at: place, text }) },
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('edit' as const), at: place, text }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), at: place }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('move' as const), at: place, to: place }) },
  ),
  { minLength: 1, maxLength: 6 },
);

export const baseBlocks: fc.Arbitrary<PlainBlock[]> = fc
  .array(text, { maxLength: 5 })
  .map((texts) => texts.map((value, at) => ({ key: `b${at}`, text: value })));

/** A list of blocks after some edits; new blocks get keys that begin with `name`. */
export function editBlocks(blocks: readonly PlainBlock[], edits: readonly BlockEdit[], name: string): PlainBlock[] {
  const result = [...blocks];
  edits.forEach((edit, number) => {
    const at = edit.kind === 'insert' ? edit.at % (result.length + 1) : edit.at % Math.max(1, result.length);
    const block = result[at];
    if (edit.kind === 'insert') result.splice(at, 0, { key: `${name}${number}`, text: edit.text });
    else if (block && edit.kind === 'edit') result[at] = { ...block, text: edit.text };
    else if (block && edit.kind === 'delete') result.splice(at, 1);
    else if (block && edit.kind === 'move') {
      result.splice(at, 1);
      result.splice(edit.to % (result.length + 1), 0, block);
    }
  });
  return result;
}

/** One edit of a tree of pages; pages are named by a number modulo what is there. */
export type PageEdit =
  | { readonly kind: 'insert'; readonly under: number; readonly at: number; readonly title: number }
  | { readonly kind: 'rename'; readonly page: number; readonly title: number }
  | { readonly kind: 'describe'; readonly page: number; readonly text: number }
  | { readonly kind: 'tag'; readonly page: number; readonly tag: number }
  | { readonly kind: 'write'; readonly page: number; readonly edits: readonly BlockEdit[] }
  | { readonly kind: 'move'; readonly page: number; readonly under: number; readonly at: number }
  | { readonly kind: 'delete'; readonly page: number };

export const pageEdits: fc.Arbitrary<PageEdit[]> = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('insert' as const), under: place, at: place, title: text }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('rename' as const), page: place, title: text }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('describe' as const), page: place, text }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('tag' as const), page: place, tag: fc.nat(3) }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('write' as const), page: place, edits: blockEdits }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('move' as const), page: place, under: place, at: place }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), page: place }) },
  ),
  { minLength: 1, maxLength: 6 },
);

/** The canonical JSON of documents by hash, shared by all trees of a case. */
export type Documents = Map<string, string>;

/** A merge of content and its documents; those that it makes are added to the given ones. */
export function mergedContent(sides: MergeSides, documents: Documents, otherwise?: Side): MergeOutcome {
  const versionOf = (hash: string | null) => (hash === null ? undefined : documents.get(hash));
  const merged = documentsToMerge(sides).map(({ item, base, primary, changed }): [ItemKey, MergedDocument] => {
    const conflicts: WrittenConflict[] = [];
    const document = mergeDocument(
      item,
      { base: versionOf(base), primary: versionOf(primary), changed: versionOf(changed) },
      (conflict) => {
        if (otherwise === undefined) conflicts.push(writeConflict(conflict));
        return otherwise;
      },
    );
    const hash = document === undefined ? null : hashText(document);
    if (document !== undefined && hash !== null) documents.set(hash, document);
    return [item, { hash, conflicts }];
  });
  return mergeContent({
    ...sides,
    documents: new Map(merged),
    keyBetween,
    ...(otherwise && { resolutions: { byConflict: new Map(), otherwise } }),
  });
}

function keep(documents: Documents, nodes: readonly PlainBlock[]): string | null {
  if (nodes.length === 0) return null;
  const document = canonicalJson({ object: 'document', data: {}, nodes });
  const hash = hashText(document);
  documents.set(hash, document);
  return hash;
}

/** The blocks of a document; none without one. */
export function blocksIn(document: string | undefined): PlainBlock[] {
  return document === undefined ? [] : (JSON.parse(document) as { nodes: PlainBlock[] }).nodes;
}

export function pagesOf(tree: Tree): Item[] {
  return [...tree.values()].filter((item) => item.kind === 'page').sort(compareSiblings);
}

export function childrenOf(tree: Tree, parent: string): Item[] {
  return pagesOf(tree).filter((page) => page.parentId === parent);
}

function isWithin(tree: Tree, id: string, page: string): boolean {
  for (let at: string | undefined = id; at !== undefined && at !== ''; at = tree.get(`page:${at}`)?.parentId)
    if (at === page) return true;
  return false;
}

function positionAt(tree: Tree, parent: string, id: string, at: number): string {
  const siblings = childrenOf(tree, parent).filter((page) => page.id !== id);
  const index = at % (siblings.length + 1);
  return keyBetween(siblings[index - 1]?.position, siblings[index]?.position);
}

function freeSlug(tree: Tree, parent: string, id: string, wanted: string): string {
  const taken = new Set(childrenOf(tree, parent).flatMap((page) => (page.id === id ? [] : [page.slug])));
  let slug = wanted;
  for (let suffix = 1; taken.has(slug); suffix++) slug = `${wanted}-${suffix}`;
  return slug;
}

/** The slugs of the tags of a page. */
export function tagsOf({ props }: Item): readonly string[] {
  return (props['tags'] ?? []) as readonly string[];
}

/** A tree after some edits; new pages and blocks get ids that begin with `name`. */
export function editTree(tree: Tree, edits: readonly PageEdit[], name: string, documents: Documents): Tree {
  const result = new Map(tree);
  edits.forEach((edit, number) => {
    const ids = pagesOf(result)
      .map((page) => page.id)
      .sort();
    const parents = ['', ...ids];
    const pick = (at: number) => result.get(`page:${ids[at % Math.max(1, ids.length)] ?? ''}`);
    const put = (page: Item) => result.set(itemKey(page), page);
    if (edit.kind === 'insert') {
      const parentId = parents[edit.under % parents.length] ?? '';
      const id = `${name}${number}`;
      const title = `T${edit.title}`;
      const base = {
        kind: 'page' as const,
        id,
        parentId,
        type: 'document',
        title,
        props: {},
        createdAt: NOON,
        updatedAt: NOON,
      };
      put({
        ...base,
        position: positionAt(result, parentId, id, edit.at),
        slug: freeSlug(result, parentId, id, title.toLowerCase()),
        hash: keep(documents, [{ key: `${id}k`, text: edit.title }]),
      });
      return;
    }
    const page = pick(edit.page);
    if (!page) return;
    if (edit.kind === 'rename')
      put({
        ...page,
        title: `T${edit.title}`,
        slug: page.title === `T${edit.title}` ? page.slug : freeSlug(result, page.parentId, page.id, `t${edit.title}`),
      });
    else if (edit.kind === 'describe') put({ ...page, props: { ...page.props, description: `d${edit.text}` } });
    else if (edit.kind === 'tag')
      put(withField(page, `tags.t${edit.tag}`, tagsOf(page).includes(`t${edit.tag}`) ? undefined : true));
    else if (edit.kind === 'write')
      put({
        ...page,
        hash: keep(documents, editBlocks(blocksIn(documents.get(page.hash ?? '')), edit.edits, `${name}${number}-`)),
      });
    else if (edit.kind === 'delete')
      for (const each of pagesOf(result).filter(({ id }) => isWithin(result, id, page.id)))
        result.delete(itemKey(each));
    if (edit.kind !== 'move') return;
    const parentId = parents[edit.under % parents.length] ?? '';
    if (isWithin(result, parentId, page.id)) return;
    put({
      ...page,
      parentId,
      position: positionAt(result, parentId, page.id, edit.at),
      slug: freeSlug(result, parentId, page.id, page.slug ?? ''),
    });
  });
  return result;
}

/** What differs between two trees, as a change request keeps it. */
export function differenceOf(
  base: Tree,
  changed: Tree,
  same: (a: Item, b: Item) => boolean,
): Map<ItemKey, Item | null> {
  const difference = new Map<ItemKey, Item | null>();
  for (const [key, item] of changed) {
    const before = base.get(key);
    if (!before || !same(before, item)) difference.set(key, item);
  }
  for (const key of base.keys()) if (!changed.has(key)) difference.set(key, null);
  return difference;
}

export function applied(tree: Tree, items: ReadonlyMap<ItemKey, Item | null>): Map<ItemKey, Item> {
  const result = new Map(tree);
  for (const [key, item] of items) {
    if (item) result.set(key, item);
    else result.delete(key);
  }
  return result;
}
