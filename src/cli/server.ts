import { OperatorError } from '../kernel/platform/operator-error.js';
import { type OpenDatabase, openDatabase } from './database.js';
import { readConfiguration, type Configuration } from './configuration.js';
import type { Output } from './output.js';
import { migrateUp } from './schema.js';
import { Shutdown } from './shutdown.js';

/** Runs the server until a signal or the loss of its database. */
export async function serve(output: Output): Promise<void> {
  const configuration = await readConfiguration((line) => output.note(line));
  const shutdown = new Shutdown();
  shutdown.listen((line) => output.note(line));
  const database = await openDatabase(configuration.config, {
    role: 'server',
    note: (line) => output.note(line),
    onLost: (reason) => shutdown.lose(reason),
  });
  try {
    await serveOn(database, configuration, shutdown, output);
  } finally {
    await database.close();
  }
  if (shutdown.loss !== undefined)
    throw new OperatorError(`The database was lost (${shutdown.loss}), so the server stopped: start it again`);
}

/** The application takes longest to load, so it is loaded only once the database is usable. */
async function serveOn(
  database: OpenDatabase,
  { modules, manifests }: Configuration,
  shutdown: Shutdown,
  output: Output,
): Promise<void> {
  if (shutdown.requested) return;
  for (const name of await migrateUp(database.url, manifests)) output.note(`Migrated the database: ${name}`);
  if (shutdown.requested) return;
  const { runApplication } = await import('./application.js');
  await runApplication(database, modules, shutdown, output);
}
