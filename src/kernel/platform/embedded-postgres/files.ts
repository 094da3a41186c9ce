import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from '../operator-error.js';

/** Makes a rename or a new name in the folder survive a power failure. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Creates the folder and its parents. Unlike `mkdir` with `recursive`, which retries forever there, it fails if the
 * system reports ENOENT although the parent exists, as under `/proc`.
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (codeOf(error) === 'EEXIST' && (await stat(path)).isDirectory()) return;
    if (codeOf(error) !== 'ENOENT' || (await exists(dirname(path)))) throw error;
    await makeFolder(dirname(path));
    await mkdir(path);
  }
}

/** The file's text without surrounding white space; undefined if the file does not exist. */
export async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Tells whether the path exists. */
export async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

/**
 * Returns the file's text, writing it first if the file is absent. If several processes write at once, one wins and all
 * get its text; a reader never sees partial content. The mode is 0600.
 */
export async function readOrCreate(path: string, make: () => string): Promise<string> {
  const present = await readIfPresent(path);
  if (present !== undefined) return present;
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(`${make()}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  try {
    await link(draft, path);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
  await syncFolder(dirname(path));
  return (await readFile(path, 'utf8')).trim();
}
