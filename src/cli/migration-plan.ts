import { connectTo, type DatabaseConnection } from '../kernel/common/connection.js';
import type { Manifest } from '../kernel/platform/manifest/manifest.js';
import { presentParts, type SchemaPart } from '../operations/doctor/schema-comparison.js';
import { OperatorError } from '../kernel/platform/operator-error.js';
import { inBatch, type MigrationPhase } from '../kernel/platform/migrations/migration-file.js';
import { migrateTo, pendingMigrations, type PendingMigration } from './schema.js';

const NAME = 'bindery migration plan';

/** The modes of locks on tables, by PostgreSQL's names in `pg_locks`, weakest first; the first four hold up no writer. */
const MODES = [
  'AccessShareLock',
  'RowShareLock',
  'RowExclusiveLock',
  'ShareUpdateExclusiveLock',
  'ShareLock',
  'ShareRowExclusiveLock',
  'ExclusiveLock',
  'AccessExclusiveLock',
] as const;
/** An index that is made outside of a transaction; in one, as here, it takes a stronger lock. */
const LOCK_OF_CONCURRENT_INDEX = 'ShareUpdateExclusiveLock';
const FIRST_THAT_BLOCKS = MODES.indexOf('ShareLock');

/**
 * Bytes a second that the steps of migrations work through, as a small machine does. `write` counts as if a statement
 * wrote all rows of its table.
 */
const RATES = { rewrite: 40e6, index: 30e6, scan: 200e6, write: 10e6 } as const;
type Work = keyof typeof RATES;

export interface PlannedLock {
  readonly table: string;
  /** Such as `ACCESS EXCLUSIVE`. */
  readonly mode: string;
  readonly blocks: 'readers and writers' | 'writers' | 'nobody';
  /** Estimated by PostgreSQL; null for a table that it has never looked at. */
  readonly rows: number | null;
  readonly bytes: number;
  readonly work: readonly Work[];
  readonly seconds: number;
}

export interface PlannedMigration {
  readonly module: string | undefined;
  readonly name: string;
  readonly phase: MigrationPhase;
  /** Those on tables that are there before it. */
  readonly locks: readonly PlannedLock[];
  readonly seconds: number;
  /** Changes because of which servers of the release before may fail; none where they work on. */
  readonly breaks: readonly string[];
  /** The reason of its author why they work on nevertheless. */
  readonly compatible: string | undefined;
  /** The table whose rows it changes in batches, while servers run. */
  readonly batches: { readonly table: string; readonly rows: number | null; readonly rowsOfBatch: number } | undefined;
}

interface TableSize {
  readonly name: string;
  readonly rows: number | null;
  readonly bytes: number;
  readonly indexBytes: number;
}

/** A partitioned table has what its partitions have. */
const SIZES = `SELECT quote_ident(c.relname) AS name, sum(p.reltuples) FILTER (WHERE p.reltuples >= 0)::float8 AS rows,
    sum(pg_table_size(p.oid))::float8 AS bytes, sum(pg_indexes_size(p.oid))::float8 AS "indexBytes"
  FROM pg_class c CROSS JOIN LATERAL (SELECT c.oid UNION SELECT t.relid FROM pg_partition_tree(c.oid) t) AS part (id)
  JOIN pg_class p ON p.oid = part.id AND p.relkind = 'r'
 WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') GROUP BY c.oid`;

interface TableState {
  readonly name: string;
  /** The number of its file: another one after it was written anew. */
  readonly file: number;
  readonly modes: readonly string[];
}

/** The tables of the schema with the locks that this transaction holds on them. */
const TABLES = `SELECT quote_ident(c.relname) AS name, c.relfilenode::int8::float8 AS file,
    ARRAY(SELECT l.mode FROM pg_locks l WHERE l.locktype = 'relation' AND l.relation = c.oid AND l.pid = pg_backend_pid() AND l.granted) AS modes
  FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
 ORDER BY c.relname COLLATE "C"`;

/**
 * Plans the migrations that a database lacks. They run in `scratchUrl`, an empty database, where their locks are seen;
 * the database itself only tells the sizes of its tables.
 * @throws OperatorError if `scratchUrl` has tables: migrations would change what is in it.
 */
export async function planMigrations(
  url: string,
  scratchUrl: string,
  added: readonly Manifest[],
): Promise<PlannedMigration[]> {
  const { pending, applied } = await pendingMigrations(url, added);
  if (pending.length === 0) return [];
  const sizes = await withConnection(
    url,
    async (client) => (await client.query<TableSize & Record<string, unknown>>(SIZES)).rows,
  );
  await withConnection(scratchUrl, requireNoTables);
  await migrateTo(scratchUrl, applied, added);
  return withConnection(scratchUrl, async (client) => {
    const planned: PlannedMigration[] = [];
    for (const migration of pending) planned.push(await planOf(client, migration, sizes));
    return planned;
  });
}

