import type { Blockquote, Code, Definition, Html, Image, Link, ListItem, Nodes, Parents, TableRow, Text } from 'mdast';

/*
 * The cases in which the native parser and the extended one are known to make different trees: mostly ends of blocks that
 * their list or quote cuts off, and bare addresses. A tree that has one of these is not used.
 */

/** A node of a tree, and where it stands. */
export interface PlacedNode<T extends Nodes = Nodes> {
  readonly node: T;
  readonly parent: Parents;
  readonly index: number;
  /** True in a list or quote. */
  readonly isNested: boolean;
  readonly source: string;
}

/** Parts of a source that the two parsers are not known to agree about. */
const UNSURE: readonly RegExp[] = [
  // Line ends and white space other than usual, and a blank end.
  /[\r\f\v\0\u0085\u2028\u2029\p{Surrogate}]|\n[ \t]+$/u,
  // Definitions of footnotes.
  /\[\^(?:[^[\]\n\\]|\\.)*\]:/,
  // Three tildes in text.
  /[^\s>~][ \t]*~{3}/,
  // Emphasis between text and a character outside of the basic plane.
  /[^\s*_~][*_~]+[\u{10000}-\u{10ffff}]|[\u{10000}-\u{10ffff}][*_~]+[^\s*_~]/u,
];
/** The beginning of a block that is an instruction. */
const INSTRUCTION = /^[ \t>]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+)*<\?/m;

/** True for a source that the two parsers are not known to agree about. */
export function isUnsureSource(source: string, hasTags: boolean): boolean {
  return UNSURE.some((part) => part.test(source)) || (hasTags && INSTRUCTION.test(source));
}

