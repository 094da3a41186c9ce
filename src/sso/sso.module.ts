import { Module } from '@nestjs/common';
import { LoginTokens } from './login-tokens.service.js';
import { LoginsController } from './logins.controller.js';
import { SamlEndpoint } from './saml-endpoint.js';
import { SamlLogins } from './saml-logins.service.js';
import { SamlProvidersController } from './saml-providers.controller.js';
import { SamlProviders } from './saml-providers.service.js';
import { SsoAccounts } from './sso-accounts.service.js';

@Module({
  controllers: [SamlProvidersController, LoginsController],
  providers: [SamlProviders, SsoAccounts, LoginTokens, SamlLogins, SamlEndpoint],
})
export class SsoModule {}
