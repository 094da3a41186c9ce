import { toggleMark } from 'prosemirror-commands';
import { closeHistory } from 'prosemirror-history';
import { Fragment, type Mark, type Node, type ResolvedPos, Slice } from 'prosemirror-model';
import {
  type Command,
  type EditorState,
  NodeSelection,
  Selection,
  TextSelection,
  type Transaction,
} from 'prosemirror-state';
import { deleteRow, isInTable, selectedRect } from 'prosemirror-tables';
import { wholeText } from './clipboard-html.js';
import type { ContentInline } from './model/content.js';
import { markNamed, typeNamed } from './model/schema.js';

export const toggle = (mark: string): Command => toggleMark(markNamed(mark));

/** Tells whether a mark is on the selection, or on the letters that are typed next. */
export function hasMark({ selection, storedMarks, doc }: EditorState, mark: string): boolean {
  const type = markNamed(mark);
  const { from, to, empty, $from } = selection;
  return empty ? type.isInSet(storedMarks ?? $from.marks()) !== undefined : doc.rangeHasMark(from, to, type);
}

/** The depth of the closest block around a position that fulfils a condition; 0 if there is none. */
function depthOf($position: ResolvedPos, fits: (node: Node, depth: number) => boolean): number {
  for (let depth = $position.depth; depth > 0; depth -= 1) if (fits($position.node(depth), depth)) return depth;
  return 0;
}

/** The closest node of some types around the selection, and where it begins. */
export function around({ selection: { $from } }: EditorState, ...names: readonly string[]) {
  const depth = depthOf($from, ({ type }) => names.includes(type.name));
  return depth === 0 ? undefined : { node: $from.node(depth), position: $from.before(depth), depth };
}

/** The first row has the titles of the columns: it goes with the table only. */
export const deleteRowBelowTitles: Command = (state, dispatch) =>
  isInTable(state) && selectedRect(state).top > 0 && deleteRow(state, dispatch);

const MOVED: ReadonlySet<string> = new Set(['list_item', 'tabs_item', 'stepper_step', 'column', 'update', 'image']);

/** The name of the fact that a transaction has moved a block, and to which place among how many. */
export const MOVED_TO = 'moved-to';
export type Moved = Readonly<{ place: number; count: number }>;

/** Moves the block with the selection past its neighbour; the first block around it that has one. */
export function moveBlock(direction: -1 | 1): Command {
  return ({ selection, tr }, dispatch) => {
    const { $from } = selection;
    const ends = selection instanceof NodeSelection ? $from.depth : $from.depth - 1;
    for (let depth = ends; depth >= 0; depth -= 1) {
      const parent = $from.node(depth);
      const index = $from.index(depth);
      const [node, neighbour] = [parent.maybeChild(index), parent.maybeChild(index + direction)];
      const isBlock = node?.type.spec.group === 'block' || MOVED.has(node?.type.name ?? '');
      if (!node || !neighbour || !isBlock) continue;
      const moved: Moved = { place: index + direction + 1, count: parent.childCount };
      const at = $from.posAtIndex(index, depth);
      dispatch?.(swapped(tr, selection, at, node, neighbour, direction).setMeta(MOVED_TO, moved).scrollIntoView());
      return true;
    }
    return false;
  };
}

function swapped(
  transaction: Transaction,
  selection: Selection,
  at: number,
  node: Node,
  neighbour: Node,
  direction: -1 | 1,
): Transaction {
  const by = direction * neighbour.nodeSize;
  transaction.delete(at, at + node.nodeSize).insert(at + by, node);
  // A selection may end in another block, which stays.
  const move = (position: number): ResolvedPos =>
    transaction.doc.resolve(Math.max(at, Math.min(position, at + node.nodeSize)) + by);
  return transaction.setSelection(
    selection instanceof NodeSelection
      ? NodeSelection.create(transaction.doc, selection.from + by)
      : TextSelection.between(move(selection.anchor), move(selection.head)),
  );
}

/** Puts a copy behind the block at a position. */
export function duplicate(position: number): Command {
  return ({ doc, tr }, dispatch) => {
    const node = doc.nodeAt(position);
    if (!node) return false;
    dispatch?.(tr.insert(position + node.nodeSize, node));
    return true;
  };
}

export function removeBlock(position: number): Command {
  return ({ doc, tr }, dispatch) => {
    const node = doc.nodeAt(position);
    if (!node) return false;
    if (doc.childCount === 1) tr.replaceWith(position, position + node.nodeSize, typeNamed('paragraph').create());
    else tr.delete(position, position + node.nodeSize);
    dispatch?.(tr.scrollIntoView());
    return true;
  };
}

/** Puts blocks in place of a range, or of the empty paragraph around it, and the cursor into them. */
export function putBlocks(transaction: Transaction, from: number, to: number, blocks: Fragment): Transaction {
  transaction.delete(from, to);
  const $place = transaction.doc.resolve(transaction.mapping.map(from));
  const line = lineFor($place, blocks);
  if (line) return transaction.insert($place.pos, line).scrollIntoView();
  const [start, end] = placeFor($place, blocks);
  transaction.replaceWith(start, end, blocks);
  const near = Selection.findFrom(transaction.doc.resolve(start), 1);
  if (near) transaction.setSelection(near);
  return transaction.scrollIntoView();
}

/**
 * Puts blocks that are pasted in place of a range, and the cursor behind them unless it has left the range. With
 * `goesOn` the words behind the range go on behind the blocks, else the blocks come behind these words.
 */