/** HTML that ends with an end of its own rather than with a blank line. */
const CLOSED_HTML = /^ {0,3}<(?:(?:script|pre|style|textarea)(?=[\s>])|!--|\?|![A-Za-z]|!\[CDATA\[)/i;
const TAG_BEHIND = /\n[ \t]*\{%/;
/** A tag that does not end on its line. */
const TAG_OF_LINES = /^[ \t]*\{%[ \t]*[a-zA-Z@]/m;
const BARE_ADDRESS = /www\.|https?:\/\/|[\w.+-]@\w/i;
const PLAIN_ADDRESS = /^(?:https?:\/\/|www\.|(?=[\w.+-]+@))[\w./?=%#+@-]+(?::\d+[\w./?=%#+@-]*)?$/i;
const FENCE = /^(?:`{3,}|~{3,}|\${2,})/;

const DIFFERENCES: { readonly [T in Nodes['type']]?: (placed: PlacedNode<Extract<Nodes, { type: T }>>) => boolean } = {
  text: isOddText,
  link: isOddAddress,
  html: isOddHtml,
  code: (placed) => isCutOff(placed) || hasOddInfo(placed),
  math: isCutOff,
  blockquote: ({ node, parent }: PlacedNode<Blockquote>) => parent.type === 'blockquote' || node.children.length === 0,
  listItem: isOddTask,
  image: ({ node }: PlacedNode<Image>) => node.alt?.includes('\\') === true,
  tableRow: (placed: PlacedNode<TableRow>) => /^\s*[<[]/.test(written(placed)),
  definition: isOddDefinition,
  paragraph: hasAddressInBracket,
  heading: hasAddressInBracket,
  tableCell: hasAddressInBracket,
  inlineCode: (placed) => TAG_OF_LINES.test(written(placed)),
};

/** True for a node of the native parser that the extended one may make differently. */
export function isUnsureNode(placed: PlacedNode): boolean {
  const test = DIFFERENCES[placed.node.type] as ((placed: PlacedNode) => boolean) | undefined;
  return test?.(placed) ?? false;
}

function written({ node: { position }, source }: PlacedNode): string {
  return source.slice(position?.start.offset, position?.end.offset);
}

/** An address that is no link, or a tag that extends over lines. */
function isOddText({ node, parent, source }: PlacedNode<Text>): boolean {
  const isFirst = indentOf(node, source) !== undefined;
  return (
    TAG_OF_LINES.test(isFirst ? node.value : `.${node.value}`) ||
    (parent.type !== 'link' && BARE_ADDRESS.test(node.value))
  );
}

/** The indentation and the quote marks before a node on its line, undefined if text stands there. */
function indentOf({ position }: Nodes, source: string): string | undefined {
  const { offset = 0, column = 1 } = position?.start ?? {};
  return /^[ \t>]*$/.exec(source.slice(offset - column + 1, offset))?.[0];
}

/** A bare address that is not plain, or behind something other than a space. */
function isOddAddress(placed: PlacedNode<Link>): boolean {
  const { offset = 0, column = 1 } = placed.node.position?.start ?? {};
  const text = written(placed);
  if (text.startsWith('[') || text.startsWith('<')) return false;
  const before = placed.source.slice(Math.max(0, offset - Math.min(2, column)), offset);
  return !PLAIN_ADDRESS.test(text) || !/(?:\S[ \t]|[\n(*~]|^)$/.test(before);
}

/** Bare addresses beside a bracket that is not closed. */
function hasAddressInBracket(placed: PlacedNode): boolean {
  const text = written(placed);
  return text.includes('[') && BARE_ADDRESS.test(text) && text.replace(/\[[^[\]]*\]/g, '').includes('[');
}

function isOddHtml(placed: PlacedNode<Html>): boolean {
  const { node, parent, isNested, source } = placed;
  const indent = indentOf(node, source);
  if (!isFlow(parent)) return isNested && indent !== undefined;
  if (!CLOSED_HTML.test(node.value) && TAG_BEHIND.test(node.value)) return true;
  if (!isNested) return false;
  const isLazy = parent.type === 'blockquote' && indent?.includes('>') === false;
  const isOutside = (parent.children[0]?.position?.start.column ?? 0) > (node.position?.start.column ?? 1);
  const hasBlankEnd = /\n[ \t]*$/.test(written(placed));
  return CLOSED_HTML.test(node.value) || isLazy || isOutside || hasBlankEnd;
}

/** A definition before a line that belongs to it no more, or before an empty list item. */
function isOddDefinition({ node, parent, index, ...placed }: PlacedNode<Definition>): boolean {
  const next = parent.children[index + 1];
  if (next === undefined || next.type === 'definition') return false;
  if (next.position?.start.line === (node.position?.end.line ?? 0) + 1) return true;
  return /^(?:[-+*]|\d{1,9}[.)])\s*$/m.test(written({ node: next, parent, index, ...placed }));
}

/** A fence that ends with its list or quote. */
function isCutOff(placed: PlacedNode): boolean {
  const text = written(placed);
  const fence = FENCE.exec(text)?.[0] ?? '';
  return placed.isNested && fence !== '' && (text.length === fence.length || !text.endsWith(fence));
}

/** A line of a fence with white space that only one of the parsers removes. */
function hasOddInfo(placed: PlacedNode<Code>): boolean {
  const [first = ''] = written(placed).split('\n', 1);
  return FENCE.test(first) && /[\u00a0&\\]/.test(first);
}

/** Something like a box that has no text on its line, or no usual place. */
function isOddTask(placed: PlacedNode<ListItem>): boolean {
  const [line = ''] = written(placed).split('\n', 1);
  const isTask = /^(?:[-+*]|\d{1,9}[.)]) {1,4}\[[ xX]\][ \t]+\S/.test(line);
  return isTask !== (typeof placed.node.checked === 'boolean') || (!isTask && /^\S+\s*\[[ xX]\]\s/.test(line));
}

export function isFlow({ type }: Parents): boolean {
  return type === 'root' || type === 'blockquote' || type === 'listItem' || type === 'footnoteDefinition';
}
