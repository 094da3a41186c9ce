import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isRepositoryAddress, readRepositoryAddress } from '../authoring/interchange/git/repository-address.js';
import { OperatorError } from '../kernel/platform/operator-error.js';

/** The real path of a folder on this machine; throws where there is none. */
export async function folderAt(path: string): Promise<string> {
  const folder = await realpath(resolve(path)).catch(() => undefined);
  if (folder === undefined || !(await stat(folder)).isDirectory())
    throw new OperatorError(`There is no folder ${path}`);
  return folder;
}

/** Throws for what can be neither a folder nor a repository to import, before anything is started for it. */
export async function checkSource(source: string): Promise<void> {
  if (isRepositoryAddress(source)) readRepositoryAddress(source);
  else await folderAt(source);
}
