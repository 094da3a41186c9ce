import type { Block, Document } from '../types.js';
import { diffDocuments } from './block-diff.js';
import { sameContent } from './block-content.js';
import { withContext, type Skipped } from './diff-context.js';
import type { BlockDiff, CellDiff, ColumnDiff, FrameChange, RowDiff, TableDiff } from './diff-types.js';
import type { DiffRun } from './line-diff.js';

/** A block of a comparison, as the interface shows it. */
export interface ShownBlock {
  readonly change: BlockDiff['change'];
  readonly moved?: true;
  readonly key: string;
  readonly type: string;
  /** The name of the part of its parent that the block is in, such as a caption. */
  readonly fragment?: string;
  /** The earlier block; without its content where `runs`, `blocks` or `rows` have it. */
  readonly before?: object;
  /** The later block, likewise. */
  readonly after?: object;
  /** The properties that differ where the content is compared. */
  readonly attributes?: readonly FrameChange[];
  readonly runs?: readonly DiffRun[];
  readonly blocks?: readonly DiffEntry[];
  readonly columns?: readonly object[];
  readonly rows?: readonly (object | Skipped)[];
}

export type DiffEntry = ShownBlock | Skipped;

/** The differences of two versions of a document, and those of what it has besides its blocks. */
export interface ShownDiff {
  readonly blocks: readonly DiffEntry[];
  readonly data: readonly FrameChange[];
}

/** Compares documents; of unchanged blocks and rows, `context` are shown on both sides of a change. */
export function shownDiff(before: Document | undefined, after: Document | undefined, context: number): ShownDiff {
  return {
    blocks: shownBlocks(diffDocuments(before, after), context),
    data: dataChanges(before, after),
  };
}

/** Differences of the title as it is formatted, and of front matter without a field of the page. */
export function dataChanges(before: Document | undefined, after: Document | undefined): FrameChange[] {
  return ['heading', 'frontmatter'].flatMap((attribute) => {
    const [was, now] = [before?.data[attribute], after?.data[attribute]];
    return sameContent(was, now)
      ? []
      : [{ attribute, ...(was !== undefined && { before: was }), ...(now !== undefined && { after: now }) }];
  });
}

function shownBlocks(diffs: readonly BlockDiff[], context: number, fragment?: string): DiffEntry[] {
  return withContext(diffs, context).map((diff) =>
    diff.change === 'skipped' ? diff : shownBlock(diff, context, fragment),
  );
}

function shownBlock(diff: BlockDiff, context: number, fragment: string | undefined): ShownBlock {
  const { change, moved, key, before, after, content, frame } = diff;
  const facts = {
    change,
    ...(moved && { moved }),
    key,
    type: (after ?? before)?.type ?? '',
    ...(fragment !== undefined && { fragment }),
  };
  if (change !== 'changed') return { ...facts, ...(after ? { after } : { before }) };
  if (!content || !before || !after) return { ...facts, ...(before && { before }), ...(after && { after }) };
  return {
    ...facts,
    before: frameOf(before),
    after: frameOf(after),
    ...(frame && frame.length > 0 && { attributes: frame }),
    ...(content.kind === 'line' && { runs: content.runs }),
    ...(content.kind === 'table' && shownTable(content.table, context)),
    ...(content.kind === 'blocks' && {
      blocks: [
        ...shownBlocks(content.blocks, context),
        ...[...content.fragments].flatMap(([name, blocks]) => shownBlocks(blocks, context, name)),
      ],
    }),
  };
}

function frameOf({ nodes: _nodes, fragments: _fragments, ...frame }: Block): object {
  if (frame.type !== 'table') return frame;
  const { records: _records, definition: _definition, ...data } = frame.data;
  return { ...frame, data };
}

function shownTable({ columns, rows }: TableDiff, context: number): Pick<ShownBlock, 'columns' | 'rows'> {
  return {
    columns: columns.map((column) => shownColumn(column, context)),
    rows: withContext(rows, context).map((row) => (row.change === 'skipped' ? row : shownRow(row, columns, context))),
  };
}

function shownColumn({ change, before, after, title }: ColumnDiff, context: number): object {
  return {
    change,
    ...(before && { before }),
    ...(after && { after }),
    ...(title && { blocks: shownBlocks(title, context) }),
  };
}

function shownRow({ change, cells }: RowDiff, columns: readonly ColumnDiff[], context: number): object {
  return { change, cells: cells.map((cell, index) => shownCell(cell, columns[index], context)) };
}

function shownCell(cell: CellDiff, column: ColumnDiff | undefined, context: number): object {
  return {
    column: (column?.after ?? column?.before)?.title ?? '',
    change: cell.change,
    ...(cell.before !== undefined && { before: cell.before }),
    ...(cell.after !== undefined && { after: cell.after }),
    ...(cell.blocks && {
      blocks:
        cell.change === 'unchanged'
          ? cell.blocks.map((diff) => shownBlock(diff, context, undefined))
          : shownBlocks(cell.blocks, context),
    }),
  };
}
