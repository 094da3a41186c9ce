import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { TestApp } from '../../app.js';
import { type Process, Stage } from '../../faults/processes.js';

/** Megabytes after all garbage was collected. */
export interface Memory {
  readonly heap: number;
  readonly external: number;
  readonly rss: number;
}

interface LogLine {
  readonly level: string;
  readonly requestId?: string;
  readonly context?: string;
  readonly msg?: string;
}

/** The server under fire: the program itself as a process of its own, on the database and files of `app`. */
export class Target {
  /** Where its log has been read to. */
  private readTo = 0;
  private readonly errors: LogLine[] = [];

  private constructor(
    private readonly stage: Stage,
    private readonly server: Process,
    readonly api: string,
    readonly published: string,
  ) {}

  static async start(app: TestApp): Promise<Target> {
    const stage = await Stage.open();
    const env = {
      DATABASE_URL: app.databaseUrl,
      DATA_DIR: join(app.config.dataDir),
      SECRET_KEY: app.config.secretKey.join(),
      RATE_LIMIT_PER_MINUTE: '0',
      SEARCH_VECTORS: 'none',
      RATE_LIMIT_ANONYMOUS_PER_MINUTE: '0',
      OUTBOUND_ALLOW: '127.0.0.0/8',
      LOG_LEVEL: 'error',
      NODE_OPTIONS: `--import ${pathToFileURL(resolve('test/security/fuzz/collect-on-signal.mjs')).href}`,
    };
    const { server, facts } = await stage.serve({ env });
    return new Target(stage, server, new URL(facts.api).origin, new URL(facts.published).origin);
  }

  /** Why it does not run any more; undefined while it does. */
  get ending(): string | undefined {
    return this.server.over ? `the server ended: ${this.server.stderr.slice(-2000)}` : undefined;
  }

  /** The error that the log has for a request. */
  errorOf(requestId: unknown): string | undefined {
    this.read();
    return this.errors.find((line) => line.requestId === requestId)?.msg;
  }

  /** Errors that belong to no request: of jobs and of what runs by itself. */
  strayErrors(): string[] {
    this.read();
    return this.errors
      .filter(({ requestId }) => requestId === undefined)
      .map(({ context, msg }) => `${context ?? ''}: ${msg ?? ''}`);
  }

  private read(): void {
    const { stdout } = this.server;
    const end = stdout.lastIndexOf('\n') + 1;
    for (const line of stdout.slice(this.readTo, end).split('\n')) {
      if (/^{"level":"(error|fatal)"/.test(line)) this.errors.push(JSON.parse(line) as LogLine);
    }
    this.readTo = Math.max(this.readTo, end);
  }

  /** What the server needs when it has thrown away everything that it can. */
  async memory(): Promise<Memory> {
    const before = this.server.stdout.length;
    this.server.child.kill('SIGUSR2');
    const line = await this.server.said((stdout) => /{"memory":({[^}]+})}\n/.exec(stdout.slice(before))?.[1]);
    const { heapUsed, external, rss } = JSON.parse(line) as Record<string, number>;
    const megabytes = (bytes = 0): number => Math.round(bytes / 2 ** 20);
    return { heap: megabytes(heapUsed), external: megabytes(external), rss: megabytes(rss) };
  }

  async close(): Promise<void> {
    await this.stage.close();
  }
}
