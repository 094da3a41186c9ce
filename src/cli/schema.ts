import { createDataSource, serviceHistory } from '../data-source.js';
import type { DatabaseConnection } from '../kernel/common/connection.js';
import { Database } from '../kernel/common/database.js';
import type { Manifest } from '../kernel/platform/manifest/manifest.js';
import {
  BACKFILL_PROGRESS,
  type BackfillProgress,
  Backfills,
  describeBackfill,
} from '../kernel/platform/migrations/backfills.js';
import { contractAll, dueContractions } from '../kernel/platform/migrations/contractions.js';
import {
  atOnce,
  type MigrationPhase,
  phaseOf,
  type SqlMigration,
} from '../kernel/platform/migrations/migration-file.js';
import {
  type MigrationHistory,
  ownersOfModules,
  type SchemaOwner,
} from '../kernel/platform/migrations/migration-history.js';
import { withSchemaConnection, withSchemaLock } from '../kernel/platform/migrations/schema-lock.js';
import { recordedMigrations, SchemaMigrator } from '../kernel/platform/migrations/schema-migrator.js';
import { refuseNewer } from '../kernel/platform/migrations/server-processes.js';
import { OperatorError } from '../kernel/platform/operator-error.js';
import { adoptBaselines } from './baselines.js';

/**
 * One migration: known to this code, recorded in the database, or both. `module` is the external module to which it
 * belongs.
 */
export type MigrationState = {
  readonly module: string | undefined;
  readonly name: string;
  readonly phase: MigrationPhase;
  readonly applied: boolean;
  readonly known: boolean;
};

const ownersOf = (added: readonly Manifest[]): SchemaOwner[] => [
  { module: undefined, history: serviceHistory() },
  ...ownersOfModules(added),
];

async function statesOf(client: DatabaseConnection, { module, history }: SchemaOwner): Promise<MigrationState[]> {
  const applied = await recordedMigrations(client, history.table);
  const names = history.migrations.map(({ name }) => name);
  const state = (name: string, known: boolean): MigrationState => ({
    module,
    name,
    phase: phaseOf(name),
    applied: applied.includes(name),
    known,
  });
  const unknown = applied.filter((name) => !names.includes(name));
  return [...names.map((name) => state(name, true)), ...unknown.map((name) => state(name, false))];
}

const unknownOf = (states: readonly MigrationState[]): string[] =>
  states.filter(({ known }) => !known).map(({ name }) => name);

/**
 * Refuses a database on which this code cannot work: one that a newer release has contracted, or one that has
 * migrations of another release and lacks some of this one.
 */
function refuseOther(states: readonly MigrationState[], module: string | undefined): void {
  const unknown = unknownOf(states);
  const lacks = states.some(({ applied, phase }) => !applied && phase === 'expand');
  const others = lacks ? unknown : unknown.filter((name) => phaseOf(name) === 'contract');
  if (others.length > 0) refuseNewer(others, module);
}

/**
 * Lists the migrations of the database, oldest first, and those of external modules after those of the service. Waits
 * for nobody who migrates.
 */
export const migrationStates = (url: string, added: readonly Manifest[] = []): Promise<MigrationState[]> =>
  withSchemaConnection(url, async (client) => {
    const states: MigrationState[] = [];
    for (const owner of ownersOf(added)) states.push(...(await statesOf(client, owner)));
    return states;
  });

/** A migration with what is left of it. */
export type ReportedMigration = MigrationState & {
  /** Words about its batches, while they are not finished. */
  readonly batches: string | undefined;
  /** A batch of them failed, and is tried again. */
  readonly hasFailed: boolean;
  /** The reason why a contracting one waits. */
  readonly waits: string | undefined;
};

