import { Module } from '@nestjs/common';
import { InvitesModule } from '../../workspace/invites/invites.module.js';
import { UsersModule } from '../users/users.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { TeamsModule } from '../teams/teams.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdentityMappings } from './identity-mappings.js';
import { IdentityProviders } from './identity-providers.service.js';
import { BrowserBinding } from './browser-binding.js';
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
import { ExpiredLoginTestsJob } from './expired-login-tests.job.js';
import { LoginTest } from './login-test.entity.js';
import { LoginTests } from './login-tests.service.js';
import { OidcLoginTestsController, SamlLoginTestsController } from './login-tests.controller.js';
import { LoginTesting } from './login-testing.service.js';
import { IdentityProvider } from './identity-provider.entity.js';
import { LoginCode } from './login-code.entity.js';
import { LoginRequest } from './login-request.entity.js';
import { LoginToken } from './login-token.entity.js';
import { SamlAssertion } from './saml-assertion.entity.js';
import { brings } from '../../kernel/platform/manifest/registry.js';
import { sso } from './sso.manifest.js';

@Module({
  imports: [
    OrganizationsModule,
    TeamsModule,
    UsersModule,
    InvitesModule,
    SessionsModule,
    TypeOrmModule.forFeature([IdentityProvider, LoginCode, LoginRequest, LoginTest, LoginToken, SamlAssertion]),
  ],
  controllers: [
    SamlProvidersController,
    SamlLoginTestsController,
    OidcProvidersController,
    OidcLoginTestsController,
    LoginsController,
  ],
  providers: [
    brings(sso),
    IdentityProviders,
    SsoAccounts,
    IdentityMappings,
    BrowserBinding,
    LoginRefusals,
    LoginTokens,
    Logins,
    SamlProtocol,
    SamlLogins,
    LoginTests,
    LoginTesting,
    ExpiredLoginTestsJob,
    OidcProtocol,
    OidcClients,
    OidcLogins,
    LoginsEndpoint,
  ],
})
export class SsoModule {}
