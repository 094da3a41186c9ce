import cluster from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import { DATABASE_AWAY, infrastructureFaultOf } from '../kernel/common/infrastructure-fault.js';
import type { Config } from '../kernel/platform/config/config.js';
import type { Manifest } from '../kernel/platform/manifest/manifest.js';
import { WORKER } from '../kernel/platform/processes.js';
import { OperatorError } from '../kernel/platform/operator-error.js';
import { DatabaseUnreachable, openDatabase, type OpenDatabase, type OpenOptions } from './database.js';
import { readConfiguration, type Configuration } from './configuration.js';
import type { Output } from './output.js';
import { migrateUp } from './schema.js';
import { Shutdown } from './shutdown.js';
import { defaultWorkers } from './worker-count.js';

/** Milliseconds between two trials to reach a database that does not answer. */
const BETWEEN_TRIALS = 1000;

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
  const options: OpenOptions = {
    role: 'server',
    note: (line) => output.note(line),
    whileStarting: () => workersOf(configuration.config) === 1 && void loadApplication().catch(() => undefined),
    onLost: (reason) => shutdown.lose(reason),
  };
  let database: OpenDatabase;
  try {
    database = await openDatabase(configuration.config, options);
  } catch (error) {
    if (!(error instanceof DatabaseUnreachable) || !(await mayStandIn(configuration.config))) throw error;
    output.note(
      `${error.message}. Until it answers, stored pages of public sites are sent, for PUBLISHED_AWAY_SECONDS.`,
    );
    await serveWithout(() => reach(configuration, options, shutdown, output), configuration, shutdown, output);
    return;
  }
  try {
    await serveOn(database, configuration, shutdown, output);
  } finally {
    await database.close();
  }
  if (shutdown.loss !== undefined)
    throw new OperatorError(`The database was lost (${shutdown.loss}), so the server stopped: start it again`);
}

async function mayStandIn(config: Config): Promise<boolean> {
  const { hasStoredPages, standsIn } = await import('../publishing/published-sites/pages/page-cache.js');
  return standsIn(config) && (await hasStoredPages(config));
}

/** Serves stored pages of public sites until the database is reached, and then on it, without closing a port. */
async function serveWithout(
  reached: () => Promise<OpenDatabase | undefined>,
  { config, modules, manifests }: Configuration,
  shutdown: Shutdown,
  output: Output,
): Promise<void> {
  const workers = workersOf(config);
  if (workers > 1) {
    const { serveWithWorkers } = await import('./workers.js');
    await serveWithWorkers(config, async () => (await reached())?.url, workers, shutdown, output);
    return;
  }
  const { StandIn } = await import('./stand-in.js');
  const standIn = await StandIn.open(config, manifests);
  void loadApplication().catch(() => undefined);
  const database = await reached();
  if (database === undefined) return await standIn.close();
  const { runApplication } = await loadApplication();
  await runApplication(database, modules, shutdown, output, { standIn });
}

/**
 * Tries to open the database, which is not embedded, until it answers, and migrates it; undefined once the server has
 * to end.
 * @throws OperatorError if it answers and cannot be used.
 */
async function reach(
  { config, manifests }: Configuration,
  options: OpenOptions,
  shutdown: Shutdown,
  output: Output,
): Promise<OpenDatabase | undefined> {
  for (;;) {
    await Promise.race([pause(BETWEEN_TRIALS), shutdown.wait()]);
    try {
      const database = await Promise.race([openDatabase(config, options), shutdown.wait()]);
      if (shutdown.requested || !database) return undefined;
      await migrate(database, manifests, output);
      return database;
    } catch (error) {
      if (!(error instanceof DatabaseUnreachable) && infrastructureFaultOf(error) !== DATABASE_AWAY) throw error;
    }
  }
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
  await migrate(database, manifests, output);
  if (shutdown.requested) return;
  const workers = workersOf(config);
  if (workers > 1) {
    const { serveWithWorkers } = await import('./workers.js');
    await serveWithWorkers(database.config, database.url, workers, shutdown, output);
    return;
  }
  const { runApplication } = await loadApplication();
  await runApplication(database, modules, shutdown, output);
}

async function migrate({ url }: OpenDatabase, manifests: readonly Manifest[], output: Output): Promise<void> {
  const begin = performance.now();
  const ran = await migrateUp(url, manifests);
  if (ran.length > 0) output.note(`Migrated the database: ${named(ran)}, in ${seconds(performance.now() - begin)}`);
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
