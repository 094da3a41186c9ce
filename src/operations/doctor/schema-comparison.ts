import { randomBytes } from 'node:crypto';
import type { DatabaseConnection } from '../../kernel/common/connection.js';

/** A part of the schema that migrations make, and by which it is made. */
export interface SchemaPart {
  readonly kind: 'table' | 'column' | 'constraint' | 'index' | 'trigger' | 'function' | 'view';
  readonly name: string;
  /** The table of a column, constraint, index or trigger; empty for others. */
  readonly table: string;
  readonly definition: string;
  /** It does not work as it is: an index that was not completed, a constraint or trigger that is not enforced. */
  readonly isIdle: boolean;
  /** The statement that makes the index of a unique constraint; null for others. */
  readonly index: string | null;
}

/** Partitions are as their table is, and which there are depends on the time. */
const IN_SCHEMA = 'c.relnamespace = to_regnamespace(current_schema()) AND NOT c.relispartition';

/** Parts of the current schema. Names are as they are quoted for SQL, those of the schema stand where PostgreSQL puts them. */
const PARTS = `
  SELECT 'table' AS kind, quote_ident(c.relname) AS name, '' AS table, c.relpersistence::text AS definition, false AS "isIdle", NULL::text AS index
    FROM pg_class c WHERE ${IN_SCHEMA} AND c.relkind IN ('r', 'p')
  UNION ALL
  SELECT 'column', quote_ident(a.attname), quote_ident(c.relname),
         concat_ws(' ', format_type(a.atttypid, a.atttypmod), CASE WHEN a.attnotnull THEN 'NOT NULL' END, 'DEFAULT ' || pg_get_expr(d.adbin, d.adrelid)),
         false, NULL
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum WHERE ${IN_SCHEMA} AND c.relkind IN ('r', 'p')
  UNION ALL
  SELECT 'constraint', quote_ident(k.conname), quote_ident(c.relname), regexp_replace(pg_get_constraintdef(k.oid), ' NOT VALID$', ''), NOT k.convalidated,
         CASE WHEN k.contype IN ('p', 'u') THEN pg_get_indexdef(k.conindid) END
    FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid WHERE ${IN_SCHEMA} AND k.contype IN ('c', 'f', 'p', 'u')
  UNION ALL
  SELECT 'index', quote_ident(i.relname), quote_ident(c.relname), pg_get_indexdef(x.indexrelid), NOT (x.indisvalid AND x.indisready AND x.indislive) AND NOT EXISTS (SELECT FROM pg_stat_progress_create_index b WHERE b.index_relid = x.indexrelid), NULL
    FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class c ON c.oid = x.indrelid
   WHERE ${IN_SCHEMA} AND c.relkind IN ('r', 'p') AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = x.indexrelid AND k.contype IN ('p', 'u'))
  UNION ALL
  SELECT 'trigger', quote_ident(t.tgname), quote_ident(c.relname), pg_get_triggerdef(t.oid), t.tgenabled NOT IN ('O', 'A'), NULL
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid WHERE ${IN_SCHEMA} AND NOT t.tgisinternal
  UNION ALL
  SELECT 'function', p.oid::regprocedure::text, '', concat_ws(' ', p.provolatile, md5(p.prosrc)), false, NULL
    FROM pg_proc p WHERE p.pronamespace = to_regnamespace(current_schema()) AND p.prokind IN ('f', 'p')
  UNION ALL
  SELECT 'view', quote_ident(c.relname), '', md5(pg_get_viewdef(c.oid)), false, NULL FROM pg_class c WHERE ${IN_SCHEMA} AND c.relkind = 'v'`;

/** The schema in which the parts of the service are. */
const OWN_SCHEMA = 'public';

/**
 * Reads the parts that the migrations make: `make` makes them in a schema of its own, in a transaction that is rolled
 * back. No table of the service is locked by it.
 */
export async function expectedParts(
  client: DatabaseConnection,
  make: (client: DatabaseConnection) => Promise<void>,
): Promise<SchemaPart[]> {
  const schema = `doctor_${randomBytes(6).toString('hex')}`;
  await client.query('BEGIN');
  try {
    await client.query(`CREATE SCHEMA ${schema}`);
    await client.query(`SET LOCAL search_path = ${schema}`);
    await make(client);
    return await partsOf(client, schema);
  } finally {
    await client.query('ROLLBACK');
  }
}

/** Reads the parts that are there. */
export async function presentParts(client: DatabaseConnection): Promise<SchemaPart[]> {
  await client.query('BEGIN READ ONLY');
  try {
    await client.query(`SET LOCAL search_path = ${OWN_SCHEMA}`);
    return await partsOf(client, OWN_SCHEMA);
  } finally {
    await client.query('ROLLBACK');
  }
}

async function partsOf(client: DatabaseConnection, schema: string): Promise<SchemaPart[]> {
  const { rows } = await client.query<SchemaPart & Record<string, unknown>>(PARTS);
  const unnamed = (text: string): string => text.replaceAll(`${schema}.`, '');
  return rows.map((part) => ({
    ...part,
    name: unnamed(part.name),
    definition: unnamed(part.definition),
    index: part.index === null ? null : unnamed(part.index),
  }));
}

/** A part that is not as the migrations make it. */
export interface SchemaDifference {
  readonly expected: SchemaPart;
  readonly state: 'missing' | 'different' | 'idle';
}

export interface SchemaDifferences {
  readonly differences: readonly SchemaDifference[];
  /** Indexes that no migration makes, that were never completed and that nobody builds: a command that was broken off leaves them. */
  readonly leftovers: readonly SchemaPart[];
}

/** Compares what is there with what the migrations make. Parts that no migration makes are the operator's. */
export function compareParts(expected: readonly SchemaPart[], present: readonly SchemaPart[]): SchemaDifferences {
  const keyOf = ({ kind, table, name }: SchemaPart): string => `${kind} ${table}.${name}`;
  const found = new Map(present.map((part) => [keyOf(part), part]));
  const known = new Set(expected.map(keyOf));
  const absentTables = new Set(
    expected.filter((part) => part.kind === 'table' && !found.has(keyOf(part))).map(({ name }) => name),
  );
  return {
    differences: expected
      // Parts of a table that is missing are missing with it.
      .filter(({ table }) => !absentTables.has(table))
      .flatMap((part): SchemaDifference[] => {
        const own = found.get(keyOf(part));
        if (!own) return [{ expected: part, state: 'missing' }];
        if (own.definition !== part.definition) return [{ expected: part, state: 'different' }];
        return own.isIdle ? [{ expected: part, state: 'idle' }] : [];
      }),
    leftovers: present.filter((part) => part.kind === 'index' && part.isIdle && !known.has(keyOf(part))),
  };
}