export function putPasted(
  current: Transaction,
  [from, to]: readonly [from: number, to: number],
  blocks: Fragment,
  goesOn: boolean,
): Transaction {
  // Undo takes back what is pasted alone, even right after a key.
  const transaction = closeHistory(current);
  const { selection } = transaction;
  const isHere = selection.from <= to && selection.to >= from;
  transaction.delete(from, to);
  const $place = transaction.doc.resolve(transaction.mapping.map(from));
  const [start, end, slice] = pastedFor($place, blocks, goesOn);
  const { size } = transaction.doc.content;
  transaction.replace(start, end, slice);
  if (!isHere) return transaction;
  const behind = end + transaction.doc.content.size - size;
  const near = cursorBehind(transaction, start, behind);
  return (near ? transaction.setSelection(near) : transaction).scrollIntoView();
}

/** The last place for a cursor in a range, or else the first one behind it: letters that are typed there replace nothing. */
function cursorBehind({ doc }: Transaction, start: number, end: number): Selection | null {
  const last = Selection.findFrom(doc.resolve(end), -1, true);
  return last && last.from >= start ? last : (Selection.findFrom(doc.resolve(end), 1, true) ?? last);
}

/** The range that pasted blocks take the place of, and their slice. */
function pastedFor($place: ResolvedPos, blocks: Fragment, goesOn: boolean): readonly [number, number, Slice] {
  const { pos, parent, parentOffset } = $place;
  const line = lineFor($place, blocks);
  if (line) return [pos, pos, new Slice(line, 0, 0)];
  const isAmong =
    goesOn &&
    parent.isTextblock &&
    parentOffset < parent.content.size &&
    $place.node(-1).canReplace($place.index(-1), $place.index(-1), blocks);
  if (!isAmong) return [...placeFor($place, blocks), new Slice(blocks, 0, 0)];
  if (parentOffset === 0) return [$place.before(), $place.before(), new Slice(blocks, 0, 0)];
  const open = (node: Node | null): number => (node?.type.name === 'paragraph' ? 1 : 0);
  return [pos, pos, new Slice(blocks, open(blocks.firstChild), open(blocks.lastChild))];
}

/** The content of a single paragraph, where it goes into the line at a place. */
function lineFor({ parent }: ResolvedPos, { childCount, firstChild }: Fragment): Fragment | undefined {
  const isWithin = parent.isTextblock && (parent.content.size > 0 || parent.type.name !== 'paragraph');
  return isWithin && childCount === 1 && firstChild?.type.name === 'paragraph' ? firstChild.content : undefined;
}

/** The range that blocks take the place of: an empty paragraph, or the next place behind a position that takes them. */
function placeFor($position: ResolvedPos, blocks: Fragment): readonly [number, number] {
  const { parent } = $position;
  for (let depth = $position.depth; depth > 0; depth -= 1) {
    const [around, index] = [$position.node(depth - 1), $position.index(depth - 1)];
    const isEmpty = depth === $position.depth && parent.type.name === 'paragraph' && parent.content.size === 0;
    if (isEmpty && around.canReplace(index, index + 1, blocks)) return [$position.before(), $position.after()];
    if (around.canReplace(index + 1, index + 1, blocks)) return [$position.after(depth), $position.after(depth)];
  }
  return [$position.pos, $position.pos];
}

/** Puts an inline without text of its own in place of a range. */
export function putInline(transaction: Transaction, from: number, to: number, inline: ContentInline): Transaction {
  return transaction.replaceWith(from, to, typeNamed('inline_atom').create({ inline }));
}

/** Makes a range a link, or its text where it is empty; without a target it is no link any more. */
export function setLink(from: number, to: number, data: object | undefined, text = ''): Command {
  return ({ tr }, dispatch) => {
    const type = markNamed('link');
    const end = from === to ? from + text.length : to;
    if (from === to && text !== '') tr.insertText(text, from);
    if (from === end) return false;
    tr.removeMark(from, end, type);
    if (data) tr.addMark(from, end, type.create({ data }));
    dispatch?.(tr.removeStoredMark(type));
    return true;
  };
}

type LinkRange = Readonly<{ from: number; to: number; mark?: Mark }>;

/** The link around the selection, with its range; else the range that is selected. */
export function linkAt({ selection: { $from, from, to } }: EditorState): LinkRange {
  const type = markNamed('link');
  const { parent, parentOffset } = $from;
  const start = parent.childAfter(parentOffset).node
    ? parent.childAfter(parentOffset)
    : parent.childBefore(parentOffset);
  const mark = start.node && type.isInSet(start.node.marks);
  if (!mark) return { from, to };
  let [first, last] = [start.index, start.index];
  while (first > 0 && mark.isInSet(parent.child(first - 1).marks)) first -= 1;
  while (last + 1 < parent.childCount && mark.isInSet(parent.child(last + 1).marks)) last += 1;
  return { mark, from: $from.posAtIndex(first), to: $from.posAtIndex(last + 1) };
}

/** The text of nodes as people paste it elsewhere: blocks apart, lines of code and items below each other. */
export function plainTextOf(content: Fragment): string {
  const parts: string[] = [];
  content.forEach((node) => {
    if (node.isTextblock || node.isInline) {
      parts.push(node.isText ? (node.text ?? '') : node.isLeaf ? leafText(node) : lineText(node));
    } else parts.push(node.isLeaf ? wholeText(node) : plainTextOf(node.content));
  });
  const [first] = content.content;
  const isTight = ['code_line', 'list_item', 'table_row'].includes(first?.type.name ?? '');
  const between = first?.isInline ? '' : isTight ? '\n' : first?.type.name.startsWith('table_') ? '\t' : '\n\n';
  return parts.join(between);
}

function leafText(node: Node): string {
  return node.type.spec.leafText?.(node) ?? '';
}

function lineText(node: Node): string {
  return node.textBetween(0, node.content.size, '', leafText);
}
