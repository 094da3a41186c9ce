import { Command } from '@commander-js/extra-typings';
import { countArgument } from './arguments.js';
import { Output, table } from './output.js';

const load = async () => ({ ...(await import('./schema.js')), ...(await import('./database.js')) });

/** `bindery migrate up|down|status`. */
export function migrateCommand(): Command {
  const migrate = new Command('migrate').description('Change the schema of the database');
  migrate
    .command('up')
    .description('Run the migrations that the database lacks')
    .option('--json', 'print JSON')
    .action(async ({ json = false }) => {
      const { migrateUp, withDatabase } = await load();
      const output = new Output(json);
      const ran = await withDatabase(({ url }, { manifests }) => migrateUp(url, manifests));
      output.result({ ran }, ran.length === 0 ? ['The database is up to date.'] : ran.map((name) => `ran ${name}`));
    });
  migrate
    .command('down')
    .description('Revert the newest migration; the data in its tables is lost')
    .option('--module <name>', 'external module whose migration is reverted, instead of the service')
    .option('--steps <count>', 'number of migrations', countArgument, 1)
    .option('--json', 'print JSON')
    .action(async ({ steps, module, json = false }) => {
      const { migrateDown, withDatabase } = await load();
      const output = new Output(json);
      const reverted = await withDatabase(({ url }, { manifests: added }) =>
        migrateDown(url, steps, { module, added }),
      );
      output.result(
        { reverted },
        reverted.length === 0 ? ['The database has no migration.'] : reverted.map((name) => `reverted ${name}`),
      );
    });
  migrate
    .command('status')
    .description('List the migrations and whether the database has them')
    .option('--json', 'print JSON')
    .action(async ({ json = false }) => {
      const { migrationStates, withDatabase } = await load();
      const output = new Output(json);
      const migrations = await withDatabase(({ url }, { manifests }) => migrationStates(url, manifests));
      const isExtended = migrations.some(({ module }) => module !== undefined);
      const lines = migrations.map(({ module, name, applied, known }) => ({
        migration: name,
        state: known ? (applied ? 'applied' : 'missing') : 'of another release',
        ...(isExtended && { module }),
      }));
      output.result({ migrations }, table(lines));
    });
  return migrate;
}
