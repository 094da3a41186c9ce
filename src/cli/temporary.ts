import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { Addresses } from '../kernel/common/addresses.js';
import { loadConfig } from '../config.js';
import { createApp } from '../http.js';
import { PublicListener } from '../kernel/platform/public-listener.js';
import { Users } from '../identity/users/users.service.js';
import { bootstrap } from './bootstrap.js';
import { migrateUp } from './schema.js';

/** A temporary service with one administrator. */
export interface TemporaryService {
  readonly services: INestApplicationContext;
  /** Without a trailing slash and without `/v1`. */
  readonly api: string;
  readonly organizationId: string;
  readonly userId: string;
  readonly token: string;
}

/** Runs `work` with the address of an empty database in a folder, both of which are deleted afterwards. */
export async function withTemporaryDatabase<T>(work: (url: string, dataDir: string) => Promise<T>): Promise<T> {
  const { startEmbeddedPostgres } = await import('../kernel/platform/embedded-postgres/embedded-postgres.js');
  const dataDir = await mkdtemp(join(tmpdir(), 'bindery-temporary-'));
  const database = await startEmbeddedPostgres({ dataDir, durable: false, log: () => undefined });
  try {
    return await work(database.url, dataDir);
  } finally {
    await database.remove();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Runs `work` with a service on loopback whose database and files are deleted afterwards. */
export async function withTemporaryService<T>(work: (service: TemporaryService) => Promise<T>): Promise<T> {
  return withTemporaryDatabase(async (url, dataDir) => {
    await migrateUp(url);
    const config = loadConfig({
      DATA_DIR: dataDir,
      DATABASE_URL: url,
      SECRET_KEY: randomBytes(32).toString('hex'),
      RATE_LIMIT_PER_MINUTE: '0',
      LOG_LEVEL: 'error',
      DEMO: 'false',
    });
    const app = await createApp(config, { logger: ['error', 'fatal'] });
    try {
      await app.listen(0, '127.0.0.1');
      const addressOf = (port: number): string => `http://127.0.0.1:${port}`;
      const api = addressOf((app.getHttpServer().address() as AddressInfo).port);
      app.get(Addresses).announce(api, addressOf(await app.get(PublicListener).listen()));
      const first = await bootstrap(app, config);
      const owner = first && (await app.get(Users).findByEmail(first.email));
      if (!first?.token || !owner) throw new Error('a new database must not have accounts');
      return await work({
        services: app,
        api,
        organizationId: first.organization.id,
        userId: owner.id,
        token: first.token,
      });
    } finally {
      await app.close();
    }
  });
}
