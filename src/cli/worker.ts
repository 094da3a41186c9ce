import type { Config } from '../kernel/platform/config/config.js';
import type { Manifest } from '../kernel/platform/manifest/manifest.js';
import { findAddedModules } from './added-modules.js';
import { readEnvironment } from './environment.js';
import { EXIT, type Output, describeFault, exit } from './output.js';
import { SIGNALS, Shutdown } from './shutdown.js';
import type { StandIn } from './stand-in.js';
import { WorkerPlace, send } from './worker-place.js';

/** Serves as one of several processes of a server. It ends with the main process, which alone heeds signals. */
export async function serveAsWorker(output: Output): Promise<void> {
  for (const signal of SIGNALS) process.on(signal, () => undefined);
  const shutdown = new Shutdown();
  const place = new WorkerPlace(shutdown);
  try {
    const standsInBy = await place.standIn();
    const { modules, manifests } = await findAddedModules(readEnvironment().values);
    const standIn = standsInBy && (await openStandIn(standsInBy, manifests));
    const start = await place.start();
    if (start === undefined) return await standIn?.close();
    const { runApplication } = await import('./application.js');
    const database = { config: start.config, url: start.databaseUrl };
    await runApplication(database, modules, shutdown, output, { place, standIn });
  } catch (error) {
    await send({ type: 'fault', message: describeFault(error) });
    await exit(EXIT.failure);
  }
}

/** Opens both ports at once, and loads the application behind them. */
async function openStandIn(config: Config, manifests: readonly Manifest[]): Promise<StandIn> {
  const { StandIn } = await import('./stand-in.js');
  const standIn = await StandIn.open(config, manifests);
  void import('./application.js').catch(() => undefined);
  return standIn;
}
