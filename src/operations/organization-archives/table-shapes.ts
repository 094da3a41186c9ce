import type { DatabaseConnection } from '../../kernel/common/connection.js';
import { ARCHIVED, ownerColumn, type ArchivedTable, type FileColumn } from './archived-tables.js';

export interface ArchivedColumn {
  readonly name: string;
  /** The type as PostgreSQL names it, `text[]`. */
  readonly type: string;
  readonly isRequired: boolean;
}

/** A column that refers to a row by its id. */
export interface RowReference {
  readonly column: string;
  /** An archived table, or `account`. */
  readonly table: string;
}

/** An archived table as the catalogue of the database describes it. */
export interface ArchivedTableShape extends ArchivedTable {
  readonly name: string;
  readonly ownerColumn: string;
  /** Those that are archived. */
  readonly columns: readonly ArchivedColumn[];
  /** Columns of the primary key; none where the table has no such key. */
  readonly key: readonly string[];
  /** Those that no other column holds to rows of the same organization. */
  readonly references: readonly RowReference[];
  /** All references to archived tables, those that hold the owner as well among them. */
  readonly parents: readonly RowReference[];
  readonly files: readonly FileColumn[];
  readonly refersToItself: boolean;
}

interface FoundTable {
  readonly name: string;
  readonly columns: readonly ArchivedColumn[];
  readonly key: readonly string[];
  readonly foreignKeys: readonly {
    readonly columns: readonly string[];
    readonly table: string;
    readonly to: readonly string[];
  }[];
}

const TABLES = `SELECT c.relname AS name,
    (SELECT json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, NULL), 'isRequired', a.attnotnull) ORDER BY a.attnum)
       FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns,
    ARRAY(SELECT a.attname::text FROM pg_index i CROSS JOIN LATERAL unnest(i.indkey::int2[]) WITH ORDINALITY AS k (attnum, place)
            JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum WHERE i.indrelid = c.oid AND i.indisprimary ORDER BY k.place) AS key,
    coalesce((SELECT json_agg(json_build_object('table', f.confrelid::regclass::text,
        'columns', ARRAY(SELECT a.attname FROM unnest(f.conkey) WITH ORDINALITY AS k (attnum, place) JOIN pg_attribute a ON a.attrelid = f.conrelid AND a.attnum = k.attnum ORDER BY k.place),
        'to', ARRAY(SELECT a.attname FROM unnest(f.confkey) WITH ORDINALITY AS k (attnum, place) JOIN pg_attribute a ON a.attrelid = f.confrelid AND a.attnum = k.attnum ORDER BY k.place)))
       FROM pg_constraint f WHERE f.conrelid = c.oid AND f.contype = 'f'), '[]') AS "foreignKeys"
  FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname = ANY ($1)`;

/** The archived tables, in the order in which their rows are archived. */
export async function findShapes(client: DatabaseConnection): Promise<ArchivedTableShape[]> {
  const { rows } = await client.query<FoundTable>(TABLES, [Object.keys(ARCHIVED)]);
  const found = new Map(rows.map((row) => [row.name, row]));
  return Object.entries(ARCHIVED).map(([name, table]) => {
    const row = found.get(name);
    if (!row) throw new Error(`the database has no table ${name}`);
    return shapeOf(table, row);
  });
}

function shapeOf(table: ArchivedTable, { name, columns, key, foreignKeys }: FoundTable): ArchivedTableShape {
  const owner = ownerColumn(table);
  return {
    ...table,
    name,
    ownerColumn: owner,
    columns: columns.filter((column) => table.without?.includes(column.name) !== true),
    key,
    // A key that holds the owner as well refers to rows of the same owner.
    references: referencesIn(foreignKeys.filter((each) => !each.columns.includes(owner))),
    parents: referencesIn(foreignKeys),
    files: [
      ...(table.files ?? []),
      ...foreignKeys.flatMap(({ columns: own, table: other }) =>
        other === 'blob' ? own.map((column) => ({ column })) : [],
      ),
    ],
    refersToItself: foreignKeys.some((each) => each.table === name),
  };
}

const referencesIn = (foreignKeys: FoundTable['foreignKeys']): RowReference[] =>
  foreignKeys
    .filter(({ table }) => table in ARCHIVED || table === 'account')
    .flatMap(({ columns, to, table }) => columns.flatMap((column, at) => (to[at] === 'id' ? [{ column, table }] : [])));
