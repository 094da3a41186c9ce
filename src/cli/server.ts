import { loadConfig } from '../config.js';
import { OperatorError } from '../kernel/platform/operator-error.js';
import { type OpenDatabase, openDatabase } from './database.js';
import { readEnvironment } from './environment.js';
import type { Output } from './output.js';
import { migrateUp } from './schema.js';
import { Shutdown } from './shutdown.js';

/** Runs the server until a signal or the loss of its database ends it. */
export async function serve(output: Output): Promise<void> {
  const { values, warnings } = readEnvironment();
  for (const warning of warnings) output.note(warning);
  const config = loadConfig(values);
  const shutdown = new Shutdown();
  shutdown.listen((line) => output.note(line));
  const database = await openDatabase(config, {
    role: 'server',
    note: (line) => output.note(line),
    onLost: (reason) => shutdown.lose(reason),
  });
  try {
    await serveOn(database, shutdown, output);
  } finally {
    await database.close();
  }
  if (shutdown.loss !== undefined)
    throw new OperatorError(`The database was lost (${shutdown.loss}), so the server stopped: start it again`);
}

/** The application takes longest to load, so it is loaded only for a database that it can serve. */
async function serveOn(database: OpenDatabase, shutdown: Shutdown, output: Output): Promise<void> {
  if (shutdown.requested) return;
  for (const name of await migrateUp(database.url)) output.note(`Migrated the database: ${name}`);
  if (shutdown.requested) return;
  const { runApplication } = await import('./application.js');
  await runApplication(database, shutdown, output);
}
