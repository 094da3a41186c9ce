import { existsSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';
import { mayAddModules } from './added-modules.js';

type Program = typeof import('./program.js');

/** Written beside the compiled sources by `scripts/bundle.mjs`; there is none beside the sources themselves. */
const BUNDLE = new URL('../../bundle/', import.meta.url);
/** Beside the code itself: whoever can write into the one can write into the other. */
const COMPILE_CACHE = new URL('../../compile-cache/', import.meta.url);

/**
 * Loads the command line: from the bundle, in a fraction of the time, or module by module where there is none, and where
 * external modules may be added, which need the classes of this very service.
 */
export async function loadProgram(): Promise<Program> {
  if (!existsSync(BUNDLE) || mayAddModules(process.env)) return import('./program.js');
  keepCompiledCode();
  return (await import(new URL('program.js', BUNDLE).href)) as Program;
}

/**
 * Lets Node keep what it compiles for the next start, since Node 22.1; where the folder cannot be written, nothing is kept.
 */
function keepCompiledCode(): void {
  const { enableCompileCache } = nodeModule as { enableCompileCache?: (folder: string) => unknown };
  enableCompileCache?.(fileURLToPath(COMPILE_CACHE));
}