async function withConnection<T>(url: string, work: (client: DatabaseConnection) => Promise<T>): Promise<T> {
  const client = await connectTo(url, NAME);
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function requireNoTables(client: DatabaseConnection): Promise<void> {
  const [table] = (await tablesOf(client)).values();
  if (table)
    throw new OperatorError(
      `The database in which the migrations are tried is not empty, it has the table ${table.name}: name a new one`,
    );
}

/** Runs one migration, which stays, since the next one may need it. */
async function planOf(
  client: DatabaseConnection,
  { module, migration }: PendingMigration,
  sizes: readonly TableSize[],
): Promise<PlannedMigration> {
  const before = await presentParts(client);
  await client.query('BEGIN');
  const tablesBefore = await tablesOf(client);
  await client.query(migration.up);
  const tablesAfter = await tablesOf(client);
  await client.query('COMMIT');
  const { name, phase, compatible, indexes, batched } = migration;
  if (batched !== undefined) await client.query(inBatch(batched, ''));
  const after = await presentParts(client);
  const sizeOf = new Map(sizes.map((size) => [size.name, size]));
  const locks = [...tablesBefore.values()].flatMap((table) => {
    const now = tablesAfter.get(table.name);
    // A table that is gone was dropped or renamed under the strongest lock.
    const seen = now === undefined ? 'AccessExclusiveLock' : strongest(now.modes);
    const mode = indexes.length > 0 && seen !== undefined ? LOCK_OF_CONCURRENT_INDEX : seen;
    if (mode === undefined || mode === 'AccessShareLock') return [];
    const work = now === undefined ? [] : workOn(table, now, before, after);
    return [lockOf(table.name, mode, work, sizeOf.get(table.name))];
  });
  return {
    module,
    name,
    phase,
    locks,
    seconds: rounded(locks.reduce((sum, { seconds }) => sum + seconds, 0)),
    breaks: breaksOf(before, after),
    compatible,
    batches: batched && {
      table: batched.table,
      rows: sizeOf.get(batched.table)?.rows ?? null,
      rowsOfBatch: batched.rows,
    },
  };
}

async function tablesOf(client: DatabaseConnection): Promise<Map<string, TableState>> {
  const { rows } = await client.query<TableState & Record<string, unknown>>(TABLES);
  return new Map(rows.map((row) => [row.name, row]));
}

const placeOf = (mode: string): number => MODES.indexOf(mode as (typeof MODES)[number]);
const strongest = (modes: readonly string[]): string | undefined =>
  [...modes].sort((one, other) => placeOf(other) - placeOf(one))[0];

/** The work that a migration does on a table: all of its rows are written anew, indexed, read or perhaps changed. */
function workOn(
  { name, file }: TableState,
  now: { readonly file: number; readonly modes: readonly string[] },
  before: readonly SchemaPart[],
  after: readonly SchemaPart[],
): Work[] {
  const isNew = newParts(before, after);
  const parts = after.filter((part) => part.table === name && isNew(part));
  const hadNulls = new Set(before.filter((part) => part.kind === 'column' && !isRequired(part)).map(keyOf));
  const work: Work[] = [];
  if (now.file !== file) work.push('rewrite');
  if (parts.some(({ kind, index }) => kind === 'index' || index !== null)) work.push('index');
  if (
    parts.some(
      (part) => (part.kind === 'constraint' && part.index === null) || (isRequired(part) && hadNulls.has(keyOf(part))),
    )
  )
    work.push('scan');
  if (now.modes.includes('RowExclusiveLock')) work.push('write');
  return work;
}

function lockOf(table: string, mode: string, work: readonly Work[], size: TableSize | undefined): PlannedLock {
  const { rows = null, bytes = 0, indexBytes = 0 } = size ?? {};
  const seconds = work.reduce((sum, step) => sum + (bytes + (step === 'rewrite' ? indexBytes : 0)) / RATES[step], 0);
  const place = placeOf(mode);
  return {
    table,
    mode: mode
      .replace(/Lock$/, '')
      .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
      .toUpperCase(),
    blocks: mode === 'AccessExclusiveLock' ? 'readers and writers' : place >= FIRST_THAT_BLOCKS ? 'writers' : 'nobody',
    rows,
    bytes: bytes + indexBytes,
    work,
    seconds: rounded(seconds),
  };
}

const rounded = (seconds: number): number => Math.round(seconds * 10) / 10;

const keyOf = ({ kind, table, name }: SchemaPart): string => `${kind} ${table}.${name}`;
const isRequired = ({ kind, definition }: SchemaPart): boolean => kind === 'column' && /\bNOT NULL\b/.test(definition);

/** Tells of parts whether they were not there before as they are. */
function newParts(before: readonly SchemaPart[], after: readonly SchemaPart[]): (part: SchemaPart) => boolean {
  const had = new Map(before.map((part) => [keyOf(part), part.definition]));
  const fresh = new Set(after.filter((part) => had.get(keyOf(part)) !== part.definition).map(keyOf));
  return (part) => fresh.has(keyOf(part));
}

/**
 * The changes that servers of the release before do not expect: whatever they use that is gone or is another, and whatever
 * they would have to give. New tables, columns that may be left out, indexes and triggers are none.
 */
function breaksOf(before: readonly SchemaPart[], after: readonly SchemaPart[]): string[] {
  const now = new Map(after.map((part) => [keyOf(part), part]));
  const then = new Map(before.map((part) => [keyOf(part), part]));
  const tables = new Set(before.filter(({ kind }) => kind === 'table').map(({ name }) => name));
  const used = ['table', 'column', 'function', 'view'];
  const gone = before
    .filter(
      (part) =>
        used.includes(part.kind) && !now.has(keyOf(part)) && (part.table === '' || now.has(`table .${part.table}`)),
    )
    .map((part) => `${describePart(part)} is gone`);
  const others = after.flatMap((part) => {
    const former = then.get(keyOf(part));
    if (former === undefined) {
      if (!tables.has(part.table)) return [];
      if (part.kind === 'constraint') return [`${describePart(part)} is new`];
      return isRequired(part) && !part.definition.includes('DEFAULT') ? [`${describePart(part)} has to be given`] : [];
    }
    const isOther = ['column', 'constraint'].includes(part.kind) && former.definition !== part.definition;
    return isOther ? [`${describePart(part)} is another`] : [];
  });
  return [...gone, ...others];
}

const describePart = ({ kind, table, name }: SchemaPart): string =>
  `the ${kind} ${name}${table === '' ? '' : ` of ${table}`}`;
