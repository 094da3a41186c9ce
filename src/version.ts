import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

type Manifest = { readonly name: string; readonly version: string; readonly engines: { readonly node: string } };

/** Loaded before the check of Node's release, so it must not use newer syntax. */
function readManifest(): Manifest {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    try {
      const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
      if (manifest.name === 'bindery') return manifest;
    } catch {
      // no manifest here: look one folder higher
    }
    const parent = dirname(folder);
    if (parent === folder) throw new Error('the package manifest of Bindery is missing');
    folder = parent;
  }
}

const manifest = readManifest();

/** The version of this build, as in `0.1.0`. */
export const VERSION = manifest.version;

/** The supported releases of Node, as in `>=20.19`. */
export const NODE_RANGE = manifest.engines.node;
