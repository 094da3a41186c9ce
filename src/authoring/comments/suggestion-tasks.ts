import { workerTask } from '../../kernel/platform/workers/worker-task.js';
import { document as documentOf } from '../../formats/document/build.js';
import { contentJson, withoutKeys } from '../../formats/document/hash.js';
import type { Block, Document } from '../../formats/document/types.js';
import { validateDocument } from '../../formats/document/validate.js';
import { keyed } from '../content/document-codec.js';
import type { Refused } from '../content/document-tasks.js';
import { blockWithKey, withBlockReplaced } from './domain/block-place.js';

/* Suggestions compared with and put into pages, as functions of texts that any thread can run. */

/** A page as JSON, the key of one of its blocks, and the document that is suggested in its place. */
export interface SuggestionOrder {
  readonly json: string;
  readonly node: string;
  readonly suggested: Document;
}

/** The blocks that are suggested, and the one that they would replace. */
export interface PreparedSuggestion {
  readonly blocks: readonly Block[];
  readonly before: readonly Block[];
}

/** A page as JSON, and suggestions for its blocks. */
export interface StandingOrder {
  readonly json: string;
  readonly suggestions: readonly { readonly node: string; readonly before: readonly Block[] }[];
}

export interface ApplyOrder extends PreparedSuggestion {
  readonly json: string;
  readonly node: string;
}

/** Compares a suggestion with its page; or tells why it cannot stand there. */
export function prepareSuggestion({ json, node, suggested }: SuggestionOrder): PreparedSuggestion | Refused {
  const page = JSON.parse(json) as Document;
  const block = blockWithKey(page, node);
  if (!block) return { fault: { path: 'node', message: 'is not a block of the page' } };
  if (block.type !== 'list-item' && validateDocument(documentOf([withoutKeys(block)])).length > 0)
    return { fault: { path: 'node', message: 'is a part of a block that can only be replaced as a whole' } };
  const blocks = withoutKeys(block.type === 'list-item' ? itemsOf(suggested.nodes) : suggested.nodes);
  const [fault] = validateDocument(withBlockReplaced(page, node, blocks));
  if (fault)
    return {
      fault: { path: 'suggestion.markdown', message: `cannot stand in the place of this block: ${fault.message}` },
    };
  return { blocks, before: [block] };
}

/** Tells of each suggestion whether its block is still what it was. */
export function standingSuggestions({ json, suggestions }: StandingOrder): boolean[] {
  const page = JSON.parse(json) as Document;
  return suggestions.map(({ node, before }) => isStanding(page, node, before));
}

/** The page with the suggestion in it; undefined if the block has changed since. */
export function applySuggestion({ json, node, blocks, before }: ApplyOrder): Document | undefined {
  const page = JSON.parse(json) as Document;
  if (!isStanding(page, node, before)) return undefined;
  const [first, ...others] = keyed(documentOf([...blocks]), documentOf([...before])).nodes;
  // The place goes on as one of the new blocks, with its comments.
  const hasKey = [first, ...others].some((block) => block?.key === node);
  const made = first ? [hasKey ? first : { ...first, key: node }, ...others] : [];
  return withBlockReplaced(page, node, made);
}

function isStanding(page: Document, node: string, before: readonly Block[]): boolean {
  const now = blockWithKey(page, node);
  return now !== undefined && contentJson([now]) === contentJson(before);
}

/** Items of a list are suggested as a list. */
function itemsOf(blocks: readonly Block[]): Block[] {
  return blocks.flatMap((block) =>
    block.type.startsWith('list-') && block.type !== 'list-item' ? ((block.nodes ?? []) as Block[]) : [block],
  );
}

/** Blocks that Markdown can say: items of a list need one around them. */
export function asWhole(blocks: readonly Block[]): Block[] {
  if (!blocks.some(({ type }) => type === 'list-item')) return [...blocks];
  const type = blocks.some(({ data }) => 'checked' in data) ? 'list-tasks' : 'list-unordered';
  return [{ object: 'block', type, isVoid: false, data: {}, nodes: [...blocks] }];
}

/** A document in JSON is about four times as long as its Markdown. */
const JSON_LENGTH = 4;

export const PREPARE_SUGGESTION = workerTask(import.meta.url, prepareSuggestion, {
  size: ({ json }) => json.length / JSON_LENGTH,
});
export const STANDING_SUGGESTIONS = workerTask(import.meta.url, standingSuggestions, {
  size: ({ json }) => json.length / JSON_LENGTH,
});
export const APPLY_SUGGESTION = workerTask(import.meta.url, applySuggestion, {
  size: ({ json }) => json.length / JSON_LENGTH,
});
