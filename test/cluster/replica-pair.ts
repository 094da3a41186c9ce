import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { type Account, chooseAccount, spawnOptions } from '../../src/kernel/platform/embedded-postgres/account.js';
import { type Binaries, prepareBinaries } from '../../src/kernel/platform/embedded-postgres/binaries.js';
import { freePort } from '../../src/kernel/platform/embedded-postgres/cluster.js';
import { pause } from '../faults/processes.js';
import type { DatabasePair } from './failovers.js';

const run = promisify(execFile);
const USER = 'bindery';
const DATABASE = 'docs';
const MOST_MILLISECONDS = 60_000;
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  wal_keep_size: '512MB',
  max_wal_size: '2GB',
  wal_receiver_status_interval: '1s',
  wal_retrieve_retry_interval: '200ms',
  fsync: 'off',
};

interface Node {
  readonly folder: string;
  readonly port: number;
  child?: ChildProcess;
}

/** A primary and its replica, of which each can become the other. */
export class ReplicaPair implements DatabasePair {
  private constructor(
    private readonly home: string,
    private readonly binaries: Binaries,
    private readonly account: Account | undefined,
    private primary: Node,
    private standby: Node,
    private readonly isSynchronous: boolean,
  ) {}

  /** The replica of a synchronous pair has each commit that is acknowledged, though it may not show it yet. */
  static async start({ isSynchronous = true } = {}): Promise<ReplicaPair> {
    const home = await mkdtemp(join(tmpdir(), 'bindery-pair-'));
    await chmod(home, 0o755);
    const account = await chooseAccount();
    const binaries = await prepareBinaries(home, account);
    const nodes = join(home, 'nodes');
    await mkdir(nodes);
    if (account) await chown(nodes, account.uid, account.gid);
    const [first, second] = [
      { folder: join(nodes, 'first'), port: await freePort() },
      { folder: join(nodes, 'second'), port: await freePort() },
    ];
    const words = ['--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync', `--username=${USER}`];
    await run(binaries.initdb, [...words, `--pgdata=${first.folder}`], spawnOptions(account));
    await run('cp', ['-a', first.folder, second.folder]);
    const pair = new ReplicaPair(home, binaries, account, first, second, isSynchronous);
    await pair.launch(first);
    await pair.ask(first, `CREATE DATABASE ${DATABASE}`, 'postgres');
    await pair.follow();
    return pair;
  }

  /** The address of both, as a client takes it that looks for the primary itself. */
  get url(): string {
    const [first, second] = [this.primary, this.standby].sort((a, b) => a.port - b.port);
    return `postgres://${USER}@127.0.0.1:${first?.port},127.0.0.1:${second?.port}/${DATABASE}?target_session_attrs=read-write`;
  }

  get primaryUrl(): string {
    return this.urlOf(this.primary);
  }

  get standbyUrl(): string {
    return this.urlOf(this.standby);
  }

  /** The primary is lost without a word, and the replica takes its place; the lost one becomes a new replica. */
  async failOver(): Promise<void> {
    await this.stop(this.primary, 'SIGQUIT');
    await this.promote();
    await rm(this.standby.folder, { recursive: true });
    await this.copyPrimary();
    await this.follow();
  }

  /** The primary hands over to the replica, and becomes its replica. */
  async switchOver(): Promise<void> {
    await this.stop(this.primary, 'SIGINT');
    await this.promote();
    await this.follow();
  }

  /** The primary is lost without a word, and comes back as it was. */
  async losePrimary(): Promise<() => Promise<void>> {
    const { primary } = this;
    await this.stop(primary, 'SIGQUIT');
    return () => this.launch(primary);
  }

  /** The replica is lost without a word, and comes back as it was. */
  async loseStandby(): Promise<() => Promise<void>> {
    const { standby } = this;
    await this.stop(standby, 'SIGQUIT');
    return () => this.launch(standby, this.sourceOf());
  }

  async close(): Promise<void> {
    for (const node of [this.standby, this.primary]) if (node.child) await this.stop(node, 'SIGQUIT');
    await rm(this.home, { recursive: true, force: true });
  }

  private async promote(): Promise<void> {
    [this.primary, this.standby] = [this.standby, this.primary];
    await this.ask(this.primary, 'SELECT pg_promote(true, 60)');
    await this.setSynchronous('');
  }

  /** Starts the standby after the primary, and lets no commit be acknowledged from then on that it does not have. */
  private async follow(): Promise<void> {
    const { standby, primary } = this;
    const signal = join(standby.folder, 'standby.signal');
    await writeFile(signal, '');
    if (this.account) await chown(signal, this.account.uid, this.account.gid);
    await this.launch(standby, this.sourceOf());
    await this.until(primary, `SELECT FROM pg_stat_replication WHERE state = 'streaming'`);
    if (!this.isSynchronous) return;
    await this.setSynchronous('standby');
    await this.until(primary, `SELECT FROM pg_stat_replication WHERE sync_state = 'sync'`);
  }

  /** The setting by which a replica follows the primary. */
  private sourceOf(): Readonly<Record<string, string>> {
    return {
      primary_conninfo: `host=127.0.0.1 port=${this.primary.port} user=${USER} application_name=standby`,
    };
  }

  private async setSynchronous(names: string): Promise<void> {
    await this.ask(this.primary, `ALTER SYSTEM SET synchronous_standby_names = '${names}'`);
    await this.ask(this.primary, 'SELECT pg_reload_conf()');
  }

  /** Copies the files of the primary while it works. */
  private async copyPrimary(): Promise<void> {
    const client = await this.connect(this.primary);
    try {
      await client.query(`SELECT pg_backup_start('standby', true)`);
      // Files that go while they are copied come back from the log.
      await run('cp', ['-a', this.primary.folder, this.standby.folder]).catch((error: unknown) => {
        if (!/cannot stat|No such file/.test(String(error))) throw error;
      });
      const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
      await rm(join(this.standby.folder, 'postmaster.pid'), { force: true });
      const label = join(this.standby.folder, 'backup_label');
      await writeFile(label, rows[0]?.labelfile ?? '');
      if (this.account) await chown(label, this.account.uid, this.account.gid);
    } finally {
      await client.end();
    }
  }

  private async launch(node: Node, more: Readonly<Record<string, string>> = {}): Promise<void> {
    const settings = Object.entries({ ...SETTINGS, port: String(node.port), ...more });
    node.child = spawn(
      this.binaries.postgres,
      ['-D', node.folder, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      { ...spawnOptions(this.account), stdio: 'ignore' },
    );
    await this.until(node, 'SELECT 1', 'postgres');
  }

  private async stop(node: Node, signal: NodeJS.Signals): Promise<void> {
    const { child } = node;
    delete node.child;
    if (!child || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  private urlOf({ port }: Node, database = DATABASE): string {
    return `postgres://${USER}@127.0.0.1:${port}/${database}`;
  }

  private async connect(node: Node, database?: string): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: this.urlOf(node, database) });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  private async ask(node: Node, statement: string, database?: string): Promise<number> {
    const client = await this.connect(node, database);
    try {
      return (await client.query(statement)).rowCount ?? 0;
    } finally {
      await client.end();
    }
  }

  /** Waits until a statement gives a row. */
  private async until(node: Node, statement: string, database?: string): Promise<void> {
    for (const deadline = Date.now() + MOST_MILLISECONDS; ; await pause(50)) {
      const count = await this.ask(node, statement, database).catch((error: unknown) => {
        if (Date.now() > deadline) throw error;
        return 0;
      });
      if (count > 0) return;
      if (Date.now() > deadline) throw new Error(`no row for ${statement}`);
    }
  }
}
