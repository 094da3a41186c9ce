// Preloaded into a process, writes the addresses of the modules that it loads to the file LOADED_MODULES, one a line.
import { appendFileSync } from 'node:fs';
import { createRequire, register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

const note = (address) => appendFileSync(process.env.LOADED_MODULES, `${address}\n`);

if (isMainThread) {
  register(import.meta.url);
  const { cache } = createRequire(import.meta.url);
  process.once('exit', () => Object.keys(cache).forEach((path) => note(path)));
}

export async function load(address, context, next) {
  if (address.startsWith('file:')) note(address);
  return next(address, context);
}
