import { Module } from '@nestjs/common';
import { IdentityProviders } from './identity-providers.service.js';
import { LoginBrowsers } from './login-browsers.js';
import { LoginRefusals } from './login-refusals.js';
import { LoginTokens } from './login-tokens.service.js';
import { LoginsController } from './logins.controller.js';
import { LoginsEndpoint } from './logins-endpoint.js';
import { Logins } from './logins.service.js';
import { OidcClients } from './oidc-clients.js';
import { OidcLogins } from './oidc-logins.service.js';
import { OidcProtocol } from './oidc-protocol.js';
import { OidcProvidersController, SamlProvidersController } from './providers.controller.js';
import { SamlLogins } from './saml-logins.service.js';
import { SamlProtocol } from './saml-protocol.js';
import { SsoAccounts } from './sso-accounts.service.js';

@Module({
  controllers: [SamlProvidersController, OidcProvidersController, LoginsController],
  providers: [IdentityProviders, SsoAccounts, LoginBrowsers, LoginRefusals, LoginTokens, Logins, SamlProtocol, SamlLogins, OidcProtocol, OidcClients, OidcLogins, LoginsEndpoint],
})
export class SsoModule {}
