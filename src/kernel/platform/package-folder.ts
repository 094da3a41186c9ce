import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A folder of this package beside its code, whether this file runs from `src` or from `dist/src`; undefined where it was left out. */
export function packageFolder(name: string): string | undefined {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json')))
      return existsSync(join(folder, name)) ? join(folder, name) : undefined;
    if (folder === dirname(folder)) return undefined;
  }
}
