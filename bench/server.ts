import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../src/kernel/platform/embedded-postgres/cluster.js';
import { Connection, requestText } from './connection.js';
import { endProcess, untilAnswering } from './processes.js';

const CLI = fileURLToPath(new URL('../dist/src/cli.js', import.meta.url));
/** As `npm start` and the container image start it. */
const SMALL_YOUNG_SPACE = '--max-semi-space-size=4';
/** As the container image sets it. */
const ALLOCATOR = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' };
const UNBUNDLED_CLI = fileURLToPath(new URL('./unbundled.mjs', import.meta.url));

export interface ServerOptions {
  /** Folder for data and the log. */
  readonly folder: string;
  readonly token: string;
  /** By default the server runs the embedded database of `folder` itself. */
  readonly databaseUrl?: string;
  /** Pages are found by words alone unless this says otherwise: vectors are made in the background of what is measured. */
  readonly searchVectors?: 'model' | 'none';
  /** Folder for a CPU profile, written when the server stops; a profiled server runs without the bundle, in which no file names its part. */
  readonly profile?: string;
}

/** The built product, as a separate process with its usual settings, but that its rate limits are never reached and vectors are made only where
 * they are measured. */
export class Server {
  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
    /** The port of files and published sites. */
    readonly publicPort: number,
    /** From the start of the process to its first response. */
    readonly startMs: number,
  ) {}

  get pid(): number {
    return this.child.pid ?? 0;
  }

  static async start({ folder, token, databaseUrl, searchVectors = 'none', profile }: ServerOptions): Promise<Server> {
    const [port, publicPort] = [await freePort(), await freePort()];
    const logFile = join(folder, 'server.log');
    const log = openSync(logFile, 'a');
    const begin = performance.now();
    const child = spawn(
      process.execPath,
      [
        ...(profile === undefined
          ? [SMALL_YOUNG_SPACE, CLI]
          : ['--cpu-prof', `--cpu-prof-dir=${profile}`, UNBUNDLED_CLI]),
        'serve',
      ],
      {
        stdio: ['ignore', log, log],
        env: {
          PATH: process.env['PATH'],
          ...ALLOCATOR,
          WORKERS: '1',
          NODE_ENV: 'production',
          PORT: String(port),
          PUBLIC_PORT: String(publicPort),
          DATA_DIR: folder,
          DEMO: 'false',
          SHUTDOWN_DELAY: '0',
          BOOTSTRAP_TOKEN: token,
          SEARCH_VECTORS: searchVectors,
          // Counted as always, and never reached.
          RATE_LIMIT_PER_MINUTE: '10000000',
          RATE_LIMIT_ANONYMOUS_PER_MINUTE: '10000000',
          ...(databaseUrl !== undefined && {
            DATABASE_URL: databaseUrl,
            SECRET_KEY: 'of-the-benchmark-of-the-benchmark-of-the-benchmark',
          }),
        },
      },
    );
    closeSync(log);
    try {
      await untilAnswering('the server', child, logFile, () => answers(port, token));
    } catch (error) {
      await endProcess(child);
      throw error;
    }
    return new Server(child, port, publicPort, performance.now() - begin);
  }

  stop(): Promise<void> {
    return endProcess(this.child);
  }
}

/**
 * Tells whether the server accepts requests, which at the very first start it does a moment before the token exists.
 */
async function answers(port: number, token: string): Promise<boolean> {
  try {
    const connection = await Connection.open(port);
    const { status } = await connection.send(requestText('GET', '/v1/user', token));
    connection.close();
    return status === 200;
  } catch {
    return false;
  }
}
