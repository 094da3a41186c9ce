import pg from 'pg';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../data-source.js';
import { OperatorError } from '../kernel/platform/operator-error.js';

/** Any two fixed numbers: one migrates at a time, on whatever server. */
const MIGRATION_LOCK = [0x62696e64, 3] as const;

/** One migration: known to this code, recorded in the database, or both. */
export type MigrationState = { readonly name: string; readonly applied: boolean; readonly known: boolean };

/** Runs `work` with a data source, while no other process changes the schema. */
async function withSchema<T>(url: string, work: (source: DataSource) => Promise<T>): Promise<T> {
  const lock = new pg.Client({ connectionString: url, application_name: 'bindery migrations' });
  lock.on('error', () => undefined);
  const source = createDataSource({ url, poolSize: 2 });
  try {
    await lock.connect();
    await lock.query('SELECT pg_advisory_lock($1, $2)', [...MIGRATION_LOCK]);
    await source.initialize();
    return await work(source);
  } finally {
    if (source.isInitialized) await source.destroy();
    await lock.end().catch(() => undefined);
  }
}

async function statesOf(source: DataSource): Promise<MigrationState[]> {
  const known = source.migrations.map((migration) => migration.name ?? '');
  const table = source.options.migrationsTableName ?? '';
  const [present] = await source.query<{ found: boolean }[]>('SELECT to_regclass($1) IS NOT NULL AS found', [table]);
  const rows =
    present?.found === true
      ? await source.query<{ name: string }[]>(`SELECT name FROM ${pg.escapeIdentifier(table)} ORDER BY id`)
      : [];
  const applied = rows.map(({ name }) => name);
  const unknown = applied
    .filter((name) => !known.includes(name))
    .map((name) => ({ name, applied: true, known: false }));
  return [...known.map((name) => ({ name, applied: applied.includes(name), known: true })), ...unknown];
}

/** A database that a newer release has migrated may hold what this one would damage. */
function refuseNewer(states: readonly MigrationState[]): void {
  const newer = states.filter(({ known }) => !known).map(({ name }) => name);
  if (newer.length === 0) return;
  throw new OperatorError(
    `The database is newer than this release, which does not know its migration${newer.length === 1 ? '' : 's'} ${newer.join(', ')}: start the newer release, or restore a backup from before it`,
  );
}

/** Which migrations the database has, oldest first. */
export const migrationStates = (url: string): Promise<MigrationState[]> => withSchema(url, statesOf);

/**
 * Runs what is missing, all in one transaction. @returns the names of the migrations that ran.
 * @throws OperatorError where the database is newer than the code.
 */
export function migrateUp(url: string): Promise<string[]> {
  return withSchema(url, async (source) => {
    const states = await statesOf(source);
    refuseNewer(states);
    if (states.every(({ applied }) => applied)) return [];
    return (await source.runMigrations({ transaction: 'all' })).map(({ name }) => name);
  });
}

/** Takes the newest migrations back, with all that their tables hold. @returns their names, newest first. */
export function migrateDown(url: string, steps: number): Promise<string[]> {
  return withSchema(url, async (source) => {
    const reverted: string[] = [];
    for (let step = 0; step < steps; step++) {
      const states = await statesOf(source);
      refuseNewer(states);
      const newest = states.filter(({ applied }) => applied).at(-1);
      if (newest === undefined) break;
      await source.undoLastMigration({ transaction: 'all' });
      reverted.push(newest.name);
    }
    return reverted;
  });
}
