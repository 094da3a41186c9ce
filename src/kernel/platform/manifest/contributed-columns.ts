/**
 * A column that a module adds to what one below it shows: its name, and an SQL expression over the aliases that the point
 * documents.
 */
export interface ContributedColumn<Name extends string = string> {
  readonly name: Name;
  readonly sql: string;
}

/** Contributed columns for the end of a list of columns, each with a comma in front. */
export function furtherColumns(columns: readonly ContributedColumn[]): string {
  return columns.map(({ name, sql }) => `, ${sql} AS "${name}"`).join('');
}
