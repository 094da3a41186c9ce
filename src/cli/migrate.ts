import { Command } from '@commander-js/extra-typings';
import { countArgument } from './arguments.js';
import { Output, table } from './output.js';

const load = async () => ({ ...(await import('./schema.js')), ...(await import('./database.js')) });

/** `bindery migrate up|down|status|plan`. */
export function migrateCommand(): Command {
  const migrate = new Command('migrate').description('Change the schema of the database').addCommand(upCommand());
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
      const { migrationReport, withDatabase } = await load();
      const output = new Output(json);
      const migrations = await withDatabase(({ url }, { manifests }) => migrationReport(url, manifests));
      const isExtended = migrations.some(({ module }) => module !== undefined);
      const lines = migrations.map(({ module, name, phase, applied, known, batches, waits }) => ({
        migration: name,
        phase,
        state: known ? (applied ? 'applied' : 'missing') : 'of another release',
        ...(isExtended && { module }),
        rest: waits === undefined ? batches : `waits: ${waits}`,
      }));
      output.result({ migrations }, table(lines));
    });
  migrate
    .command('plan')
    .description('Tell what the missing migrations lock, how long about, and if servers of the release before work on')
    .option('--database-url <address>', 'empty database to try them in, and keep, in place of a temporary embedded one')
    .option('--check', 'end with status 1 where an expanding one changes what those servers use')
    .option('--json', 'print JSON')
    .action(async ({ databaseUrl, check = false, json = false }) => {
      const { runPlan, planLines, breaksServers } = await import('./migration-plan-runs.js');
      const planned = await runPlan(databaseUrl);
      if (check && planned.some(breaksServers)) process.exitCode = 1;
      const seconds = planned.reduce((sum, migration) => sum + migration.seconds, 0);
      new Output(json).result({ migrations: planned, seconds }, planLines(planned, seconds));
    });
  return migrate;
}

function upCommand() {
  return new Command('up')
    .description('Run the migrations that the database lacks; contracting ones only once no older server runs')
    .option('--contract', 'finish batches now, and run contracting migrations even if older servers are seen')
    .option('--json', 'print JSON')
    .action(async ({ contract = false, json = false }) => {
      const { migrateUp, migrationReport, withDatabase } = await load();
      const output = new Output(json);
      const { ran, waiting } = await withDatabase(async ({ url }, { manifests }) => {
        const names = await migrateUp(url, manifests, { contract });
        return {
          ran: names,
          waiting: (await migrationReport(url, manifests)).filter(({ waits }) => waits !== undefined),
        };
      });
      output.result({ ran, waiting }, [
        ...(ran.length + waiting.length === 0 ? ['The database is up to date.'] : ran.map((name) => `ran ${name}`)),
        ...waiting.map(({ name, waits }) => `${name} waits: ${waits}`),
      ]);
    });
}
