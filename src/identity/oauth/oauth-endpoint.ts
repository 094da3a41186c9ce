import { Injectable } from '@nestjs/common';
import { authorizationHandler } from '@modelcontextprotocol/sdk/server/auth/handlers/authorize.js';
import { metadataHandler } from '@modelcontextprotocol/sdk/server/auth/handlers/metadata.js';
import { clientRegistrationHandler } from '@modelcontextprotocol/sdk/server/auth/handlers/register.js';
import { revocationHandler } from '@modelcontextprotocol/sdk/server/auth/handlers/revoke.js';
import { tokenHandler } from '@modelcontextprotocol/sdk/server/auth/handlers/token.js';
import { Router, type NextFunction, type Request, type Response } from 'express';
import { Addresses } from '../../kernel/common/addresses.js';
import {
  AUTHORIZE_PATH,
  REGISTER_PATH,
  RESOURCE_METADATA_PATH,
  resourceMetadata,
  REVOKE_PATH,
  serverMetadata,
  TOKEN_PATH,
} from './oauth-metadata.js';
import { OauthProvider } from './oauth-provider.js';

/** The addresses of OAuth 2.1, beside those of the API. Requests are limited as all others, by their address. */
@Injectable()
export class OauthEndpoint {
  private readonly router = Router({ caseSensitive: true, strict: true });

  constructor(provider: OauthProvider, addresses: Addresses) {
    const options = { provider, rateLimit: false } as const;
    const { clientsStore } = provider;
    this.router.use(AUTHORIZE_PATH, authorizationHandler(options));
    this.router.use(TOKEN_PATH, tokenHandler(options));
    this.router.use(REVOKE_PATH, revocationHandler(options));
    this.router.use(
      REGISTER_PATH,
      clientRegistrationHandler({ clientsStore, rateLimit: false, clientIdGeneration: false }),
    );
    // The addresses are known only once the server listens.
    this.router.use('/.well-known/oauth-authorization-server', (request, response, next) =>
      metadataHandler(serverMetadata(addresses))(request, response, next),
    );
    for (const path of ['/.well-known/oauth-protected-resource', RESOURCE_METADATA_PATH])
      this.router.use(path, (request, response, next) =>
        metadataHandler(resourceMetadata(addresses))(request, response, next),
      );
  }

  /** The middleware; it runs after the rate limits. */
  handle(request: Request, response: Response, next: NextFunction): void {
    this.router(request, response, next);
  }
}
