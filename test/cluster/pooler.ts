import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { chooseAccount, spawnOptions } from '../../src/kernel/platform/embedded-postgres/account.js';
import { freePort } from '../../src/kernel/platform/embedded-postgres/cluster.js';
import { pause } from '../faults/processes.js';

/** Debian's, or another one that is named. */
const PROGRAM = process.env['PGBOUNCER'] ?? '/usr/sbin/pgbouncer';

export const HAS_POOLER = existsSync(PROGRAM) || process.env['REQUIRE_PGBOUNCER'] === '1';

/** The first release that prepares statements in each session which it lends is 1.21. */
export async function poolerKeepsStatements(): Promise<boolean> {
  const { stdout } = await promisify(execFile)(PROGRAM, ['--version'], spawnOptions(await chooseAccount()));
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(stdout) ?? [];
  return Number(major) > 1 || Number(minor) >= 21;
}

/** PgBouncer in transaction mode before a database. */
export class Pooler {
  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
    private readonly folder: string,
  ) {}

  /** @param settings lines of `pgbouncer.ini` beside those that it cannot do without */
  static async before(databaseUrl: string, settings: Readonly<Record<string, string | number>>): Promise<Pooler> {
    const target = new URL(databaseUrl);
    const name = target.pathname.slice(1);
    const folder = await mkdtemp(join(tmpdir(), 'bindery-pooler-'));
    const port = await freePort();
    const lines = {
      listen_addr: '127.0.0.1',
      listen_port: port,
      unix_socket_dir: '',
      auth_type: 'any',
      pool_mode: 'transaction',
      max_client_conn: 1000,
      ...((await poolerKeepsStatements()) && { max_prepared_statements: 200 }),
      ...settings,
    };
    const file = join(folder, 'pgbouncer.ini');
    const server = `host=${target.hostname} port=${target.port} user=${decodeURIComponent(target.username)} password=${decodeURIComponent(target.password)}`;
    await writeFile(
      file,
      `[databases]\n${name} = ${server} dbname=${name}\n\n[pgbouncer]\n${Object.entries(lines)
        .map(([key, value]) => `${key} = ${value}\n`)
        .join('')}`,
    );
    // PgBouncer refuses to run as root.
    const account = await chooseAccount();
    if (account) for (const path of [folder, file]) await chown(path, account.uid, account.gid);
    await chmod(file, 0o600);
    const child = spawn(PROGRAM, [file], { ...spawnOptions(account), stdio: 'ignore' });
    target.hostname = '127.0.0.1';
    target.port = String(port);
    const pooler = new Pooler(target.href, child, folder);
    await pooler.untilReady();
    return pooler;
  }

  async close(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      this.child.kill('SIGTERM');
      await once(this.child, 'exit');
    }
    await rm(this.folder, { recursive: true, force: true });
  }

  private async untilReady(): Promise<void> {
    for (let tries = 1; ; tries++) {
      const client = new pg.Client({ connectionString: this.url });
      client.on('error', () => undefined);
      try {
        await client.connect();
        await client.query('SELECT 1');
        return;
      } catch (error) {
        if (tries >= 100 || this.child.exitCode !== null) throw error;
        await pause(50);
      } finally {
        await client.end().catch(() => undefined);
      }
    }
  }
}