/** Lists migrations like `migrationStates`, with what is left of them. */
export const migrationReport = (url: string, added: readonly Manifest[] = []): Promise<ReportedMigration[]> =>
  withSchemaConnection(url, async (client) => {
    const { rows } = await client.query<{ found: boolean }>(`SELECT to_regclass('backfill') IS NOT NULL AS found`);
    const isTold = rows[0]?.found === true;
    const progress = isTold
      ? (await client.query<BackfillProgress & Record<string, unknown>>(BACKFILL_PROGRESS)).rows
      : [];
    const reported: ReportedMigration[] = [];
    for (const owner of ownersOf(added)) {
      const migrator = new SchemaMigrator(client, owner.history);
      const [next] = isTold ? await dueContractions(migrator, owner) : [];
      const reason = next && (await migrator.waitsFor(next));
      for (const state of await statesOf(client, owner)) {
        const own = progress.find(
          ({ history, migration }) => history === owner.history.table && migration === state.name,
        );
        reported.push({
          ...state,
          batches: own && describeBackfill(own),
          hasFailed: typeof own?.failure === 'string',
          waits: state.applied || state.phase === 'expand' ? undefined : (reason ?? 'its turn has not come'),
        });
      }
    }
    return reported;
  });

/** A migration that a database lacks. */
export interface PendingMigration {
  readonly module: string | undefined;
  readonly migration: SqlMigration;
}

/**
 * The migrations that a database lacks, in the order in which they run, and those that it has, by the table that records
 * them.
 * @throws OperatorError if the database is newer than the code.
 */
export const pendingMigrations = (
  url: string,
  added: readonly Manifest[],
): Promise<{ pending: PendingMigration[]; applied: Record<string, string[]> }> =>
  withSchemaConnection(url, async (client) => {
    const pending: PendingMigration[] = [];
    const applied: Record<string, string[]> = {};
    for (const owner of ownersOf(added)) {
      const { module, history } = owner;
      const states = await statesOf(client, owner);
      const unknown = unknownOf(states);
      if (unknown.length > 0) refuseNewer(unknown, module);
      const names = states.filter((state) => state.applied).map(({ name }) => name);
      if (names.length > 0) applied[history.table] = names;
      const missing = history.migrations.filter(({ name }) => !names.includes(name));
      pending.push(...missing.map((migration) => ({ module, migration })));
    }
    return { pending: pending.sort((one, other) => placeOf(one) - placeOf(other)), applied };
  });

/** Contracting migrations come behind all others. */
const placeOf = ({ migration }: PendingMigration): number => (migration.phase === 'contract' ? 1 : 0);

/**
 * Runs migrations in the current schema of a connection, which is empty, without recording them: all, or those that
 * `has` tells by module and name.
 */
export async function makeSchema(
  client: DatabaseConnection,
  added: readonly Manifest[],
  has: (module: string | undefined, name: string) => boolean = () => true,
): Promise<void> {
  for (const { module, history } of ownersOf(added))
    for (const migration of history.migrations) if (has(module, migration.name)) await client.query(atOnce(migration));
}

/**
 * Tells by one connection whether this code can work on a database, as at most starts, and whether nothing is left to
 * do for it.
 */
const standingOf = (url: string, owners: readonly SchemaOwner[]) =>
  withSchemaConnection(url, async (client) => {
    const states: MigrationState[] = [];
    for (const owner of owners) states.push(...(await statesOf(client, owner)));
    const isUsable = states.every(({ phase, applied, known }) => (phase === 'expand' ? applied : known));
    return { isUsable, isComplete: isUsable && states.every(({ applied }) => applied) };
  });

/** Tells whether code of this release can work on a database as it is. */
export const isMigrated = async (url: string, added: readonly Manifest[] = []): Promise<boolean> =>
  (await standingOf(url, ownersOf(added))).isUsable;

/**
 * Runs missing migrations: the expanding ones, each in a transaction of its own, and contracting ones for which no
 * server of an older release and no batch is left. In an empty database all of one owner are one transaction.
 * `contract` finishes the batches itself, and does not look at servers.
 * @returns the names of the migrations that ran.
 * @throws OperatorError if the database is newer than the code, or has only some of the migrations that the baselines
 * replace.
 */
