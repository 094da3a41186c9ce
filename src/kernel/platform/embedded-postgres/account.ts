import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { OperatorError } from '../operator-error.js';

/**
 * The unprivileged user that PostgreSQL runs as if the current process is root, because PostgreSQL refuses to run as
 * root.
 */
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

/**
 * Options for starting a program of the database: with the account, and without the current environment, from which
 * PostgreSQL would read settings.
 */
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
 * Chooses the account for a new database: the first of `postgres` and `nobody` that exists on the machine. Undefined
 * for a process that is not root: PostgreSQL then runs as its user.
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

/**
 * Tells whether the account can enter the folder; asks the system, because modes alone are not conclusive (ACLs,
 * mounts).
 */
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
