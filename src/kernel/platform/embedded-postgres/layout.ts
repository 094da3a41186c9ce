import { createHash, randomBytes } from 'node:crypto';
import { access, chmod, chown, constants, lchown, readdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { OperatorError, codeOf, reasonOf } from '../operator-error.js';
import { type Account, canEnter, chooseAccount, isRoot } from './account.js';
import { exists, makeFolder, readIfPresent, readOrCreate } from './files.js';

/** The locations of one embedded database. */
export type Layout = {
  /** The server's data directory, real path. */
  readonly dataDir: string;
  /** Folder that holds the cluster, and the binaries where the package's own cannot be used. */
  readonly home: string;
  /** PostgreSQL's data directory. */
  readonly cluster: string;
  readonly log: string;
  /** The user that PostgreSQL runs as; undefined is the user of this process. */
  readonly account: Account | undefined;
};

const LOCATION = 'database.json';
/** Folders for the database of a root user whose data directory other users cannot enter. */
const SYSTEM_FOLDERS = ['/var/lib', '/var/db', '/srv', '/opt'];
const locationSchema = z.object({ home: z.string() });

/** Creates the data directory and verifies that it is writable. */
async function prepareDataDir(dataDir: string): Promise<string> {
  try {
    await makeFolder(dataDir);
    const real = await realpath(dataDir);
    await access(real, constants.R_OK | constants.W_OK | constants.X_OK);
    const probe = join(real, `.write-${randomBytes(6).toString('hex')}`);
    await writeFile(probe, '', { flag: 'wx' });
    await rm(probe);
    return real;
  } catch (error) {
    throw new OperatorError(
      `The data directory ${dataDir} cannot be written (${reasonOf(error)}): set DATA_DIR to a folder that this user may write, or set DATABASE_URL`,
      {
        cause: error,
      },
    );
  }
}

/**
 * Chooses a folder of our own that the account can enter, for root with a data directory that the account cannot enter.
 * Its name derives from the data directory.
 */
async function chooseSystemHome(dataDir: string, account: Account): Promise<string> {
  const name = `bindery-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}`;
  for (const parent of SYSTEM_FOLDERS) {
    if (!(await exists(parent)) || !(await canEnter(parent, account))) continue;
    const home = join(parent, name);
    try {
      await makeFolder(home);
      await chmod(home, 0o755);
      return home;
    } catch (error) {
      if (!['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error) ?? '')) throw error;
    }
  }
  throw new OperatorError(
    `The embedded database runs as the user ${account.name}, who can enter neither ${dataDir} nor a folder under ${SYSTEM_FOLDERS.join(', ')}: set DATA_DIR to a folder that other users can enter`,
  );
}

/** The home recorded in the data directory, chosen on the very first start. */
async function findHome(dataDir: string, account: Account | undefined): Promise<string> {
  const path = join(dataDir, LOCATION);
  const recorded = await readIfPresent(path);
  if (recorded !== undefined) return locationSchema.parse(JSON.parse(recorded)).home;
  const home =
    account === undefined || (await canEnter(dataDir, account)) ? '.' : await chooseSystemHome(dataDir, account);
  return locationSchema.parse(JSON.parse(await readOrCreate(path, () => JSON.stringify({ home })))).home;
}

/** An existing cluster keeps the account that owns it, whatever would be chosen today. */
async function ownerOf(cluster: string, chosen: Account | undefined): Promise<Account | undefined> {
  if (!(await exists(cluster))) return chosen;
  const { uid, gid } = await stat(cluster);
  const own = process.getuid?.();
  if (chosen === undefined) {
    if (own !== undefined && uid !== own) {
      throw new OperatorError(
        `The database in ${cluster} belongs to another user (number ${uid}): start as the user that created it, or as root`,
      );
    }
    return undefined;
  }
  if (uid === 0) {
    if (await exists(join(cluster, 'PG_VERSION'))) await chownTree(cluster, chosen);
    return chosen;
  }
  return uid === chosen.uid ? chosen : { name: `number ${uid}`, uid, gid };
}

/** Returns a cluster that was copied or restored by root to the account, which PostgreSQL requires. */
async function chownTree(folder: string, account: Account): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    await lchown(join(entry.parentPath, entry.name), account.uid, account.gid);
  }
  await chown(folder, account.uid, account.gid);
}

/**
 * Finds or chooses the locations of the database of `dataDir`. For root, the cluster belongs to an unprivileged account
 * and is in the data directory if that account can enter it, else in a folder of the system, recorded in
 * `database.json`.
 * @throws OperatorError if the data directory cannot be used.
 */
export async function prepareLayout(dataDir: string): Promise<Layout> {
  const real = await prepareDataDir(dataDir);
  try {
    const chosen = await chooseAccount();
    const home = await findHome(real, chosen);
    const folder = home === '.' ? real : home;
    const cluster = join(folder, 'postgres');
    if (!isRoot() && folder !== real) {
      throw new OperatorError(
        `The database of ${real} was created by root in ${folder}: start as root, or choose another DATA_DIR`,
      );
    }
    if (!(await exists(folder))) {
      throw new OperatorError(
        `The database of ${real} lies in ${folder}, which is gone: bring it back, or remove ${join(real, LOCATION)} to begin anew`,
      );
    }
    return {
      dataDir: real,
      home: folder,
      cluster,
      log: join(real, 'postgres.log'),
      account: await ownerOf(cluster, chosen),
    };
  } catch (error) {
    if (error instanceof OperatorError || codeOf(error) === undefined) throw error;
    throw new OperatorError(
      `The data directory ${real} cannot be used (${reasonOf(error)}): check who owns ${dirname(real)} and what is in it`,
      { cause: error },
    );
  }
}

/** The database's password, created on the first start. Only the owner of the data directory can read it. */
export const readPassword = (layout: Pick<Layout, 'dataDir'>): Promise<string> =>
  readOrCreate(join(layout.dataDir, 'database-password'), () => randomBytes(24).toString('base64url'));
