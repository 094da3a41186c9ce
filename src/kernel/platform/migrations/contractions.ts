import type { DatabaseConnection } from '../../common/connection.js';
import { phaseOf, type SqlMigration } from './migration-file.js';
import type { SchemaOwner } from './migration-history.js';
import { SchemaMigrator } from './schema-migrator.js';

/**
 * The contracting migrations that a database lacks and whose turn it is: none of a history whose expanding ones are not
 * all there.
 */
export async function dueContractions(migrator: SchemaMigrator, { history }: SchemaOwner): Promise<SqlMigration[]> {
  const recorded = new Set(await migrator.recorded());
  const missing = history.migrations.filter(({ name }) => !recorded.has(name));
  return missing.every(({ name }) => phaseOf(name) === 'contract') ? missing : [];
}

/** Tells whether a contracting migration could run now. */
export async function canContract(client: DatabaseConnection, owners: readonly SchemaOwner[]): Promise<boolean> {
  for (const owner of owners) {
    const migrator = new SchemaMigrator(client, owner.history);
    const [first] = await dueContractions(migrator, owner);
    if (first !== undefined && (await migrator.waitsFor(first)) === undefined) return true;
  }
  return false;
}

/**
 * Runs the contracting migrations of each history in their order, up to the first that has to wait. The caller holds
 * the lock against other schema changes; `anyway` does not look at servers.
 * @returns the names of those that ran.
 */
export async function contractAll(
  client: DatabaseConnection,
  owners: readonly SchemaOwner[],
  anyway = false,
): Promise<string[]> {
  const ran: string[] = [];
  for (const owner of owners) {
    const migrator = new SchemaMigrator(client, owner.history);
    for (const migration of await dueContractions(migrator, owner)) {
      if ((await migrator.contract(migration, anyway)) !== undefined) break;
      ran.push(migration.name);
    }
  }
  return ran;
}
