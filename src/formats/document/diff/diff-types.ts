import type { Block, TableDefinition, TableRecord, TableValue } from '../types.js';
import type { DiffRun } from './line-diff.js';

export type BlockChange = 'unchanged' | 'inserted' | 'deleted' | 'moved' | 'changed';

/** A property of a block that differs. */
export interface FrameChange {
  readonly attribute: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** How the content of a changed block differs. */
export type ContentDiff =
  | { readonly kind: 'line'; readonly runs: readonly DiffRun[] }
  | {
      readonly kind: 'blocks';
      readonly blocks: readonly BlockDiff[];
      /** The blocks of its named parts, such as a caption. */
      readonly fragments: ReadonlyMap<string, readonly BlockDiff[]>;
    }
  | { readonly kind: 'table'; readonly table: TableDiff };

/** A block in both versions of a document, or in one of them. */
export interface BlockDiff {
  readonly change: BlockChange;
  /** A changed block that was moved, too. */
  readonly moved?: true;
  readonly key: string;
  readonly before?: Block;
  readonly after?: Block;
  /** The content of a changed block; undefined for one that is another as a whole. */
  readonly content?: ContentDiff;
  /** The properties that differ, of a changed block with `content`. */
  readonly frame?: readonly FrameChange[];
}

export type TableRowChange = 'unchanged' | 'inserted' | 'deleted' | 'changed';

/** A cell in both versions of a table, or in one of them. */
export interface CellDiff {
  readonly change: TableRowChange;
  readonly before?: TableValue;
  readonly after?: TableValue;
  /** The blocks of a cell of text, in either version. */
  readonly blocks?: readonly BlockDiff[];
}

export interface ColumnDiff {
  readonly change: TableRowChange;
  readonly before?: TableDefinition;
  readonly after?: TableDefinition;
  /** The title where it is more than plain text. */
  readonly title?: readonly BlockDiff[];
}

export interface RowDiff {
  readonly change: TableRowChange;
  readonly before?: TableRecord;
  readonly after?: TableRecord;
  /** In the order of the columns. */
  readonly cells: readonly CellDiff[];
}

export interface TableDiff {
  readonly columns: readonly ColumnDiff[];
  readonly rows: readonly RowDiff[];
}
