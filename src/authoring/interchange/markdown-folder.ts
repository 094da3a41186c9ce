import type { Stats } from 'node:fs';
import { lstat, open, readdir, realpath } from 'node:fs/promises';
import { constants } from 'node:fs';
import { join } from 'node:path';
import { invalid } from '../../kernel/common/errors.js';
import type { PlanProblem, SourceFile } from './domain/plan-model.js';

export interface FolderLimits {
  maxFiles: number;
  /** Maximum size of one file in bytes. */
  maxFileSize: number;
}

const FOLDER_LIMITS: FolderLimits = { maxFiles: 100_000, maxFileSize: 100 * 1024 * 1024 };

export interface Folder {
  /** By path from the root of the folder, with slashes. */
  files: Map<string, SourceFile>;
  problems: PlanProblem[];
}

/** Folders that are not part of a repository's content. */
const SKIPPED = new Set(['.git', '.bindery', 'node_modules']);

/** Tells whether a folder of that name is never read. */
export function isSkipped(name: string): boolean {
  return SKIPPED.has(name);
}

/**
 * Lists the plain files of a folder on disk. Symbolic links, files with several names, devices, pipes and sockets are
 * refused and reported, so that no file outside the folder can be read through it. Throws `invalid` for a folder or file
 * that may not be read, as does reading one that went away since.
 */
export async function readFolder(directory: string, limits: FolderLimits = FOLDER_LIMITS): Promise<Folder> {
  const root = await realpath(directory);
  const folder: Folder = { files: new Map(), problems: [] };
  await readInto(folder, root, '', limits);
  return folder;
}

async function readInto(folder: Folder, root: string, path: string, limits: FolderLimits): Promise<void> {
  const entries = await readdir(join(root, path), { withFileTypes: true }).catch(explain(path));
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const at = path === '' ? entry.name : `${path}/${entry.name}`;
    if (entry.isDirectory()) {
      if (!isSkipped(entry.name)) await readInto(folder, root, at, limits);
      continue;
    }
    const stats = await lstat(join(root, at)).catch(explain(at));
    const refusal = refusalOf(entry.name, stats, folder.files.size, limits);
    if (refusal !== undefined)
      folder.problems.push({ file: at, level: 'error', rule: 'refused-file', message: refusal });
    else folder.files.set(at, { size: stats.size, read: () => readPlain(root, at, limits).catch(explain(at)) });
  }
}

/** Faults that people who own a folder can do something about; others are faults of the machine. */
const READ_FAULTS: Readonly<Record<string, string>> = {
  ENOENT: 'it went away while the folder was read',
  ENOTDIR: 'it went away while the folder was read',
  ELOOP: 'it became a symbolic link while the folder was read',
  EACCES: 'this account may not read it',
  EPERM: 'this account may not read it',
};

function explain(path: string): (error: unknown) => never {
  return (error) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const reason = READ_FAULTS[code];
    if (reason === undefined) throw error;
    throw invalid(path, path === '' ? reason.replace('it', 'the folder') : reason);
  };
}

function refusalOf(name: string, stats: Stats, count: number, limits: FolderLimits): string | undefined {
  if (stats.isSymbolicLink()) return 'symbolic links are not followed';
  if (!stats.isFile()) return 'only plain files are imported';
  if (stats.nlink > 1) return 'files with several names (hard links) are not imported';
  if (stats.size > limits.maxFileSize) return `the file is larger than ${limits.maxFileSize} bytes`;
  if (count >= limits.maxFiles) return `the folder has more than ${limits.maxFiles} files`;
  if (/[\\\0]/.test(name)) return 'the name holds a backslash';
  return undefined;
}

/** Reads a file that was a plain one when it was listed, and must still be. */
async function readPlain(root: string, path: string, limits: FolderLimits): Promise<Buffer> {
  const handle = await open(join(root, path), constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const stats = await handle.stat();
    const refusal = refusalOf('', stats, 0, limits);
    if (refusal !== undefined) throw invalid(path, refusal);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}
