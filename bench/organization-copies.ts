import type pg from 'pg';

/** A column of a table as the catalogue describes it. */
interface Column {
  readonly name: string;
  readonly type: string;
}

/** A table, the columns that take values, and the columns of each unique index. */
interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly uniques: readonly (readonly string[])[];
}

type Row = Readonly<Record<string, string | null>>;

const ID = /[A-Za-z0-9]{20}/g;
/** Stored once for the installation, and the work of its servers. */
const OF_THE_INSTALLATION = new Set(['blob', 'server_process', 'schedule_tick', 'rate_budget']);

const TABLES = `
  SELECT t.relname AS name,
    (SELECT json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) ORDER BY a.attnum)
       FROM pg_attribute a WHERE a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attidentity = '' AND a.attgenerated = '') AS columns,
    (SELECT coalesce(json_agg((SELECT json_agg(a.attname) FROM pg_attribute a
              WHERE a.attrelid = t.oid AND (a.attnum = ANY (i.indkey::int2[]) OR a.attnum IN
                (SELECT d.refobjsubid FROM pg_depend d WHERE d.objid = i.indexrelid AND d.refobjid = t.oid AND d.refobjsubid > 0)))), '[]')
       FROM pg_index i WHERE i.indrelid = t.oid AND i.indisunique) AS uniques
    FROM pg_class t WHERE t.relnamespace = 'public'::regnamespace AND t.relkind IN ('r', 'p') AND NOT t.relispartition
   ORDER BY 1`;

/** The number of the next transaction, by which the rows of all later ones are told. */
export async function nextTransaction(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ xid: string }>(`SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS xid`);
  return rows[0]?.xid ?? '0';
}

/**
 * Copies what has been written since a transaction so many times, directly in the tables: an organization with its people, spaces and sites.
 * Each copy has ids of its own, which follow from those of the original and the number of the copy, in every column and within texts. Values
 * that must be unique and hold no id get the number of the copy. Returns the number of rows of one copy.
 */
export async function copyWritten(client: pg.Client, since: string, copies: number): Promise<number> {
  const { rows: tables } = await client.query<Table>(TABLES);
  const written: [Table, Row[]][] = [];
  for (const table of tables) {
    if (OF_THE_INSTALLATION.has(table.name) || table.columns.length === 0) continue;
    const columns = table.columns.map(({ name }) => `"${name}"::text AS "${name}"`);
    const { rows } = await client.query<Row>(
      `SELECT ${columns.join(', ')} FROM "${table.name}" WHERE xmin::text::bigint >= $1`,
      [since],
    );
    if (rows.length > 0) written.push([table, rows]);
  }
  const ids = new Set(written.flatMap(([table, rows]) => rows.flatMap((row) => idsIn(table, row))));
  // Keys and triggers held for the original, and are not checked for each of its copies.
  await client.query(`SET session_replication_role = replica`);
  for (const [table, rows] of written)
    for (const row of rows) {
      const names = table.columns.map(({ name }) => `"${name}"`);
      const values = valuesOf(table, row, ids);
      await client.query(
        `INSERT INTO "${table.name}" (${names.join(', ')}) SELECT ${values.join(', ')} FROM generate_series(1, $1::int) n`,
        [copies],
      );
    }
  await client.query(`SET session_replication_role = origin`);
  return written.reduce((sum, [, rows]) => sum + rows.length, 0);
}

/** Ids that a row brings: those of its key. */
function idsIn({ uniques }: Table, row: Row): string[] {
  const keys = uniques.flat().map((name) => row[name] ?? '');
  return keys.filter((value) => /^[A-Za-z0-9]{20}$/.test(value));
}

/** SQL for each column of a row of copy `n`. */
function valuesOf({ name: table, columns, uniques }: Table, row: Row, ids: ReadonlySet<string>): string[] {
  const held = (name: string): boolean => [...(row[name] ?? '').matchAll(ID)].some(([id]) => ids.has(id));
  const numbered = new Set<string>();
  for (const unique of uniques) {
    if (unique.some((name) => held(name) || numbered.has(name) || row[name] === null)) continue;
    const chosen = columns.findLast(
      ({ name, type }) => unique.includes(name) && /^(text|bytea|character varying)/.test(type),
    );
    if (chosen === undefined) throw new Error(`no column makes copies of ${table} differ in ${unique.join(', ')}`);
    numbered.add(chosen.name);
  }
  return columns.map(({ name, type }) => {
    const value = row[name] ?? null;
    if (value === null) return 'NULL';
    if (numbered.has(name))
      return type === 'bytea' ? `sha256(${literal(value)}::bytea || n::text::bytea)` : `${literal(value)} || '-' || n`;
    return held(name) ? `(${withCopiedIds(value, ids)})::${type}` : `${literal(value)}::${type}`;
  });
}

/** SQL for a text with the ids of copy `n` in place of those of the original. */
function withCopiedIds(value: string, ids: ReadonlySet<string>): string {
  const parts: string[] = [];
  let from = 0;
  for (const { 0: id, index } of value.matchAll(ID)) {
    if (!ids.has(id)) continue;
    parts.push(literal(value.slice(from, index)), `left(md5(${literal(id)} || n), 20)`);
    from = index + id.length;
  }
  return [...parts, literal(value.slice(from))].join(' || ');
}

const literal = (value: string): string =>
  `${value.includes('\\') ? ' E' : ''}'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
