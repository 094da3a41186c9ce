/** An optional property that no test shows, with the reason; `*` at the end stands for everything that begins so. */
export interface Unseen {
  readonly property: string;
  readonly reason: string;
}

/** A row is removed as soon as a test shows the property: the report fails on rows that are no longer true. */
export const UNSEEN: readonly Unseen[] = [];

/** The row that speaks of a property. */
export function rowFor(property: string, rows: readonly Unseen[] = UNSEEN): Unseen | undefined {
  return rows.find((row) => (row.property.endsWith('*') ? property.startsWith(row.property.slice(0, -1)) : property === row.property));
}
