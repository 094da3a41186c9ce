import { Fragment, type Node } from 'prosemirror-model';
import { Plugin, type Transaction } from 'prosemirror-state';
import { changedRange } from './changed-range.js';
import { typeNamed } from './schema.js';

/**
 * Gives tables from elsewhere the shape that the model has: titles of columns, which are one line each, in the first
 * row and nowhere else. A first row with more in its cells than lines can say gets a row of titles above it.
 */
export const tableShape = new Plugin({
  appendTransaction: (transactions, before, { doc, tr }) => {
    if (!transactions.some(({ docChanged }) => docChanged)) return null;
    const range = changedRange(before.doc, doc);
    if (!range) return null;
    const tables: number[] = [];
    doc.nodesBetween(range.from, range.now, (node, position) => {
      if (node.type.name === 'table') tables.unshift(position);
      return !node.isTextblock;
    });
    // From the end, so that the positions before stay; a table in a cell of another comes first.
    for (const position of tables) shape(tr, position);
    return tr.docChanged ? tr : null;
  },
});

function shape(transaction: Transaction, position: number): void {
  const table = transaction.doc.nodeAt(position);
  const [first, ...others] = table?.children ?? [];
  if (!table || !first || isShaped(table)) return;
  const rows = others.map(rowOfCells);
  const shaped = first.children.every(isLine)
    ? [first.type.create(first.attrs, first.children.map(titleCell)), ...rows]
    : [emptyTitles(first), rowOfCells(first), ...rows];
  transaction.replaceWith(position + 1, position + 1 + table.content.size, shaped);
}

function isShaped(table: Node): boolean {
  return table.children.every((row, index) => row.children.every((cell) => isTitle(cell) === (index === 0)));
}

function isTitle({ type }: Node): boolean {
  return type.name === 'table_header';
}

/** Tells whether a cell says nothing that a line cannot. */
function isLine(cell: Node): boolean {
  return isTitle(cell) || (cell.childCount === 1 && cell.firstChild?.type.name === 'paragraph');
}

function titleCell(cell: Node): Node {
  return isTitle(cell) ? cell : typeNamed('table-header').create(null, cell.firstChild?.content);
}

function rowOfCells(row: Node): Node {
  const cells = row.children.map((cell) =>
    isTitle(cell) ? typeNamed('table-cell').create(null, typeNamed('paragraph').create(null, cell.content)) : cell,
  );
  return row.type.create(row.attrs, Fragment.from(cells));
}

function emptyTitles({ type, childCount }: Node): Node {
  return type.create(
    null,
    Array.from({ length: childCount }, () => typeNamed('table-header').create()),
  );
}
