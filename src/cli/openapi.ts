import { Command } from '@commander-js/extra-typings';
import type { NestExpressApplication } from '@nestjs/platform-express';

/** Prints the OpenAPI document of this version, without a server and without a database. */
export function openapiCommand(): Command {
  return new Command('openapi')
    .description('print the OpenAPI document of the service; needs neither a server nor a database')
    .action(async () => {
      process.stdout.write(`${JSON.stringify(await describedService())}\n`);
    });
}

/** The modules are only looked at: no service is made, so nothing is connected. */
async function describedService(): Promise<object> {
  const { NestFactory } = await import('@nestjs/core');
  const { BinderyModule } = await import('../app.module.js');
  const { loadConfig } = await import('../config.js');
  const { createOpenApiDocument } = await import('../openapi-document.js');
  const { MANIFESTS } = await import('../manifests.js');
  const { assemble } = await import('../kernel/platform/manifest/registry.js');
  assemble(MANIFESTS);
  const config = loadConfig({ DATABASE_URL: 'postgres://localhost/none', SECRET_KEY: 'x'.repeat(32) });
  const app = await NestFactory.create<NestExpressApplication>(BinderyModule.forRoot(config), {
    preview: true,
    abortOnError: false,
    logger: ['error'],
  });
  app.setGlobalPrefix('v1');
  return createOpenApiDocument(app);
}
