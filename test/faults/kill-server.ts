import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { databaseUrl } from '../../src/kernel/platform/embedded-postgres/cluster-lock.js';
import {
  isPostmasterOf,
  readPostmasterFile,
  signalPostmaster,
} from '../../src/kernel/platform/embedded-postgres/postmaster.js';
import { cliFile } from './program.js';

const START_PATIENCE_MS = 120_000;

/** The server itself as an operator runs it, durable, on the embedded database of a folder; can be killed and started again. */
export class KilledServer {
  private child: ChildProcess | undefined;
  private errors = '';
  url = '';

  constructor(
    readonly dataDir: string,
    readonly token: string,
    private readonly settings: Readonly<Record<string, string>> = {},
  ) {}

  private get cluster(): string {
    return join(this.dataDir, 'postgres');
  }

  /** Starts the server; settles when it listens. */
  async start(): Promise<void> {
    const env = {
      PATH: process.env['PATH'],
      PORT: '0',
      DATA_DIR: this.dataDir,
      DEMO: 'false',
      SHUTDOWN_DELAY: '0',
      BOOTSTRAP_TOKEN: this.token,
      LOG_LEVEL: 'error',
      WORKERS: '1',
      RATE_LIMIT_PER_MINUTE: '0',
      SEARCH_VECTORS: 'none',
      RATE_LIMIT_ANONYMOUS_PER_MINUTE: '0',
      ...this.settings,
    };
    // As `npm start` does it.
    const child = spawn(process.execPath, ['--max-semi-space-size=4', await cliFile(), 'serve', '--json'], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env,
    });
    this.child = child;
    this.errors = '';
    child.stderr.on('data', (chunk: Buffer) => (this.errors = (this.errors + chunk.toString()).slice(-5000)));
    const lines = createInterface(child.stdout);
    const timer = setTimeout(() => child.kill('SIGKILL'), START_PATIENCE_MS);
    try {
      for await (const line of lines) {
        const { api } = JSON.parse(line) as { api?: string };
        if (api === undefined) continue;
        this.url = api;
        child.stdout.resume();
        return;
      }
    } finally {
      clearTimeout(timer);
    }
    throw new Error(`the server did not start: ${this.errors}`);
  }

  /** Process number of the server. */
  get pid(): number | undefined {
    return this.child?.pid;
  }

  /** What the server wrote to standard error since its last start. */
  get complaints(): string {
    return this.errors;
  }

  /** Ends the server at once, as a crash does. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  /** Ends the server in good order, with its database. */
  async stop(): Promise<void> {
    await this.end('SIGTERM');
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const { child } = this;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  }

  /** Process number of this folder's own PostgreSQL, by its pid file and confirmed by the process itself. */
  private async postmaster(): Promise<number | undefined> {
    const file = await readPostmasterFile(this.cluster);
    return file !== undefined && (await isPostmasterOf(file.pid, this.cluster)) ? file.pid : undefined;
  }

  /** Kills PostgreSQL at once; tells whether there was one. */
  async killDatabase(): Promise<boolean> {
    const pid = await this.postmaster();
    if (pid === undefined) return false;
    process.kill(pid, 'SIGKILL');
    return true;
  }

  /** Lets nothing of this folder run on after a test, whatever happened in it. */
  async clear(): Promise<void> {
    await this.kill();
    const pid = await this.postmaster();
    if (pid !== undefined) await signalPostmaster(pid, 'immediate');
  }

  /** Address of the running database, password included. */
  async databaseUrl(): Promise<string> {
    const file = await readPostmasterFile(this.cluster);
    if (file === undefined) throw new Error('the database does not run');
    const password = (await readFile(join(this.dataDir, 'database-password'), 'utf8')).trim();
    return databaseUrl(file.port, password, 'bindery');
  }
}
