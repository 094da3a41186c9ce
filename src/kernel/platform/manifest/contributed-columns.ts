/**
 * A column that a module adds to the output of a lower module: its name, and an SQL expression over the aliases that
 * the point documents.
 */
export interface ContributedColumn<Name extends string = string> {
  readonly name: Name;
  readonly sql: string;
}

/** Contributed columns for the end of a column list, each preceded by a comma. */
export function furtherColumns(columns: readonly ContributedColumn[]): string {
  return columns.map(({ name, sql }) => `, ${sql} AS "${name}"`).join('');
}
