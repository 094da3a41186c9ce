import { Command } from '@commander-js/extra-typings';
import { OperatorError } from '../kernel/platform/operator-error.js';
import { countArgument, timeArgument } from './arguments.js';
import { Output, table } from './output.js';

const TARGET = 'folder, or s3://bucket/prefix of the service of the S3_* settings';
const LISTED_FAULTS = 20;

const load = () => import('./backup-runs.js');

/** Works on a target alone, so that most of the service need not be loaded. */
const loadRepositories = () => import('./backup-repositories.js');

/** `bindery backup create|list|verify|restore|activate|prune`. */
export function backupCommand(): Command {
  return new Command('backup')
    .description('Back up database and files while servers run, and bring them back')
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(verifyCommand())
    .addCommand(restoreCommand())
    .addCommand(activateCommand())
    .addCommand(pruneCommand());
}

function createCommand(): Command<[string], Record<string, unknown>> {
  return new Command('create')
    .description('Back up database and files of one moment; only what the target lacks is stored')
    .argument('<target>', TARGET)
    .option('--plain', 'write without encryption')
    .option('--json', 'print JSON')
    .action(async (target, { plain = false, json = false }) => {
      const { runCreate } = await load();
      const output = new Output(json);
      const { lostFiles, ...backup } = await runCreate(target, plain, (line) => output.note(line));
      output.result({ ...factsOf(backup), lostFiles }, [
        `Wrote the backup ${backup.name}: ${sizes(factsOf(backup))}, of which ${megabytes(backup.manifest.storedBytes)} were stored.`,
        ...lostFiles.slice(0, LISTED_FAULTS).map((hash) => `  the file ${hash} is missing or damaged`),
      ]);
      if (lostFiles.length > 0)
        throw new OperatorError(
          `The backup is whole but for ${lostFiles.length} files that the database names and the file storage does not have`,
        );
    });
}

function listCommand(): Command<[string], Record<string, unknown>> {
  return new Command('list')
    .description('List the backups of a target, oldest first')
    .argument('<target>', TARGET)
    .option('--json', 'print JSON')
    .action(async (target, { json = false }) => {
      const { runList } = await loadRepositories();
      const output = new Output(json);
      const backups = (await runList(target, (line) => output.note(line))).map(factsOf);
      const lines = backups.map(({ at, release, rows, files, bytes, storedBytes }) => ({
        at,
        release,
        rows,
        files,
        size: megabytes(bytes),
        added: megabytes(storedBytes),
      }));
      output.result({ backups }, lines.length === 0 ? ['There is no backup.'] : table(lines));
    });
}

function verifyCommand(): Command<[string], Record<string, unknown>> {
  return new Command('verify')
    .description('Restore a backup into a database that is thrown away, and compare rows, files and a sample of pages')
    .argument('<target>', TARGET)
    .option('--at <time>', 'the newest backup not after this time; without it the newest', timeArgument)
    .option('--database-url <address>', 'empty database to use, and keep, in place of a temporary embedded one')
    .option('--json', 'print JSON')
    .action(async (target, { at, databaseUrl, json = false }) => {
      const { runVerify } = await load();
      const output = new Output(json);
      const found = await runVerify(target, { at, databaseUrl }, (line) => output.note(line));
      const { name, tables, rows, files, pages, faults } = found;
      output.result({ ...found, at: found.at.toISOString() }, [
        ...faults.slice(0, LISTED_FAULTS),
        `Compared ${rows} rows of ${tables} tables, ${files} files and ${pages} pages of the backup ${name}.`,
      ]);
      if (faults.length > 0) throw new OperatorError(`The backup ${name} has ${faults.length} faults`);
    });
}

function restoreCommand(): Command<[string], Record<string, unknown>> {
  return new Command('restore')
    .description('Restore a backup into the configured database, which has to be empty, and file storage')
    .argument('<target>', TARGET)
    .option('--at <time>', 'the newest backup not after this time; without it the newest', timeArgument)
    .option('--without-key', 'restore although no key of SECRET_KEY opens the secrets of the backup')
    .option('--json', 'print JSON')
    .action(async (target, { at, withoutKey = false, json = false }) => {
      const { runRestore } = await load();
      const output = new Output(json);
      const backup = await runRestore(target, { at, withoutKey }, (line) => output.note(line));
      output.result(factsOf(backup), [
        `Restored the backup of ${backup.at.toISOString()}: ${sizes(factsOf(backup))}.`,
        'The copy is quiet: it sends no webhooks, mail or pushes, and runs no jobs, until it is told that it is the one by "bindery backup activate".',
      ]);
    });
}

function activateCommand(): Command<[], Record<string, unknown>> {
  return new Command('activate')
    .description('Tell a restored copy that it is the one: its servers begin with background work within seconds')
    .option('--json', 'print JSON')
    .action(async ({ json = false }) => {
      const { runActivate } = await load();
      const activated = await runActivate();
      new Output(json).result({ activated }, [
        activated ? 'The copy is active: background work begins.' : 'No restored copy waits to be activated.',
      ]);
    });
}

function pruneCommand(): Command<[string], Record<string, unknown>> {
  return new Command('prune')
    .description(
      'Remove backups that no option keeps, and what interrupted ones have left; without options only the latter',
    )
    .argument('<target>', TARGET)
    .option('--keep-last <count>', 'keep the newest backups', countArgument)
    .option('--keep-daily <count>', 'keep the newest backup of each of so many days', countArgument)
    .option('--keep-weekly <count>', 'keep the newest backup of each of so many weeks', countArgument)
    .option('--json', 'print JSON')
    .action(async (target, { keepLast, keepDaily, keepWeekly, json = false }) => {
      const { runPrune } = await loadRepositories();
      const output = new Output(json);
      const isKeeping = [keepLast, keepDaily, keepWeekly].some((count) => count !== undefined);
      const policy = { last: keepLast ?? 0, daily: keepDaily ?? 0, weekly: keepWeekly ?? 0 };
      const pruned = await runPrune(target, isKeeping ? policy : undefined, (line) => output.note(line));
      const { kept, removed, removedObjects, removedBytes } = pruned;
      output.result(
        { kept: kept.map(({ name }) => name), removed: removed.map(({ name }) => name), removedObjects, removedBytes },
        [
          `Removed ${removed.length} backups and kept ${kept.length}; ${removedObjects} objects of ${megabytes(removedBytes)} are gone.`,
        ],
      );
    });
}

interface Described {
  readonly name: string;
  readonly at: Date;
  readonly manifest: {
    readonly finishedAt: string;
    readonly release: string;
    readonly tables: readonly { readonly stream: { readonly rows: number; readonly bytes: number } }[];
    readonly files: { readonly count: number; readonly bytes: number };
    readonly storedBytes: number;
  };
}

/** The facts of a backup; `bytes` are those of its rows and files, `storedBytes` those that it added to the target. */
function factsOf({ name, at, manifest: { finishedAt, release, tables, files, storedBytes } }: Described) {
  const rows = tables.reduce((sum, { stream }) => sum + stream.rows, 0);
  const bytes = tables.reduce((sum, { stream }) => sum + stream.bytes, files.bytes);
  return { name, at: at.toISOString(), finishedAt, release, rows, files: files.count, bytes, storedBytes };
}

const sizes = ({ rows, files, bytes }: ReturnType<typeof factsOf>): string =>
  `${rows} rows and ${files} files, ${megabytes(bytes)}`;

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
