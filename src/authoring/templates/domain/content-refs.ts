import { isObject } from '../../../formats/document/checks.js';
import type { ContentRef, Document } from '../../../formats/document/types.js';
import { sameValue } from '../../content/domain/content-item.js';

const PLACEHOLDER = /^content-ref:([A-Za-z][A-Za-z0-9]*)$/;

/** The values for the placeholders of a template, by name. */
export type GivenRefs = Readonly<Record<string, ContentRef>>;

/** The name of a placeholder, which templates contain as a link to `content-ref:<name>`. */
export function placeholderName(ref: unknown): string | undefined {
  return isObject(ref) && ref.kind === 'url' && typeof ref.url === 'string'
    ? PLACEHOLDER.exec(ref.url)?.[1]
    : undefined;
}

/**
 * Replaces the placeholders of a document by references. Without a value, a link keeps its text only, a button its
 * label; a block that is only a reference is removed, and so is the value of a table.
 */
export function fillReferences(document: Document, given: GivenRefs): Document {
  return fill(document, given) as Document;
}

/** Replaces placeholders in a value; a list of replacements if a reference is missing. */
function fill(value: unknown, given: GivenRefs): unknown {
  if (Array.isArray(value)) return joinTexts(value.flatMap((each: unknown) => fill(each, given)));
  if (!isObject(value)) return value;
  const data = isObject(value.data) ? value.data : {};
  const name = placeholderName(data.ref);
  if (name !== undefined && !Object.hasOwn(given, name)) return fill(wordsOf(value, data), given);
  return Object.fromEntries(Object.entries(value).flatMap(([key, each]) => entry(key, each, given)));
}

function entry(key: string, value: unknown, given: GivenRefs): [string, unknown][] {
  const name = placeholderName(value);
  if (name === undefined) return [[key, fill(value, given)]];
  return Object.hasOwn(given, name) ? [[key, given[name]]] : [];
}

/** The text of a node without its reference. */
function wordsOf(node: Record<string, unknown>, data: Record<string, unknown>): unknown[] {
  if (Array.isArray(node.nodes)) return node.nodes;
  const words = data.label ?? data.text;
  return typeof words === 'string' ? [{ object: 'text', leaves: [{ object: 'leaf', text: words, marks: [] }] }] : [];
}

/** Adjacent texts are joined, and so are leaves with the same marks, as if there had been no link. */
function joinTexts(nodes: readonly unknown[]): unknown[] {
  const joined: unknown[] = [];
  for (const node of nodes) {
    const last = joined.at(-1);
    if (isObject(node) && isObject(last) && node.object === 'text' && last.object === 'text')
      joined.splice(-1, 1, { ...last, leaves: joinLeaves([...listOf(last.leaves), ...listOf(node.leaves)]) });
    else joined.push(node);
  }
  return joined;
}

function joinLeaves(leaves: readonly unknown[]): unknown[] {
  const joined: unknown[] = [];
  for (const leaf of leaves) {
    const last = joined.at(-1);
    if (isObject(leaf) && isObject(last) && sameValue(leaf.marks, last.marks))
      joined.splice(-1, 1, { ...last, text: `${String(last.text)}${String(leaf.text)}` });
    else joined.push(leaf);
  }
  return joined;
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
