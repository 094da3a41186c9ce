import { randomUUID } from 'node:crypto';
import { NestFactory } from '@nestjs/core';
import type { INestApplicationContext } from '@nestjs/common';
import { BinderyModule } from '../app.module.js';
import { runInContext } from '../kernel/common/context.js';
import type { AddedModule } from '../kernel/platform/manifest/added-modules.js';
import type { Config } from '../kernel/platform/config/config.js';
import { KeyStates } from '../kernel/platform/keys/key-states.js';
import { ServerProcesses } from '../kernel/platform/migrations/server-processes.js';
import { logToStandardError } from '../kernel/platform/telemetry/logger.js';
import { type OpenDatabase, withDatabase } from './database.js';
import { limitHeapGrowth } from './heap-growth.js';
import { migrateUp } from './schema.js';

/**
 * Runs `work` with the services of the application on a migrated database, without listening. Read-only work encrypts
 * nothing, so it does not count as a use of the key. `settings` take the place of configured ones.
 */
export function withServices<T>(
  work: (services: INestApplicationContext) => Promise<T>,
  { onlyReads = false, settings = {} }: { readonly onlyReads?: boolean; readonly settings?: Partial<Config> } = {},
): Promise<T> {
  return withDatabase(async ({ url, config }, { modules, manifests }) => {
    await migrateUp(url, manifests);
    return withServicesOn({ url, config: { ...config, ...settings } }, modules, async (services) => {
      await services.get(ServerProcesses).start();
      if (!onlyReads) await services.get(KeyStates).start();
      return work(services);
    });
  });
}

/** Runs `work` with the services of the application on a database that is migrated already. */
export async function withServicesOn<T>(
  { url, config }: Pick<OpenDatabase, 'url' | 'config'>,
  modules: readonly AddedModule[],
  work: (services: INestApplicationContext) => Promise<T>,
): Promise<T> {
  logToStandardError();
  const services = await NestFactory.createApplicationContext(
    BinderyModule.forRoot(config, { databaseUrl: url, modules }),
    {
      logger: ['error', 'fatal'],
      abortOnError: false,
    },
  );
  limitHeapGrowth();
  try {
    return await runInContext({ requestId: randomUUID(), ip: undefined, ifMatch: undefined, source: 'script' }, () =>
      work(services),
    );
  } finally {
    await services.close();
  }
}
