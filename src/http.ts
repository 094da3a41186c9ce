import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { LoggerService, LogLevel } from '@nestjs/common';
import { BinderyModule, type ServiceOptions } from './app.module.js';
import { DirectReads } from './kernel/access/direct-reads.js';
import { limitCaches } from './kernel/common/cache.js';
import type { Config } from './kernel/platform/config/config.js';
import { requestContext } from './kernel/common/request-context.middleware.js';
import { serveOpenApiDocument } from './openapi-document.js';
import { HttpAdapter } from './kernel/platform/http/http-adapter.js';
import { applyHttpPlatform } from './kernel/platform/http/http-platform.js';
import { TrustedProxies } from './kernel/platform/http/trusted-proxies.js';
import { UnsubscribeEndpoint } from './operations/notifications/unsubscribe-endpoint.js';
import { AgentsEndpoint } from './operations/agents/agents-endpoint.js';
import { OauthEndpoint } from './identity/oauth/oauth-endpoint.js';
import { LoginsEndpoint } from './identity/sso/logins-endpoint.js';
import { WorkspaceStyle } from './publishing/published-sites/pages/workspace-style.js';
import { WorkspaceEndpoint } from './workspace/browser/workspace-endpoint.js';
import { serveRoot } from './root-page.js';
import { Validation } from './kernel/common/validation.pipe.js';

const PREFIX = 'v1';

export interface AppOptions extends ServiceOptions {
  readonly logger?: LoggerService | LogLevel[];
}

/** Creates the service over a migrated database, ready to listen. */
export async function createApp(
  config: Config,
  { logger, ...options }: AppOptions = {},
): Promise<NestExpressApplication> {
  limitCaches(config.memoryBudget);
  const app = await NestFactory.create<NestExpressApplication>(
    BinderyModule.forRoot(config, options),
    new HttpAdapter(),
    {
      bodyParser: false,
      abortOnError: false,
      ...(logger ? { logger } : {}),
    },
  );
  app.set('etag', false);
  const proxies = new TrustedProxies(config.trustedProxies);
  const validation = new Validation();
  const endpoints = [
    app.get(WorkspaceStyle),
    app.get(WorkspaceEndpoint),
    app.get(LoginsEndpoint),
    app.get(OauthEndpoint),
    app.get(AgentsEndpoint),
    app.get(UnsubscribeEndpoint),
  ].map((endpoint) => endpoint.handle.bind(endpoint));
  applyHttpPlatform(
    app,
    config,
    requestContext((request) => proxies.clientOf(request)),
    [app.get(DirectReads).below(`/${PREFIX}`, validation), ...endpoints],
  );
  app.setGlobalPrefix(PREFIX);
  app.useGlobalPipes(validation);
  serveOpenApiDocument(app);
  serveRoot(app);
  return app;
}
