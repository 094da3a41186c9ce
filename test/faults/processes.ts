import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  isPostmasterOf,
  parsePostmasterFile,
  signalPostmaster,
} from '../../src/kernel/platform/embedded-postgres/postmaster.js';
import { cliFile } from './program.js';

/** What a process of ours said and how it ended; `code` is null after a signal. */
export type Ending = {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
};

export type RunOptions = {
  readonly env?: Readonly<Record<string, string>>;
  /** Folder of another checkout, whose build is run. */
  readonly checkout?: string;
  /** Runs the sources of that checkout, which was not built. */
  readonly fromSources?: boolean;
};

/** Facts that `bindery serve --json` prints. */
export type Announcement = {
  readonly pid: number;
  readonly api: string;
  readonly docs: string;
  readonly published: string;
  readonly bootstrap?: {
    readonly userId: string;
    readonly email: string;
    readonly token?: string;
    readonly organization: { readonly id: string; readonly title: string };
  };
  readonly demo?: {
    readonly title: string;
    readonly site: string;
    readonly space: string;
    readonly pages: number;
    readonly review: { readonly number: number; readonly by: string; readonly url: string };
  };
};

const SECONDS_TO_START = 180;

export const pause = (milliseconds: number) => new Promise((settle) => setTimeout(settle, milliseconds));

/** The command line, run as a process of its own with an environment of its own. */
export class Process {
  stdout = '';
  stderr = '';
  readonly ending: Promise<Ending>;

  constructor(readonly child: ChildProcess) {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.ending = once(child, 'close').then(() => ({
      code: child.exitCode,
      signal: child.signalCode,
      stdout: this.stdout,
      stderr: this.stderr,
    }));
  }

  get over(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  kill(signal: NodeJS.Signals): Promise<Ending> {
    this.child.kill(signal);
    return this.ending;
  }

  /** Waits until standard output holds what `find` looks for. */
  async said<T>(find: (stdout: string) => T | undefined): Promise<T> {
    const deadline = Date.now() + SECONDS_TO_START * 1000;
    for (;;) {
      const found = find(this.stdout);
      if (found !== undefined) return found;
      if (this.over) throw new Error(`the process ended: ${this.stdout}${this.stderr}`);
      if (Date.now() > deadline) throw new Error(`the process said nothing of the kind: ${this.stdout}${this.stderr}`);
      await pause(20);
    }
  }

  /** The line of JSON of `serve --json`. */
  announcement(): Promise<Announcement> {
    return this.said((stdout) => {
      const line = stdout.split('\n').find((text) => text.startsWith('{"version"'));
      return line === undefined ? undefined : (JSON.parse(line) as Announcement);
    });
  }
}

/** A folder for one test with a data directory in it, and all processes that the test started on it. */
export class Stage {
  private readonly processes: Process[] = [];
  readonly dataDir: string;

  private constructor(
    readonly folder: string,
    /** The command line of this checkout. */
    readonly cli: string,
  ) {
    this.dataDir = join(folder, 'data');
  }

  /** Other users may enter the folder, so that a database of root lies in it and goes with it. */
  static async open(): Promise<Stage> {
    const folder = await mkdtemp(join(tmpdir(), 'bindery-start-'));
    await chmod(folder, 0o755);
    return new Stage(folder, await cliFile());
  }

  /** Takes over the data of another stage, on which nothing may run: much sooner done than making a database. */
  async copyData(other: Stage): Promise<void> {
    await promisify(execFile)('cp', ['-Rp', other.dataDir, this.dataDir]);
  }

  /** Starts `bindery` with these words; nothing of this process's environment reaches it but the path. */
  run(words: readonly string[], { env = {}, checkout, fromSources = false }: RunOptions = {}): Process {
    const own = {
      PATH: process.env['PATH'] ?? '',
      HOME: this.folder,
      DATA_DIR: this.dataDir,
      PORT: '0',
      DEMO: 'false',
      LOG_LEVEL: 'warn',
      WORKERS: '1',
      SHUTDOWN_DELAY: '0',
    };
    const built = checkout === undefined ? this.cli : join(checkout, 'dist', 'src', 'cli.js');
    const program =
      fromSources && checkout !== undefined
        ? ['--import', join(checkout, 'test', 'faults', 'run-typescript.mjs'), join(checkout, 'src', 'cli.ts')]
        : [built];
    const child = spawn(process.execPath, [...program, ...words], {
      cwd: checkout ?? this.folder,
      env: { ...own, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const started = new Process(child);
    this.processes.push(started);
    return started;
  }

  /** Runs a command to its end. */
  finish(words: readonly string[], options?: RunOptions): Promise<Ending> {
    return this.run(words, options).ending;
  }

  /** Starts a server and waits for its addresses. */
  async serve(options?: RunOptions): Promise<{ server: Process; facts: Announcement }> {
    const server = this.run(['serve', '--json'], options);
    return { server, facts: await server.announcement() };
  }

  /** The process number of PostgreSQL while it runs on the data directory. */
  async postgres(cluster = join(this.dataDir, 'postgres')): Promise<number | undefined> {
    const file = parsePostmasterFile(await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => ''));
    return file !== undefined && (await isPostmasterOf(file.pid, cluster)) ? file.pid : undefined;
  }

  /** Ends everything that was started here and removes the folder. */
  async close(): Promise<void> {
    for (const started of this.processes) if (!started.over) await started.kill('SIGKILL');
    const left = await this.postgres();
    if (left !== undefined) await signalPostmaster(left, 'immediate');
    for (let tries = 0; (await this.postgres()) !== undefined && tries < 500; tries++) await pause(20);
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
