import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * A folder of this package beside its code, whether this file runs from `src` or from `dist/src`; undefined if it does
 * not exist.
 */
export function packageFolder(name: string): string | undefined {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json')))
      return existsSync(join(folder, name)) ? join(folder, name) : undefined;
    if (folder === dirname(folder)) return undefined;
  }
}

/**
 * The folder of the migrations of a module of the service.
 * @throws if the folder of all migrations does not exist.
 */
export function migrationsOf(module: string): string {
  const folder = packageFolder('migrations');
  if (folder === undefined) throw new Error('the folder migrations is missing');
  return join(folder, module);
}
