import { setTimeout as pause } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { createDataSource, moduleHistory, serviceHistory, type MigrationHistory } from '../data-source.js';
import { connectTo, type DatabaseConnection } from '../kernel/common/connection.js';
import type { Manifest } from '../kernel/platform/manifest/manifest.js';
import { OperatorError } from '../kernel/platform/operator-error.js';
import { adoptBaselines, appliedMigrations, recordedMigrations } from './baselines.js';

/** Any two fixed numbers: only one process migrates at a time, on any server. */
const MIGRATION_LOCK = [0x62696e64, 3] as const;

/** The name of the connections in PostgreSQL's statistics. */
const APPLICATION_NAME = 'bindery migrations';

/**
 * One migration: known to this code, recorded in the database, or both. `module` is the external module to which it
 * belongs.
 */
export type MigrationState = {
  readonly module: string | undefined;
  readonly name: string;
  readonly applied: boolean;
  readonly known: boolean;
};

/** The service, and external modules with tables of their own. */
type Owner = { readonly module: string | undefined; readonly history: MigrationHistory };

function ownersOf(added: readonly Manifest[]): Owner[] {
  const modules = added.flatMap(({ name, migrations }) =>
    migrations === undefined ? [] : [{ module: name, history: moduleHistory(name, migrations) }],
  );
  return [{ module: undefined, history: serviceHistory() }, ...modules];
}

/** Milliseconds after which a lock that another process holds is asked for again. */
const RETRY_MILLISECONDS = 200;

/**
 * Runs `work` for each owner of migrations in turn, under the lock against other schema changes. It is a lock of a
 * transaction, which keeps its session behind a connection pooler. Whoever waits for it holds no session meanwhile: the
 * one who works may need the last of the pooler.
 */
async function withSchema<T>(
  url: string,
  owners: readonly Owner[],
  work: (source: DataSource, owner: Owner) => Promise<T>,
): Promise<T[]> {
  const lock = await connectTo(url, APPLICATION_NAME);
  try {
    while (!(await takesLock(lock))) await pause(RETRY_MILLISECONDS);
    const results: T[] = [];
    for (const owner of owners) results.push(await withSource(url, owner, work));
    await lock.query('COMMIT');
    return results;
  } finally {
    await lock.end().catch(() => undefined);
  }
}

/** Begins a transaction that holds the lock for as long as it takes; false where another process has it. */
async function takesLock(client: DatabaseConnection): Promise<boolean> {
  await client.query('BEGIN');
  const { rows } = await client.query<{ isTaken: boolean }>(
    `SELECT pg_try_advisory_xact_lock($1, $2) AS "isTaken", set_config('idle_in_transaction_session_timeout', '0', true)`,
    [...MIGRATION_LOCK],
  );
  if (rows[0]?.isTaken === true) return true;
  await client.query('ROLLBACK');
  return false;
}

async function withSource<T>(
  url: string,
  owner: Owner,
  work: (source: DataSource, owner: Owner) => Promise<T>,
): Promise<T> {
  const source = createDataSource({ url, poolSize: 2, history: owner.history });
  try {
    await source.initialize();
    return await work(source, owner);
  } finally {
    if (source.isInitialized) await source.destroy();
  }
}

async function statesOf(source: DataSource, { module }: Owner): Promise<MigrationState[]> {
  const known = source.migrations.map((migration) => migration.name ?? '');
  const applied = await appliedMigrations(source);
  const unknown = applied
    .filter((name) => !known.includes(name))
    .map((name) => ({ module, name, applied: true, known: false }));
  return [...known.map((name) => ({ module, name, applied: applied.includes(name), known: true })), ...unknown];
}

/** Refuses a database that a newer release has migrated, because this one might damage it. */
function refuseNewer(states: readonly MigrationState[]): void {
  const newer = states.filter(({ known }) => !known);
  const [first] = newer;
  if (!first) return;
  const [what, release] =
    first.module === undefined
      ? ['this release', 'release']
      : [`this release of the module ${first.module}`, 'release of it'];
  throw new OperatorError(
    `The database is newer than ${what}, which does not know its migration${newer.length === 1 ? '' : 's'} ${newer.map(({ name }) => name).join(', ')}: start the newer ${release}, or restore a backup from before it`,
  );
}

