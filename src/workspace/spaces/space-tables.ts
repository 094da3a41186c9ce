import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/common/database.js';

/** Tables whose rows refer to a space but outlive it. */
const KEPT = new Set(['event']);

/** A table with rows of spaces, and how to delete them without breaking a foreign key. */
export interface SpaceTable {
  readonly table: string;
  /** The column with the id of the space. */
  readonly column: string;
  /**
   * For rows that refer to others of their table: pairs of referring and referred column. Unreferenced rows are deleted
   * first.
   */
  readonly selfReferences: readonly (readonly (readonly [string, string])[])[];
}

interface ForeignKey {
  readonly table: string;
  readonly parent: string;
  readonly columns: string[];
  readonly parentColumns: string[];
  readonly action: string;
}

/**
 * The tables under a space, read from the catalogue so that none can be forgotten: those with a
 * foreign key to space and those with a column space_id, children before their parents.
 */
@Injectable()
export class SpaceTables {
  constructor(private readonly database: Database) {}

  async inOrder(): Promise<SpaceTable[]> {
    const keys = await this.foreignKeys();
    const columns = await this.columns(keys);
    return sortChildrenFirst([...new Set(columns.map((each) => each.table))], keys).flatMap((table) =>
      columns
        .filter((each) => each.table === table)
        .map(({ column }) => ({
          table,
          column,
          selfReferences: keys
            .filter((key) => key.table === table && key.parent === table && key.action !== 'c' && key.action !== 'n')
            .map((key) => key.columns.map((name, index) => [name, key.parentColumns[index] ?? ''] as const)),
        })),
    );
  }

  private foreignKeys(): Promise<ForeignKey[]> {
    return this.database.query<ForeignKey & Record<string, unknown>>(
      `SELECT c.conrelid::regclass::text AS table, c.confrelid::regclass::text AS parent, c.confdeltype AS action,
              (SELECT array_agg(quote_ident(a.attname) ORDER BY k.at) FROM unnest(c.conkey) WITH ORDINALITY k (attnum, at)
                 JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.attnum) AS columns,
              (SELECT array_agg(quote_ident(a.attname) ORDER BY k.at) FROM unnest(c.confkey) WITH ORDINALITY k (attnum, at)
                 JOIN pg_attribute a ON a.attrelid = c.confrelid AND a.attnum = k.attnum) AS "parentColumns"
         FROM pg_constraint c
        WHERE c.contype = 'f' AND c.connamespace = 'public'::regnamespace`,
    );
  }

  private async columns(keys: readonly ForeignKey[]): Promise<{ table: string; column: string }[]> {
    const named = await this.database.query<{ table: string; column: string }>(
      `SELECT a.attrelid::regclass::text AS table, quote_ident(a.attname) AS column
         FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
        WHERE a.attname = 'space_id' AND NOT a.attisdropped AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace`,
    );
    const referring = keys
      .filter((key) => key.parent === 'space' && key.table !== 'space')
      .map((key) => ({ table: key.table, column: key.columns[key.parentColumns.indexOf('id')] ?? '' }));
    const all = new Map(
      [...named, ...referring]
        .filter(({ table }) => !KEPT.has(table))
        .map((each) => [`${each.table}.${each.column}`, each]),
    );
    return [...all.values()].sort((a, b) => (a.table < b.table ? -1 : 1));
  }
}

type Dependency = Pick<ForeignKey, 'table' | 'parent' | 'action'>;

/**
 * Sorts tables so that each precedes those it refers to. In a cycle of references, foreign keys with an action of their
 * own (cascade, set null) do not count. Throws if no order exists.
 */
export function sortChildrenFirst(tables: readonly string[], keys: readonly Dependency[]): string[] {
  const waiting = new Set(tables);
  const outer = keys.filter((key) => key.table !== key.parent);
  const binding = outer.filter((key) => key.action !== 'c' && key.action !== 'n');
  const withoutChildren = (dependencies: readonly Dependency[]): string[] =>
    [...waiting].filter((table) => !dependencies.some((key) => key.parent === table && waiting.has(key.table)));
  const sorted: string[] = [];
  while (waiting.size > 0) {
    const free = withoutChildren(outer);
    const next = free.length > 0 ? free : withoutChildren(binding).slice(0, 1);
    if (next.length === 0) throw new Error(`these tables refer to each other in a cycle: ${[...waiting].join(', ')}`);
    for (const table of next) waiting.delete(table);
    sorted.push(...next);
  }
  return sorted;
}
