import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isRepositoryAddress, readRepositoryAddress } from '../authoring/interchange/git/repository-address.js';
import { OperatorError } from '../kernel/platform/operator-error.js';

/** The real path of a folder on this machine; throws if it does not exist. */
export async function folderAt(path: string): Promise<string> {
  const folder = await realpath(resolve(path)).catch(() => undefined);
  if (folder === undefined || !(await stat(folder)).isDirectory())
    throw new OperatorError(`The folder ${path} does not exist`);
  return folder;
}

/** Throws for a source that can be neither a folder nor a repository, before any work starts. */
export async function checkSource(source: string): Promise<void> {
  if (isRepositoryAddress(source)) readRepositoryAddress(source);
  else await folderAt(source);
}
