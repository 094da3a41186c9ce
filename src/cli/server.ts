import cluster from 'node:cluster';
import { WORKER } from '../kernel/platform/processes.js';
import { OperatorError } from '../kernel/platform/operator-error.js';
import { type OpenDatabase, openDatabase } from './database.js';
import { readConfiguration, type Configuration } from './configuration.js';
import type { Output } from './output.js';
import { migrateUp } from './schema.js';
import { Shutdown } from './shutdown.js';
import { defaultWorkers } from './worker-count.js';

/** Runs the server until a signal or the loss of its database. */
export async function serve(output: Output): Promise<void> {
  if (WORKER !== undefined) {
    const { serveAsWorker } = await import('./worker.js');
    await serveAsWorker(output);
    return;
  }
  const configuration = await readConfiguration((line) => output.note(line));
  const shutdown = new Shutdown();
  shutdown.listen((line) => output.note(line));
  const database = await openDatabase(configuration.config, {
    role: 'server',
    note: (line) => output.note(line),
    whileStarting: () => workersOf(configuration.config) === 1 && void loadApplication().catch(() => undefined),
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

/**
 * Takes longest of a start. It begins while the embedded database starts, but never before the settings and the data
 * directory are found usable: their faults are told at once.
 */
const loadApplication = () => import('./application.js');

/** Serves on a database that is usable. */
async function serveOn(
  database: OpenDatabase,
  { config, modules, manifests }: Configuration,
  shutdown: Shutdown,
  output: Output,
): Promise<void> {
  if (shutdown.requested) return;
  const begin = performance.now();
  const ran = await migrateUp(database.url, manifests);
  if (ran.length > 0) output.note(`Migrated the database: ${named(ran)}, in ${seconds(performance.now() - begin)}`);
  if (shutdown.requested) return;
  const workers = workersOf(config);
  if (workers > 1) {
    const { serveWithWorkers } = await import('./workers.js');
    await serveWithWorkers(database, workers, shutdown, output);
    return;
  }
  const { runApplication } = await loadApplication();
  await runApplication(database, modules, shutdown, output);
}

/** The processes that answer requests; a process that another program has forked has no workers of its own. */
function workersOf({ workers }: Configuration['config']): number {
  return cluster.isWorker ? 1 : (workers ?? defaultWorkers());
}

const MOST_NAMED = 3;

function named(migrations: readonly string[]): string {
  if (migrations.length <= MOST_NAMED) return migrations.join(', ');
  return `${migrations.length} migrations up to ${migrations.at(-1) ?? ''}`;
}

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;