/** Lists the migrations of the database, oldest first, and those of external modules after those of the service. */
export async function migrationStates(url: string, added: readonly Manifest[] = []): Promise<MigrationState[]> {
  return (await withSchema(url, ownersOf(added), statesOf)).flat();
}

/** Tells by one connection whether the database has the migrations of all owners and no others, as at most starts. */
async function isCurrent(url: string, owners: readonly Owner[]): Promise<boolean> {
  const client = await connectTo(url, APPLICATION_NAME);
  try {
    const connection = {
      query: async <Row>(statement: string, parameters?: unknown[]) =>
        (await client.query(statement, parameters)).rows as Row[],
    };
    for (const { history } of owners) {
      const recorded = new Set(await recordedMigrations(connection, history.table));
      const known = history.migrations.map((Migration) => new Migration().name);
      if (recorded.size !== known.length || known.some((name) => !recorded.has(name))) return false;
    }
    return true;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Tells whether a database has all migrations of this code and no others. */
export const isMigrated = (url: string, added: readonly Manifest[] = []): Promise<boolean> =>
  isCurrent(url, ownersOf(added));

/**
 * Runs missing migrations, all of one owner in one transaction. @returns the names of the migrations that ran.
 * @throws OperatorError if the database is newer than the code, or has only some of the migrations that the baselines
 * replace.
 */
export async function migrateUp(url: string, added: readonly Manifest[] = []): Promise<string[]> {
  const owners = ownersOf(added);
  if (await isCurrent(url, owners)) return [];
  const ran = await withSchema(url, owners, async (source, owner) => {
    if (owner.module === undefined) await adoptBaselines(source);
    const states = await statesOf(source, owner);
    refuseNewer(states);
    if (states.every(({ applied }) => applied)) return [];
    return (await source.runMigrations({ transaction: 'all' })).map(({ name }) => name);
  });
  return ran.flat();
}

/**
 * Runs the migrations that are named by the table that records them, and no others.
 * @throws OperatorError if this code lacks one of them, or the database has others.
 */
export async function migrateTo(
  url: string,
  wanted: Readonly<Record<string, readonly string[]>>,
  added: readonly Manifest[] = [],
): Promise<void> {
  const owners = ownersOf(added).map((owner) => ({ ...owner, history: onlyOf(owner.history, wanted) }));
  const lacking = Object.entries(wanted).flatMap(([table, names]) => {
    const known = owners.find(({ history }) => history.table === table)?.history.migrations.length ?? 0;
    return known < names.length ? [table] : [];
  });
  if (lacking.length > 0)
    throw new OperatorError(
      lacking.includes('migration')
        ? 'The backup is of a newer release, whose migrations this one does not know: use that release'
        : `The backup has tables of external modules whose migrations are not at hand (${lacking.join(', ')}): add these modules, in the same release or a newer one`,
    );
  await withSchema(url, owners, async (source, owner) => {
    if ((await statesOf(source, owner)).some(({ known }) => !known))
      throw new OperatorError('The database has migrations that the backup lacks: restore into a new, empty one');
    await source.runMigrations({ transaction: 'all' });
  });
}

const onlyOf = (history: MigrationHistory, wanted: Readonly<Record<string, readonly string[]>>): MigrationHistory => ({
  ...history,
  migrations: history.migrations.filter((Migration) => wanted[history.table]?.includes(new Migration().name) === true),
});

/**
 * Reverts the newest migrations, with all data of their tables: those of the service, or of an external module.
 * @returns their names, newest first.
 * @throws OperatorError if no such module has migrations, or the database is newer than the code.
 */
export async function migrateDown(
  url: string,
  steps: number,
  { module, added = [] }: { readonly module?: string | undefined; readonly added?: readonly Manifest[] } = {},
): Promise<string[]> {
  const owners = ownersOf(added).filter((owner) => owner.module === module);
  if (owners.length === 0) throw new OperatorError(`No module ${module} with migrations is added to this service`);
  const [reverted = []] = await withSchema(url, owners, async (source, owner) => {
    if (owner.module === undefined) await adoptBaselines(source);
    const names: string[] = [];
    for (let step = 0; step < steps; step++) {
      const states = await statesOf(source, owner);
      refuseNewer(states);
      const newest = states.filter(({ applied }) => applied).at(-1);
      if (newest === undefined) break;
      await source.undoLastMigration({ transaction: 'all' });
      names.push(newest.name);
    }
    return names;
  });
  return reverted;
}
