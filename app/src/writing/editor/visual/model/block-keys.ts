import type { Node } from 'prosemirror-model';
import { Plugin, type Transaction } from 'prosemirror-state';
import type { ContentBlock } from './content.js';
import { isFiller } from './block-frame.js';
import { type ChangedRange, changedRange } from './changed-range.js';
import { NEW_COLUMN } from './tables.js';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const LENGTH = 10;

function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(LENGTH)), (each) => LETTERS[each % LETTERS.length]).join('');
}

type Placed = Readonly<{ node: Node; position: number }>;

/**
 * Gives each new block a key, and each new row and column of a table an id. Where a block was divided or copied, the one that has most of what it had before keeps the
 * key, so that comments and translations stay with the text that they are about.
 */
export const blockKeys = new Plugin({
  appendTransaction: (transactions, before, { doc, tr }) => {
    if (!transactions.some(({ docChanged }) => docChanged)) return null;
    const range = changedRange(before.doc, doc);
    if (!range) return null;
    const earlier = keyedIn(before.doc, range.from, range.before);
    if (isWithin(doc, range, earlier)) return withKeys(tr, doc, range, earlier);
    // Blocks came from elsewhere: they may be copies of any other one.
    const whole = { from: 0, before: before.doc.content.size, now: doc.content.size };
    return withKeys(tr, doc, whole, keyedIn(before.doc, whole.from, whole.before));
  },
});

function keyedIn(doc: Node, from: number, to: number): ReadonlyMap<string, Node> {
  const keyed = new Map<string, Node>();
  doc.nodesBetween(from, to, (node) => void (isKeyed(node) && keyed.set(String(node.attrs['key']), node)));
  return keyed;
}

/** Tells whether all keys in a range were there before: then no block outside of it has one of them. */
function isWithin(doc: Node, { from, now }: ChangedRange, earlier: ReadonlyMap<string, Node>): boolean {
  let isKnown = true;
  doc.nodesBetween(from, now, (node) => {
    isKnown &&= !isKeyed(node) || earlier.has(String(node.attrs['key']));
    return isKnown;
  });
  return isKnown;
}

function withKeys(
  transaction: Transaction,
  doc: Node,
  { from, now }: ChangedRange,
  earlier: ReadonlyMap<string, Node>,
): Transaction | null {
  const byKey = new Map<string, Placed[]>();
  const without: Placed[] = [];
  const parts: [position: number, attribute: string, value: unknown][] = [];
  doc.nodesBetween(from, now, (node, position, _parent, index) => {
    if (node.type.name === 'table_row' && index > 0 && node.attrs['record'] === null)
      parts.push([position, 'record', newKey()]);
    if (node.type.name === 'table_header' && node.attrs['column'] === null)
      parts.push([position, 'column', { ...NEW_COLUMN, id: newKey() }]);
    // Somebody has written in it.
    if (node.attrs['isFiller'] === true && node.content.size > 0) parts.push([position, 'isFiller', false]);
    if (!('key' in node.attrs)) return;
    const placed = { node, position };
    if (isKeyed(node)) byKey.set(String(node.attrs['key']), [...(byKey.get(String(node.attrs['key'])) ?? []), placed]);
    else if (!isUnwritten(node)) without.push(placed);
  });
  for (const [key, all] of byKey) {
    if (all.length === 1) continue;
    const kept = heirOf(all, earlier.get(key));
    without.push(...all.filter((placed) => placed !== kept));
  }
  for (const { node, position } of without) {
    const block = node.attrs['block'] as object | undefined;
    if (block) transaction.setNodeAttribute(position, 'block', withoutKeys(block));
    transaction.setNodeAttribute(position, 'key', newKey());
  }
  for (const [position, attribute, value] of parts) transaction.setNodeAttribute(position, attribute, value);
  return transaction.docChanged ? transaction : null;
}

/** A copy of a block that is kept whole, whose inner blocks are others than those that it was copied from. */
function withoutKeys(block: object): object {
  return JSON.parse(JSON.stringify(block), function (this: Partial<ContentBlock>, name, value: unknown) {
    return name === 'key' && this.object === 'block' ? undefined : value;
  }) as object;
}

function isKeyed({ attrs }: Node): boolean {
  return typeof attrs['key'] === 'string';
}

/** A paragraph or caption that is there to be written in is no block yet. */
function isUnwritten(node: Node): boolean {
  return isFiller(node) || (node.type.name === 'caption' && node.content.size === 0);
}

/** The node that goes on as the one that had the key. */
function heirOf(all: readonly Placed[], earlier: Node | undefined): Placed | undefined {
  const same = all.find(({ node }) => earlier && node.eq(earlier));
  if (same) return same;
  const [first, ...others] = all.filter(({ node }) => !earlier || node.type === earlier.type);
  return others.reduce(
    (longest, each) => (longest && longest.node.content.size >= each.node.content.size ? longest : each),
    first ?? all[0],
  );
}
