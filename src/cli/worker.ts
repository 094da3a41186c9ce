import { findAddedModules } from './added-modules.js';
import { readEnvironment } from './environment.js';
import { EXIT, type Output, describeFault, exit } from './output.js';
import { SIGNALS, Shutdown } from './shutdown.js';
import { WorkerPlace, send } from './worker-place.js';

/** Serves as one of several processes of a server. It ends with the main process, which alone heeds signals. */
export async function serveAsWorker(output: Output): Promise<void> {
  for (const signal of SIGNALS) process.on(signal, () => undefined);
  const shutdown = new Shutdown();
  const place = new WorkerPlace(shutdown);
  try {
    const start = await place.start();
    if (start === undefined) return;
    const { modules } = await findAddedModules(readEnvironment().values);
    const { runApplication } = await import('./application.js');
    await runApplication({ config: start.config, url: start.databaseUrl }, modules, shutdown, output, place);
  } catch (error) {
    await send({ type: 'fault', message: describeFault(error) });
    await exit(EXIT.failure);
  }
}
