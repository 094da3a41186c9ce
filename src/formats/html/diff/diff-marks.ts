import type { ElementContent, Properties } from 'hast';
import type { BlockChange, FrameChange } from '../../document/diff/diff-types.js';
import type { DiffRun, RunChange } from '../../document/diff/line-diff.js';
import type { TableRowChange } from '../../document/diff/diff-types.js';
import type { Block, Node, TableDefinition, TableRecord, TableValue } from '../../document/types.js';

/** The version of a document that something belongs to. */
export type DiffSide = 'before' | 'after';

/** The change of a block of a merged document. */
export interface BlockMark {
  readonly change: BlockChange;
  readonly side: DiffSide;
  readonly isMoved: boolean;
  /** A block of the document itself, not inside another one. */
  readonly isTop: boolean;
  readonly frame: readonly FrameChange[];
}

export interface RowMark {
  readonly change: TableRowChange;
  readonly side: DiffSide;
}

/** The values of a cell that differ. */
export interface CellMark {
  readonly before?: TableValue;
  readonly after?: TableValue;
}

/** The changes in a merged document, which has the content of two versions. */
export interface DiffMarks {
  readonly blocks: Map<Block, BlockMark>;
  /** The words of lines that differ, by their nodes. */
  readonly lines: Map<readonly Node[], readonly DiffRun[]>;
  /** Both versions of blocks of code. */
  readonly code: Map<Block, { readonly before: Block<'code'>; readonly after: Block<'code'> }>;
  readonly rows: Map<TableRecord, RowMark>;
  /** By the id of the column. */
  readonly cells: Map<TableRecord, Map<string, CellMark>>;
  readonly columns: Map<TableDefinition, RowMark>;
}

export function newMarks(): DiffMarks {
  return {
    blocks: new Map(),
    lines: new Map(),
    code: new Map(),
    rows: new Map(),
    cells: new Map(),
    columns: new Map(),
  };
}

/** The attributes of an element that shows a changed part. */
export function changeAttributes(mark: RowMark | BlockMark | undefined): Properties {
  if (!mark || mark.change === 'unchanged') return {};
  return {
    dataChange: mark.change,
    dataSide: mark.side,
    ...('isMoved' in mark && mark.isMoved && mark.change !== 'moved' && { dataMoved: '' }),
  };
}

/** The element around words that only one version has. */
export const RUN_ELEMENTS = { inserted: 'ins', deleted: 'del' } as const satisfies Partial<Record<RunChange, string>>;

export type RenderedLine = ElementContent[];
