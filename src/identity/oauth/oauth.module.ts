import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { brings } from '../../kernel/platform/manifest/registry.js';
import { UsersModule } from '../users/users.module.js';
import { Consents } from './consents.service.js';
import { OauthClient } from './oauth-client.entity.js';
import { OauthClients } from './oauth-clients.service.js';
import { OauthEndpoint } from './oauth-endpoint.js';
import { OauthGrant } from './oauth-grant.entity.js';
import { OauthGrants } from './oauth-grants.service.js';
import { oauth } from './oauth.manifest.js';
import { OauthProvider } from './oauth-provider.js';
import { UnusedClientsJob } from './unused-clients.job.js';

@Module({
  imports: [UsersModule, TypeOrmModule.forFeature([OauthClient, OauthGrant])],
  providers: [brings(oauth), OauthClients, OauthGrants, Consents, OauthProvider, OauthEndpoint, UnusedClientsJob],
})
export class OauthModule {}
