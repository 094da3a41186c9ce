import { createHash } from 'node:crypto';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { extname, join, posix } from 'node:path';

/** A file of a module's screens as it was read at the start; nothing else is ever sent. */
export interface ScreenFile {
  readonly bytes: Buffer;
  readonly type: string;
}

/** The files of a module by their paths below its folder, and a hash of all of them. */
export interface ScreenFolder {
  readonly digest: string;
  readonly files: ReadonlyMap<string, ScreenFile>;
}

/** The types of files that browsers get; others, such as sources, stay where they are. */
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.jpg': 'image/jpeg',
  '.gif': 'image/gif',
  '.avif': 'image/avif',
  '.woff2': 'font/woff2',
};
/** Names that are the same in an address as in the folder. */
const NAME = /^[\w@-][\w.@-]*$/;
const MOST_FILES = 500;
const MOST_BYTES = 20_000_000;
const MOST_DEEP = 10;
const DIGEST_LENGTH = 22;

/** Reads the folder of a module's screens whole. Throws for one that has links, or more than a browser should load. */
export async function readScreenFolder(module: string, folder: string): Promise<ScreenFolder> {
  const fail = (text: string): never => {
    throw new Error(`the screens of the module ${module}: ${text}`);
  };
  const files = new Map<string, ScreenFile>();
  let bytes = 0;
  const read = async (below: string, depth: number): Promise<void> => {
    const names = await readdir(join(folder, below)).catch((error: NodeJS.ErrnoException) =>
      fail(`${join(folder, below)} cannot be read: ${error.code ?? error.message}`),
    );
    for (const name of names.sort()) {
      const path = posix.join(below, name);
      if (name.startsWith('.')) continue;
      const stats = await lstat(join(folder, path));
      if (stats.isDirectory()) {
        if (depth === MOST_DEEP) fail(`${path} lies too deep`);
        if (!NAME.test(name)) fail(`${path} has a name that is no part of an address`);
        await read(path, depth + 1);
        continue;
      }
      if (!stats.isFile()) fail(`${path} is a link or no file`);
      const type = TYPES[extname(name).toLowerCase()];
      if (type === undefined) continue;
      if (!NAME.test(name)) fail(`${path} has a name that is no part of an address`);
      bytes += stats.size;
      if (files.size === MOST_FILES || bytes > MOST_BYTES)
        fail(`the folder has more than ${MOST_FILES} files, or more than ${MOST_BYTES / 1_000_000} MB`);
      files.set(path, { bytes: await readFile(join(folder, path)), type });
    }
  };
  await read('', 0);
  return { digest: digestOf(files), files };
}

function digestOf(files: ReadonlyMap<string, ScreenFile>): string {
  const hash = createHash('sha256');
  for (const [path, { bytes }] of files) hash.update(`${path}\0${bytes.length}\0`).update(bytes);
  return hash.digest('base64url').slice(0, DIGEST_LENGTH);
}
