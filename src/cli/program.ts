import 'reflect-metadata';
import { Command, CommanderError } from '@commander-js/extra-typings';
import { VERSION } from '../version.js';
import { backupCommand } from './backup.js';
import { checkCommand } from './check.js';
import { doctorCommand } from './doctor.js';
import { devCommand } from './dev.js';
import { exportCommand } from './export.js';
import { exportSiteCommand } from './export-site.js';
import { filesCommand } from './files.js';
import { importCommand } from './import.js';
import { jobsCommand } from './jobs.js';
import { keysCommand } from './keys.js';
import { linksCommand } from './links.js';
import { migrateCommand } from './migrate.js';
import { openapiCommand } from './openapi.js';
import { orgCommand } from './org.js';
import { EXIT, Output, exit } from './output.js';
import { pullCommand } from './pull.js';
import { publishCommand, unpublishCommand } from './publish.js';
import { pushCommand } from './push.js';
import { serveCommand } from './serve.js';
import { siteCommand } from './site.js';
import { spaceCommand } from './space.js';
import { statusCommand } from './status.js';
import { tokenCommand } from './token.js';
import { userCommand } from './user.js';

/** The command line. Each command loads its code only when it is called, so that `--help` and wrong usage are quick. */
async function buildProgram(words: readonly string[]): Promise<Command> {
  const settings = words.includes('serve') ? (await import('../config.js')).describeSettings() : [];
  const program = new Command('bindery')
    .description('Self-hosted documentation management. Settings are environment variables, or lines of the file .env.')
    .version(VERSION)
    .showHelpAfterError('(--help tells how it is called)')
    .addHelpText('after', '\nExit codes: 0 done, 1 failed, 2 wrong usage.');
  program
    .addCommand(serveCommand(settings))
    .addCommand(migrateCommand())
    .addCommand(userCommand())
    .addCommand(tokenCommand())
    .addCommand(orgCommand())
    .addCommand(spaceCommand())
    .addCommand(siteCommand());
  program
    .addCommand(checkCommand())
    .addCommand(devCommand())
    .addCommand(pullCommand())
    .addCommand(statusCommand())
    .addCommand(pushCommand())
    .addCommand(importCommand())
    .addCommand(exportCommand())
    .addCommand(exportSiteCommand())
    .addCommand(publishCommand())
    .addCommand(unpublishCommand())
    .addCommand(linksCommand())
    .addCommand(backupCommand())
    .addCommand(doctorCommand())
    .addCommand(filesCommand())
    .addCommand(keysCommand())
    .addCommand(jobsCommand())
    .addCommand(openapiCommand());
  return program;
}

/** By default, Commander ends the process itself, with 1 for wrong usage. */
function overrideExit(command: Command): void {
  command.exitOverride();
  for (const child of command.commands) overrideExit(child as Command);
}

/** Runs the command line and ends the process with its exit code. */
export async function run(words: readonly string[]): Promise<void> {
  const program = await buildProgram(words);
  overrideExit(program);
  try {
    await program.parseAsync(words);
    await exit(EXIT.done);
  } catch (error) {
    if (error instanceof CommanderError) await exit(error.exitCode === 0 ? EXIT.done : EXIT.usage);
    new Output(words.includes('--json')).fault(error);
    await exit(EXIT.failure);
  }
}
