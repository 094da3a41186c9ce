import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

function readVersion(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    try {
      const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name?: string; version?: string };
      if (manifest.name === 'bindery' && manifest.version) return manifest.version;
    } catch {
      // no manifest here: look one folder higher
    }
    const parent = dirname(folder);
    if (parent === folder) throw new Error('the package manifest of Bindery is missing');
    folder = parent;
  }
}

/** The version of this build, as in `0.1.0`. */
export const VERSION = readVersion();
