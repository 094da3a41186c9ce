import type { Manifest } from '../manifest/manifest.js';
import { loadMigrations, phaseOf, type SqlMigration } from './migration-file.js';

/** A sequence of migrations, and the table that records which of them the database has. */
export interface MigrationHistory {
  readonly table: string;
  readonly migrations: readonly SqlMigration[];
}

/** The service, and external modules with tables of their own. */
export interface SchemaOwner {
  readonly module: string | undefined;
  readonly history: MigrationHistory;
}

/** The history of the service itself: the migrations of all of its modules in order of time. */
export function historyOfService(manifests: readonly Manifest[]): MigrationHistory {
  const migrations = manifests.flatMap(({ name, migrations: folder }) =>
    folder === undefined ? [] : loadMigrations(folder, name),
  );
  return { table: 'migration', migrations: migrations.sort((a, b) => a.time - b.time) };
}

/** The histories of external modules, each of its own. */
export const ownersOfModules = (added: readonly Manifest[]): SchemaOwner[] =>
  added.flatMap(({ name, migrations }) =>
    migrations === undefined
      ? []
      : [{ module: name, history: { table: `migration_of_${name}`, migrations: loadMigrations(migrations) } }],
  );

/** The owners of migrations among assembled manifests, of which those of external modules name versions. */
export function schemaOwners(manifests: readonly Manifest[]): SchemaOwner[] {
  const isAdded = ({ requires }: Manifest): boolean => requires !== undefined;
  const own = manifests.filter((manifest) => !isAdded(manifest));
  return [{ module: undefined, history: historyOfService(own) }, ...ownersOfModules(manifests.filter(isAdded))];
}

/** A contracting migration, by a name that no other history has. */
export const contractionOf = ({ table }: MigrationHistory, name: string): string => `${table}.${name}`;

/** The contracting migrations with and without which code with these histories works. */
export const contractionsOf = (owners: readonly SchemaOwner[]): string[] =>
  owners.flatMap(({ history }) =>
    history.migrations
      .filter(({ name }) => phaseOf(name) === 'contract')
      .map(({ name }) => contractionOf(history, name)),
  );
