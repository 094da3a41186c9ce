import { NestFactory } from '@nestjs/core';
import type { INestApplicationContext } from '@nestjs/common';
import { AppModule } from '../app.module.js';
import { withDatabase } from './database.js';
import { migrateUp } from './schema.js';

/** Runs `work` with the services of the application on a migrated database, without listening. */
export function withServices<T>(work: (services: INestApplicationContext) => Promise<T>): Promise<T> {
  return withDatabase(async ({ url, config }) => {
    await migrateUp(url);
    const services = await NestFactory.createApplicationContext(AppModule.with(config, url), { logger: ['error', 'fatal'], abortOnError: false });
    try {
      return await work(services);
    } finally {
      await services.close();
    }
  });
}
