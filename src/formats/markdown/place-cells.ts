import { MAX_CELLS } from '../document/node-kinds.js';

/** A cell as it is written: over so many columns and rows. */
export interface SpanningCell<Cell> {
  readonly cell: Cell;
  readonly columns: number;
  readonly rows: number;
}

/** Maximum columns and rows of a merged cell. */
const MAX_SPAN = 100;

/** A span as an attribute tells it, 1 if it tells none. */
export function spanOf(written: string | undefined): number {
  return Math.min(MAX_SPAN, Math.max(1, Math.floor(Number(written ?? 1)) || 1));
}

/**
 * Rows of a table in which each cell has its own place: a merged cell is at its first place and leaves the others empty,
 * of which there are `MAX_CELLS` at most; cells after those are not merged.
 */
export function placeCells<Cell>(rows: readonly (readonly SpanningCell<Cell>[])[]): (Cell | undefined)[][] {
  /** By column: the further rows into which the cell above reaches. */
  const reaching: number[] = [];
  let empty = MAX_CELLS;
  return rows.map((row) => {
    const placed: (Cell | undefined)[] = [];
    const fill = (): void => {
      for (let left = reaching[placed.length] ?? 0; left > 0 && empty > 0; left = reaching[placed.length] ?? 0) {
        reaching[placed.length] = left - 1;
        placed.push(undefined);
        empty--;
      }
    };
    for (const { cell, columns, rows: height } of row) {
      fill();
      for (let column = 0; column < columns && (column === 0 || empty > 0); column++) {
        reaching[placed.length] = height - 1;
        placed.push(column === 0 ? cell : undefined);
        if (column > 0) empty--;
      }
    }
    fill();
    return placed;
  });
}