export async function migrateUp(
  url: string,
  added: readonly Manifest[] = [],
  { contract = false }: { readonly contract?: boolean } = {},
): Promise<string[]> {
  const owners = ownersOf(added);
  if ((await standingOf(url, owners)).isComplete) return [];
  return withSchemaLock(url, async (client) => {
    const [service] = owners;
    if (service) await adoptBaselines(client, service.history);
    const isEmpty = service === undefined || (await recordedMigrations(client, service.history.table)).length === 0;
    const ran: string[] = [];
    for (const owner of owners) ran.push(...(await expand(client, owner, isEmpty)));
    if (contract) await finishBackfills(url);
    return [...ran, ...(await contractAll(client, owners, contract))];
  });
}

async function expand(client: DatabaseConnection, owner: SchemaOwner, isEmpty: boolean): Promise<string[]> {
  const states = await statesOf(client, owner);
  refuseOther(states, owner.module);
  const missing = missingOf(owner.history, states).filter(({ phase }) => isEmpty || phase === 'expand');
  const migrator = new SchemaMigrator(client, owner.history);
  if (isEmpty) await migrator.applyAtOnce(missing);
  else for (const migration of missing) await migrator.apply(migration);
  return missing.map(({ name }) => name);
}

function missingOf({ migrations }: MigrationHistory, states: readonly MigrationState[]): SqlMigration[] {
  const applied = new Set(states.filter((state) => state.applied).map(({ name }) => name));
  return migrations.filter(({ name }) => !applied.has(name));
}

/** @throws OperatorError if a batch fails. */
async function finishBackfills(url: string): Promise<void> {
  const source = createDataSource({ url, poolSize: 1 });
  try {
    await source.initialize();
    const backfills = new Backfills(new Database(source));
    if (await backfills.finish()) return;
    const [failed] = await backfills.progress();
    throw new OperatorError(`A batch of ${failed?.migration ?? 'a migration'} failed: ${failed?.failure ?? 'unknown'}`);
  } finally {
    if (source.isInitialized) await source.destroy();
  }
}

/**
 * Runs the migrations that are named by the table that records them, and no others, in a database that nobody uses.
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
  await withSchemaLock(url, async (client) => {
    for (const owner of owners) {
      const states = await statesOf(client, owner);
      if (unknownOf(states).length > 0)
        throw new OperatorError('The database has migrations that the backup lacks: restore into a new, empty one');
      await new SchemaMigrator(client, owner.history).applyAtOnce(missingOf(owner.history, states));
    }
  });
}

const onlyOf = (history: MigrationHistory, wanted: Readonly<Record<string, readonly string[]>>): MigrationHistory => ({
  ...history,
  migrations: history.migrations.filter(({ name }) => wanted[history.table]?.includes(name) === true),
});

/**
 * Reverts the migrations that ran last, with all data of their tables: those of the service, or of an external module.
 * @returns their names, newest first.
 * @throws OperatorError if no such module has migrations, or the database is newer than the code.
 */
export async function migrateDown(
  url: string,
  steps: number,
  { module, added = [] }: { readonly module?: string | undefined; readonly added?: readonly Manifest[] } = {},
): Promise<string[]> {
  const owner = ownersOf(added).find((each) => each.module === module);
  if (owner === undefined) throw new OperatorError(`No module ${module} with migrations is added to this service`);
  const { history } = owner;
  return withSchemaLock(url, async (client) => {
    if (module === undefined) await adoptBaselines(client, history);
    const unknown = unknownOf(await statesOf(client, owner));
    if (unknown.length > 0) refuseNewer(unknown, module);
    const names = (await recordedMigrations(client, history.table)).reverse().slice(0, steps);
    const migrator = new SchemaMigrator(client, history);
    for (const name of names)
      for (const migration of history.migrations) if (migration.name === name) await migrator.revert(migration);
    return names;
  });
}
