import { contentJson } from '../hash.js';
import { ownEntry } from '../own-entry.js';
import { differencesOf } from '../sequence-difference.js';
import { fragmentOf, recordsOf, type Table } from '../table.js';
import type { Block, TableDefinition, TableRecord, TableValue } from '../types.js';
import { sameContent, textOf } from './block-content.js';
import type { BlockDiff, CellDiff, ColumnDiff, TableRowChange, TableDiff } from './diff-types.js';

/** Compares the blocks of a cell. */
type DiffCell = (before: readonly Block[], after: readonly Block[]) => readonly BlockDiff[];

/** Two rows count as the same row, edited, if they share at least this part of their words. */
const SIMILAR = 0.4;
/** Above this many comparisons rows are matched by position alone. */
const MAX_COMPARISONS = 10_000;

interface Pair<Item> {
  readonly before?: Item;
  readonly after?: Item;
}

/**
 * Compares two versions of a table by rows and cells. Ids of rows and columns follow from their places in Markdown, so
 * rows are matched by what they say, and columns by their titles.
 */
export function diffTables(before: Table, after: Table, diffCell: DiffCell): TableDiff {
  const columns = pairUp(
    columnsOf(before),
    columnsOf(after),
    (column, side) => `${column.type} ${titleOf(side === 'before' ? before : after, column)}`,
    () => '',
  );
  const both = columns.filter((pair) => pair.before && pair.after);
  const cellsOf = (record: TableRecord, side: 'before' | 'after'): (Content | undefined)[] => {
    const table = side === 'before' ? before : after;
    return both.map((pair) => contentOf(table, pair[side], record));
  };
  const rows = pairUp(
    recordsOf(before),
    recordsOf(after),
    (record, side) => contentJson(cellsOf(record, side)),
    (record, side) =>
      cellsOf(record, side)
        .map((cell) =>
          Array.isArray(cell?.blocks) ? cell.blocks.map(textOf).join(' ') : contentJson(cell?.value ?? ''),
        )
        .join(' '),
  );
  return {
    columns: columns.map((pair) => columnDiff(before, after, pair, diffCell)),
    rows: rows.map((pair) => {
      const cells = columns.map((column) => cellDiff(before, after, column, pair, diffCell));
      const isSame = cells.every(({ change }) => change === 'unchanged');
      return { ...pair, cells, change: changeOf(pair, isSame) };
    }),
  };
}

function changeOf({ before, after }: Pair<unknown>, isSame: boolean): TableRowChange {
  if (before === undefined) return 'inserted';
  if (after === undefined) return 'deleted';
  return isSame ? 'unchanged' : 'changed';
}

/** The columns in their order, those that are not shown last. */
function columnsOf({ data: { view, definition } }: Table): TableDefinition[] {
  const ids = new Set([...view.columns, ...Object.keys(definition)]);
  return [...ids].flatMap((id) => ownEntry(definition, id) ?? []);
}

function titleOf(table: Table, { id, title }: TableDefinition): string {
  const titled = fragmentOf(table, `title:${id}`);
  return titled ? titled.nodes.map(textOf).join(' ') : title;
}

interface Content {
  readonly value?: TableValue;
  readonly blocks?: readonly Block[];
}

function contentOf(table: Table, column: TableDefinition | undefined, record: TableRecord): Content | undefined {
  const value = column && ownEntry(record.values, column.id);
  if (value === undefined || value === null) return undefined;
  const fragment = column?.type === 'text' && typeof value === 'string' ? fragmentOf(table, value) : undefined;
  return fragment ? { blocks: fragment.nodes } : { value };
}

function columnDiff(before: Table, after: Table, pair: Pair<TableDefinition>, diffCell: DiffCell): ColumnDiff {
  const [was, now] = [
    pair.before && fragmentOf(before, `title:${pair.before.id}`)?.nodes,
    pair.after && fragmentOf(after, `title:${pair.after.id}`)?.nodes,
  ];
  const { id: _was, ...earlier } = pair.before ?? { id: '' };
  const { id: _now, ...later } = pair.after ?? { id: '' };
  return {
    ...pair,
    ...((was ?? now) && { title: diffCell(was ?? [], now ?? []) }),
    change: changeOf(pair, sameContent(earlier, later) && sameContent(was, now)),
  };
}

function cellDiff(
  before: Table,
  after: Table,
  column: Pair<TableDefinition>,
  row: Pair<TableRecord>,
  diffCell: DiffCell,
): CellDiff {
  const was = row.before && contentOf(before, column.before, row.before);
  const now = row.after && contentOf(after, column.after, row.after);
  const values = {
    ...(was?.value !== undefined && { before: was.value }),
    ...(now?.value !== undefined && { after: now.value }),
  };
  const isText = was?.blocks !== undefined || now?.blocks !== undefined;
  const change = sameContent(was, now)
    ? ('unchanged' as const)
    : changeOf({ before: was ?? (row.before && column.before), after: now ?? (row.after && column.after) }, false);
  return {
    ...values,
    ...(isText && { blocks: diffCell(was?.blocks ?? [], now?.blocks ?? []) }),
    change,
  };
}

/** Pairs equal items in their order, then in between those that are alike. */
function pairUp<Item>(
  before: readonly Item[],
  after: readonly Item[],
  identity: (item: Item, side: 'before' | 'after') => string,
  words: (item: Item, side: 'before' | 'after') => string,
): Pair<Item>[] {
  const differences = differencesOf(
    before.map((item) => identity(item, 'before')),
    after.map((item) => identity(item, 'after')),
  );
  const pairs: Pair<Item>[] = [];
  let [from, to] = [0, 0];
  const equalUpTo = (end: number): void => {
    for (; from < end; from++, to++) pairs.push(pairOf(before[from], after[to]));
  };
  for (const difference of differences) {
    equalUpTo(difference.before.from);
    pairs.push(
      ...alike(
        before.slice(difference.before.from, difference.before.to),
        after.slice(difference.after.from, difference.after.to),
        words,
      ),
    );
    [from, to] = [difference.before.to, difference.after.to];
  }
  equalUpTo(before.length);
  return pairs;
}

function pairOf<Item>(before: Item | undefined, after: Item | undefined): Pair<Item> {
  return { ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
}

/** Pairs items between equal ones: the next one that is alike, and by their places where there are as many. */
function alike<Item>(
  before: readonly Item[],
  after: readonly Item[],
  words: (item: Item, side: 'before' | 'after') => string,
): Pair<Item>[] {
  if (before.length === after.length) return before.map((item, index) => pairOf(item, after[index]));
  const was = before.map((item) => wordsIn(words(item, 'before')));
  const pairs: Pair<Item>[] = [];
  const isBounded = before.length * after.length <= MAX_COMPARISONS;
  let next = 0;
  for (const item of after) {
    const now = wordsIn(words(item, 'after'));
    const match = isBounded ? was.findIndex((each, index) => index >= next && similarity(each, now) >= SIMILAR) : -1;
    if (match < 0) {
      pairs.push(pairOf(undefined, item));
      continue;
    }
    for (; next < match; next++) pairs.push(pairOf(before[next], undefined));
    pairs.push(pairOf(before[next++], item));
  }
  for (; next < before.length; next++) pairs.push(pairOf(before[next], undefined));
  return pairs;
}

function wordsIn(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((word) => word !== ''));
}

function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let shared = 0;
  for (const word of a) if (b.has(word)) shared++;
  return (2 * shared) / (a.size + b.size);
}
