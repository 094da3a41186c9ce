import { workerTask } from '../../kernel/platform/workers/worker-task.js';
import { document as documentOf } from '../../formats/document/build.js';
import { canonicalJson, contentJson } from '../../formats/document/hash.js';
import type { Block, Document } from '../../formats/document/types.js';
import { serializeMarkdown } from '../../formats/markdown/serialize.js';
import { keyed, toNewDocument } from './document-codec.js';
import { interpretDocument, saysNothing, sizeOfGiven, type InterpretOrder, type Refused } from './document-tasks.js';
import type { NewDocument } from './document-store.js';
import type { Side } from './domain/block-order.js';
import type { Conflict } from './domain/conflict.js';
import type { PageAttributes } from './domain/content-change.js';
import type { ItemKey } from './domain/content-item.js';
import { mergeDocument } from './domain/merge-document.js';
import { blocksOf, settlingBy } from './settled-blocks.js';

/* Merges of documents that were written on an earlier version of their page, as functions of texts that any thread can run. */

/** A given document, the version on which it was written, and the current one: JSON, undefined for an empty page. */
export interface BaseMergeOrder extends InterpretOrder {
  readonly item: ItemKey;
  readonly base: string | undefined;
  readonly current: string | undefined;
  /** How conflicts are settled, by their ids. */
  readonly resolutions?: ReadonlyMap<string, WriteResolution>;
}

/** A side that is kept, or the JSON of the document with other blocks. */
export type WriteResolution = { readonly keep: Side } | { readonly json: string };

/** Blocks that both sides changed, as Markdown with references in their written form; '' for a side without them. */
export interface MarkdownConflict {
  readonly id: string;
  readonly blocks: readonly string[];
  readonly base: string;
  readonly current: string;
  readonly given: string;
}

/** The merged document, null for an empty one; it is not to be stored while a conflict is open. */
export interface BaseMerge {
  readonly document: NewDocument | null;
  readonly attributes: PageAttributes;
  /** All conflicts, those that are settled among them. */
  readonly conflicts: readonly MarkdownConflict[];
}

/** Merges a given document into the current one by blocks. */
export function mergeOntoCurrent(order: BaseMergeOrder): BaseMerge | Refused {
  const { base, current, item, resolutions = new Map<string, WriteResolution>() } = order;
  const interpreted = interpretDocument(order);
  if ('fault' in interpreted) return interpreted;
  const before = base === undefined ? undefined : (JSON.parse(base) as Document);
  const given = interpreted.document && untouched(keyed(interpreted.document, before), before, order);
  const conflicts: MarkdownConflict[] = [];
  const settle = settlingBy(documentsOf(resolutions), ({ id }) => {
    const resolution = resolutions.get(id);
    return resolution && 'keep' in resolution ? resolution.keep : undefined;
  });
  const json = mergeDocument(
    item,
    { base, primary: current, changed: given ? canonicalJson(given) : undefined },
    (conflict) => {
      conflicts.push(inMarkdown(conflict));
      return settle(conflict);
    },
  );
  const merged = json === undefined ? undefined : (JSON.parse(json) as Document);
  const isSettled = conflicts.every(({ id }) => resolutions.has(id));
  return {
    document: merged && isSettled && !saysNothing(merged) ? toNewDocument(merged, json) : null,
    attributes: interpreted.attributes,
    conflicts,
  };
}

/** A document in JSON is about four times as long as its Markdown. */
const JSON_LENGTH = 4;

export const MERGE_ONTO_CURRENT = workerTask(import.meta.url, mergeOntoCurrent, {
  size: ({ given, base = '', current = '', resolutions }) => {
    const texts = [...(resolutions?.values() ?? [])].map((each) => ('json' in each ? each.json : ''));
    return sizeOfGiven(given) + [base, current, ...texts].reduce((sum, { length }) => sum + length, 0) / JSON_LENGTH;
  },
});

/** Lists of versions of places, each as JSON, as Markdown. */
export function versionsMarkdown(places: readonly string[]): string[][] {
  return places.map((json) => (JSON.parse(json) as Block[][]).map(blocksMarkdown));
}

export const BLOCKS_MARKDOWN = workerTask(import.meta.url, versionsMarkdown, {
  size: (places) => places.reduce((sum, { length }) => sum + length, 0) / JSON_LENGTH,
});

/**
 * Restores the blocks whose Markdown the writer left as it was: Markdown does not express everything that a block can
 * hold, and only what somebody changed may count as a change.
 */
function untouched(given: Document, before: Document | undefined, { given: source }: InterpretOrder): Document {
  if ('json' in source || !before) return given;
  const known = new Map(before.nodes.map((block) => [block.key, block]));
  const nodes = given.nodes.map((block) => {
    const was = known.get(block.key);
    if (!was || contentJson(was) === contentJson(block)) return was ?? block;
    return blocksMarkdown([was]) === blocksMarkdown([block]) ? was : block;
  });
  return { ...given, nodes };
}

function documentsOf(resolutions: ReadonlyMap<string, WriteResolution>): Map<string, Document> {
  const texts = [...resolutions].flatMap(([id, given]) => ('json' in given ? [[id, given.json] as const] : []));
  return new Map(texts.map(([id, json]) => [id, JSON.parse(json) as Document]));
}

function inMarkdown({ id, block, blocks, base, primary, changed }: Conflict): MarkdownConflict {
  const [before, current, given] = [base, primary, changed].map((side) => blocksMarkdown(blocksOf(side)));
  return { id, blocks: blocks ?? [block ?? ''], base: before ?? '', current: current ?? '', given: given ?? '' };
}

/** Blocks as Markdown, with references in their written form. */
export function blocksMarkdown(blocks: readonly Block[]): string {
  return blocks.length === 0 ? '' : serializeMarkdown(documentOf([...blocks]));
}
