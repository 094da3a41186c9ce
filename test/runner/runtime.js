import { readFileSync } from 'node:fs';
import { createRequire, register } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { keptFile } from '../faults/compile.mjs';

register('./hooks.mjs', import.meta.url);

const require = createRequire(import.meta.url);
const GLOBALS = Symbol.for('bindery.test-globals');
const HANDLERS = Symbol.for('EVENT_HANDLERS');

/** The spec files that this process has run. */
let specs = 0;

const bound = (object, names) => Object.fromEntries(names.map((name) => [name, object[name].bind(object)]));

/** The source map of a compiled source, as an address with its data; undefined for other modules. */
function sourceMapOf(address) {
  if (!/^file:.*\.ts(\?|$)/.test(address) || address.includes('/node_modules/')) return undefined;
  const filename = fileURLToPath(address);
  try {
    const code = readFileSync(keptFile(filename, readFileSync(filename, 'utf8')), 'utf8');
    return /^\/\/# sourceMappingURL=(data:\S+)/m.exec(code)?.[1];
  } catch {
    // Where nothing could be kept, stacks show the lines of the compiled source.
    return undefined;
  }
}

/** Gives jest the source map of a file when it prints a stack. */
class SourceMaps extends Map {
  get(address) {
    if (!this.has(address)) this.set(address, sourceMapOf(address));
    return super.get(address);
  }
}

/**
 * Loads spec files by Node's own loader instead of jest's, which has another instance of every module for each spec file.
 * Here a spec file and the modules beside it in `test/` are new for each (hooks.mjs), so that their state and hooks are
 * its own; those of `src/` and of packages are loaded once for a process. So nothing can be mocked by the name of its module.
 */
export default class ProcessRuntime {
  constructor(_config, environment) {
    this.environment = environment;
    this.sourceMaps = new SourceMaps();
  }

  /** The tests' framework, new for each spec file; what the last one left in the process goes. */
  requireInternalModule(path) {
    delete globalThis[HANDLERS];
    for (const symbol of Object.getOwnPropertySymbols(globalThis))
      if (symbol.description === 'JEST_STATE_SYMBOL') delete globalThis[symbol];
    delete require.cache[path];
    return require(path);
  }

  requireModule(path) {
    return require(path);
  }

  /** Keeps the exports of `@jest/globals` for the spec file, see globals.mjs. */
  setGlobalsForRuntime(globals) {
    const { moduleMocker, fakeTimersModern } = this.environment;
    const jest = {
      ...bound(moduleMocker, ['fn', 'replaceProperty', 'restoreAllMocks', 'spyOn']),
      ...bound(fakeTimersModern, ['advanceTimersByTime', 'advanceTimersByTimeAsync', 'useFakeTimers', 'useRealTimers']),
    };
    globalThis[GLOBALS] = { ...globals, jest };
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  unstable_importModule(path) {
    specs += 1;
    return import(`${pathToFileURL(path).href}?spec=${specs}`);
  }

  enterTestCode() {}

  leaveTestCode() {}

  getSourceMaps() {
    return this.sourceMaps;
  }

  getAllCoverageInfoCopy() {
    return undefined;
  }

  teardown() {
    delete globalThis[GLOBALS];
  }
}
