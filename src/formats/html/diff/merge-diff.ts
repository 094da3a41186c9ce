import { block, paragraph, plain } from '../../document/build.js';
import type { BlockDiff } from '../../document/diff/diff-types.js';
import { wholeRun } from '../../document/diff/line-diff.js';
import type { CellDiff, ColumnDiff, TableDiff } from '../../document/diff/diff-types.js';
import type { Block, Fragment, TableData, TableDefinition, TableRecord } from '../../document/types.js';
import type { BlockMark, DiffMarks, DiffSide } from './diff-marks.js';

/** Makes blocks with the content of both versions, and notes in `marks` what changed. */
export class DiffMerger {
  constructor(private readonly marks: DiffMarks) {}

  /** The blocks that show a difference: one, or the earlier and the later one. */
  merged(diffs: readonly BlockDiff[], isTop = false): Block[] {
    return diffs.flatMap((diff) => this.one(diff, isTop));
  }

  private one(diff: BlockDiff, isTop: boolean): Block[] {
    const { before, after, content } = diff;
    if (!after) return before ? [this.marked(before, diff, 'before', isTop)] : [];
    if (diff.change !== 'changed' || !before) return [this.marked(after, diff, 'after', isTop)];
    if (!content) return [this.marked(before, diff, 'before', isTop), this.marked({ ...after }, diff, 'after', isTop)];
    return [this.marked(this.content(before, after, content), diff, 'after', isTop)];
  }

  private marked<Given extends Block>(given: Given, diff: BlockDiff, side: DiffSide, isTop: boolean): Given {
    const mark: BlockMark = {
      change: diff.change,
      side,
      isMoved: diff.moved === true || diff.change === 'moved',
      isTop,
      frame: diff.frame ?? [],
    };
    this.marks.blocks.set(given, mark);
    return given;
  }

  private content(before: Block, after: Block, content: NonNullable<BlockDiff['content']>): Block {
    if (content.kind === 'line') {
      const nodes = [...(after.nodes ?? [])];
      this.marks.lines.set(nodes, content.runs);
      return { ...after, nodes };
    }
    if (content.kind === 'table')
      return after.type === 'table' && before.type === 'table' ? this.table(before, after, content.table) : after;
    const fragments = [...content.fragments].map(([name, diffs]): Fragment => ({
      object: 'fragment',
      fragment: name,
      nodes: this.merged(diffs),
    }));
    const made = {
      ...after,
      ...((after.nodes ?? before.nodes) && { nodes: this.merged(content.blocks) }),
      ...(fragments.length > 0 && { fragments }),
    };
    if (before.type === 'code' && after.type === 'code') this.marks.code.set(made, { before, after });
    return made;
  }

  private table(before: Block<'table'>, after: Block<'table'>, { columns, rows }: TableDiff): Block<'table'> {
    const fragments: Fragment[] = [];
    const definitions = columns.map((column, index) => this.column(column, `c${index}`, fragments));
    const named = (id: string | undefined): string | undefined => {
      const index = id === undefined ? -1 : columns.findIndex((column) => column.after?.id === id);
      return definitions[index]?.id;
    };
    const isShown = ({ before: was, after: now }: ColumnDiff): boolean =>
      now ? after.data.view.columns.includes(now.id) : was !== undefined && before.data.view.columns.includes(was.id);
    const shown = definitions.filter((_, index) => columns[index] && isShown(columns[index]));
    const records = rows.map((row, index) => {
      const record: TableRecord = { orderIndex: String(index).padStart(8, '0'), values: {} };
      row.cells.forEach((cell, place) => {
        const id = definitions[place]?.id;
        if (id !== undefined) this.cell(record, cell, id, `r${index}${id}`, fragments);
      });
      this.marks.rows.set(record, { change: row.change, side: row.after ? 'after' : 'before' });
      return record;
    });
    const data: TableData = {
      ...after.data,
      definition: Object.fromEntries(definitions.map((definition) => [definition.id, definition])),
      records: Object.fromEntries(records.map((record) => [record.orderIndex, record])),
      view: viewOf(after.data.view, shown, named),
    };
    return { ...after, data, fragments };
  }

  private column(column: ColumnDiff, id: string, fragments: Fragment[]): TableDefinition {
    const { before, after } = column;
    const definition = { ...(after ?? before), id } as TableDefinition;
    const title = column.title ? this.merged(column.title) : this.title(before?.title, after?.title);
    if (title) fragments.push({ object: 'fragment', fragment: `title:${id}`, nodes: title });
    this.marks.columns.set(definition, { change: column.change, side: after ? 'after' : 'before' });
    return definition;
  }

  /** A plain title that differs. */
  private title(before: string | undefined, after: string | undefined): Block[] | undefined {
    if (before === undefined || after === undefined || before === after) return undefined;
    const line = paragraph(plain(after));
    const nodes = line.nodes ?? [];
    this.marks.lines.set(nodes, [...wholeRun('deleted', [plain(before)]), ...wholeRun('inserted', [plain(after)])]);
    return [block('paragraph', {}, nodes)];
  }

  private cell(record: TableRecord, cell: CellDiff, id: string, name: string, fragments: Fragment[]): void {
    if (cell.blocks) {
      fragments.push({ object: 'fragment', fragment: name, nodes: this.merged(cell.blocks) });
      record.values[id] = name;
      return;
    }
    const value = cell.after ?? cell.before;
    if (value !== undefined) record.values[id] = value;
    if (cell.change === 'unchanged') return;
    const marks = this.marks.cells.get(record) ?? new Map<string, CellDiff>();
    this.marks.cells.set(record, marks.set(id, cell));
  }
}

function viewOf(
  view: TableData['view'],
  shown: readonly TableDefinition[],
  named: (id: string | undefined) => string | undefined,
): TableData['view'] {
  const columns = shown.map(({ id }) => id);
  if (view.type === 'grid') {
    const { columnWidths: _widths, ...rest } = view;
    return { ...rest, columns };
  }
  const { targetDefinition, coverDefinition, coverDefinitionDark, ...rest } = view;
  const [target, cover, dark] = [named(targetDefinition), named(coverDefinition), named(coverDefinitionDark)];
  return {
    ...rest,
    columns,
    ...(target !== undefined && { targetDefinition: target }),
    ...(cover !== undefined && { coverDefinition: cover }),
    ...(dark !== undefined && { coverDefinitionDark: dark }),
  };
}
