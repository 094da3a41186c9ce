import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import type { DynamicModule, Type } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import pg from 'pg';
import { Addresses } from '../src/kernel/common/addresses.js';
import { Clock } from '../src/kernel/common/clock.js';
import { Database } from '../src/kernel/common/database.js';
import { randomCharacters } from '../src/kernel/common/ids.js';
import { type Config } from '../src/kernel/platform/config/config.js';
import { Listeners } from '../src/kernel/platform/http/listeners.js';
import { migrateUp } from '../src/cli/schema.js';
import type { Manifest } from '../src/kernel/platform/manifest/manifest.js';
import { loadConfig } from '../src/config.js';
import { createApp } from '../src/http.js';
import { learnPublishedDocument } from './contract/hooks.js';
import { undeclaredSealedColumns } from './security/sealed-columns.js';

/** The whole service on a database of its own. */
export class TestApp {
  private constructor(
    readonly nest: NestExpressApplication,
    readonly url: string,
    readonly config: Config,
    readonly databaseUrl: string,
    private readonly release: () => Promise<void>,
  ) {}

  /**
   * Boots a server; with `databaseUrl` a second one on the database of another, and with the settings and tables of the
   * manifests `added`.
   */
  static async start(
    environment: Readonly<Record<string, string>> = {},
    databaseUrl?: string,
    extensions: readonly (Type | DynamicModule)[] = [],
    added: readonly Manifest[] = [],
  ): Promise<TestApp> {
    const folder = await mkdtemp(join(tmpdir(), 'bindery-spec-'));
    const own = databaseUrl === undefined ? await createDatabase() : undefined;
    const url = databaseUrl ?? own?.url ?? '';
    const config = loadConfig(
      {
        DATA_DIR: folder,
        DATABASE_URL: url,
        SECRET_KEY: 'only-for-tests-only-for-tests-only-for-tests',
        LOG_LEVEL: 'silent',
        SEARCH_VECTORS: 'none',
        RATE_LIMIT_PER_MINUTE: '0',
        RATE_LIMIT_ANONYMOUS_PER_MINUTE: '0',
        OUTBOUND_ALLOW: '127.0.0.0/8',
        ...environment,
      },
      added,
    );
    const release = async (): Promise<void> => {
      await own?.drop();
      await rm(folder, { recursive: true, force: true });
    };
    // The databases of tests have the tables of the service; modules from elsewhere make their own.
    if (added.length > 0) await migrateUp(url, added);
    const nest = await createApp(config, { databaseUrl: url, logger: ['error', 'fatal'], modules: extensions });
    try {
      await nest.listen(0, '127.0.0.1');
      const address = `http://127.0.0.1:${(nest.getHttpServer().address() as AddressInfo).port}`;
      nest.get(Addresses).announce(address, address.replace('127.0.0.1', 'localhost'));
      await learnPublishedDocument(address, extensions.length > 0);
      return new TestApp(nest, address, config, url, release);
    } catch (error) {
      await nest.close();
      await release();
      throw error;
    }
  }

  get<Service>(type: Type<Service>): Service {
    return this.nest.get(type, { strict: false });
  }

  get database(): Database {
    return this.nest.get(Database);
  }

  /** Sets the service's clock; undefined gives it back the time of the machine. */
  setTime(now: Date | undefined): void {
    const clock = this.nest.get(Clock);
    clock.now = now ? () => new Date(now) : () => new Date();
  }

  async close(): Promise<void> {
    const undeclared = await undeclaredSealedColumns(this.database).catch(() => []);
    // A response that a test has not read would keep the server open.
    await this.nest.get(Listeners).close(1, 0);
    await this.nest.close();
    await this.release();
    if (undeclared.length > 0)
      throw new Error(`these columns hold encrypted values and must have the type sealed: ${undeclared.join(', ')}`);
  }
}

/** One server for all tests of a spec file. */
export function useApp(
  environment: Readonly<Record<string, string>> = {},
  modules: readonly (Type | DynamicModule)[] = [],
): { readonly current: TestApp } {
  let app: TestApp | undefined;
  beforeAll(async () => {
    app = await TestApp.start(environment, undefined, modules);
  });
  afterAll(() => app?.close());
  return {
    get current() {
      if (!app) throw new Error('the server runs only inside of tests');
      return app;
    },
  };
}

async function createDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `spec_${randomCharacters(12).toLowerCase()}`;
  const address = new URL(process.env['TEST_DATABASE_URL'] ?? '');
  const run = async (statement: string) => {
    const server = new pg.Client({ connectionString: address.toString() });
    await server.connect();
    try {
      await server.query(statement);
    } finally {
      await server.end();
    }
  };
  await run(`CREATE DATABASE ${name} TEMPLATE ${process.env['TEST_DATABASE_TEMPLATE'] ?? ''}`);
  const own = new URL(address);
  own.pathname = `/${name}`;
  return { url: own.toString(), drop: () => run(`DROP DATABASE ${name} WITH (FORCE)`) };
}
