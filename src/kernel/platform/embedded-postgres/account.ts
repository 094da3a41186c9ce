import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { OperatorError } from '../operator-error.js';

/** The unprivileged user that PostgreSQL runs as when we are root, which it refuses to be. */
export type Account = { readonly name: string; readonly uid: number; readonly gid: number };

const run = promisify(execFile);
const CANDIDATES = ['postgres', 'nobody'];

async function lookUp(name: string): Promise<Account | undefined> {
  try {
    const [uid, gid] = await Promise.all(
      ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, name])).stdout)),
    );
    return uid === undefined || gid === undefined || uid === 0 ? undefined : { name, uid, gid };
  } catch {
    return undefined;
  }
}

/** How a program of the database is started: as the account, and without our environment, of which PostgreSQL would read settings. */
export function spawnOptions(account: Account | undefined): {
  uid?: number;
  gid?: number;
  env: Record<string, string>;
  cwd: string;
} {
  const env = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', TZ: 'UTC' };
  return { ...(account !== undefined && { uid: account.uid, gid: account.gid }), env, cwd: '/' };
}

/** True where this process is root, so that the database needs another user. */
export const isRoot = (): boolean => process.getuid?.() === 0;

/**
 * The account for a new database: the first of `postgres` and `nobody` that the machine knows. Undefined for a process
 * that is not root: PostgreSQL then runs as its user.
 */
export async function chooseAccount(): Promise<Account | undefined> {
  if (!isRoot()) return undefined;
  for (const name of CANDIDATES) {
    const account = await lookUp(name);
    if (account !== undefined) return account;
  }
  throw new OperatorError(
    'PostgreSQL refuses to run as root and this machine has neither a user "postgres" nor "nobody": start as another user, or set DATABASE_URL',
  );
}

/** Whether the account can enter the folder; asked of the system itself, because modes alone do not tell (ACLs, mounts). */
export async function canEnter(folder: string, account: Account): Promise<boolean> {
  return new Promise((settle, fail) => {
    const child = spawn('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], {
      uid: account.uid,
      gid: account.gid,
      cwd: '/',
      stdio: 'ignore',
    });
    child.once('error', (error) =>
      fail(
        new OperatorError(
          `Cannot become the user ${account.name}, which the embedded database needs: ${error.message}`,
        ),
      ),
    );
    child.once('exit', (code) => settle(code === 0));
  });
}
