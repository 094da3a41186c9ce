import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessGuard } from './access/access.guard.js';
import { AccessModule } from './access/access.module.js';
import { BodyInterceptor } from './access/body.interceptor.js';
import { BearerGuard } from './access/bearer.guard.js';
import { AgentInstructionsModule } from './agent-instructions/agent-instructions.module.js';
import { AuditModule } from './audit/audit.module.js';
import { ChangeRequestsModule } from './change-requests/change-requests.module.js';
import { CollectionsModule } from './collections/collections.module.js';
import { CommentsModule } from './comments/comments.module.js';
import { CommonModule } from './common/common.module.js';
import { EnvelopeInterceptor } from './common/envelope.interceptor.js';
import { ErrorFilter } from './common/error.filter.js';
import { CONFIG, type Config } from './config.js';
import { ConversationsModule } from './conversations/conversations.module.js';
import { ContentModule } from './content/content.module.js';
import { dataSourceOptions } from './data-source.js';
import { GrantsModule } from './grants/grants.module.js';
import { InformationController } from './information.controller.js';
import { ImportingModule } from './importing/importing.module.js';
import { ImportsModule } from './imports/imports.module.js';
import { InvitesModule } from './invites/invites.module.js';
import { LinksModule } from './links/links.module.js';
import { OpenApiModule } from './openapi/openapi.module.js';
import { OrganizationsModule } from './organizations/organizations.module.js';
import { IdempotencyInterceptor } from './platform/idempotency.interceptor.js';
import { PdfModule } from './pdf/pdf.module.js';
import { PlatformModule } from './platform/platform.module.js';
import { PublishedPagesModule } from './publishing/pages/pages.module.js';
import { PublishingModule } from './publishing/publishing.module.js';
import { ReviewsModule } from './reviews/reviews.module.js';
import { SearchModule } from './search/search.module.js';
import { SitesModule } from './sites/sites.module.js';
import { SpacesModule } from './spaces/spaces.module.js';
import { SsoModule } from './sso/sso.module.js';
import { TeamsModule } from './teams/teams.module.js';
import { TemplatesModule } from './templates/templates.module.js';
import { TranslationsModule } from './translations/translations.module.js';
import { UsersModule } from './users/users.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

@Module({})
class ConfigModule {
  static with(config: Config): DynamicModule {
    return { module: ConfigModule, global: true, providers: [{ provide: CONFIG, useValue: config }], exports: [CONFIG] };
  }
}

/** The whole service: modules in the order of their dependencies, and what guards every operation. */
@Module({})
export class AppModule {
  /** `databaseUrl` is the address of the database that is really used, embedded or not. */
  static with(config: Config, databaseUrl: string): DynamicModule {
    return {
      module: AppModule,
      imports: [
        // Routes are tried one after the other, in this order: reads of content are most of all requests.
        ContentModule,
        ConfigModule.with(config),
        TypeOrmModule.forRoot({ ...dataSourceOptions({ url: databaseUrl, poolSize: config.databasePoolSize, timeoutSeconds: config.databaseTimeout }), entities: undefined, autoLoadEntities: true }),
        CommonModule,
        PlatformModule,
        AccessModule,
        UsersModule,
        OrganizationsModule,
        TeamsModule,
        CollectionsModule,
        SpacesModule,
        GrantsModule,
        InvitesModule,
        SsoModule,
        AgentInstructionsModule,
        SearchModule,
        OpenApiModule,
        LinksModule,
        ImportingModule,
        TemplatesModule,
        ChangeRequestsModule,
        CommentsModule,
        ReviewsModule,
        ImportsModule,
        PdfModule,
        SitesModule,
        PublishingModule,
        PublishedPagesModule,
        TranslationsModule,
        ConversationsModule,
        WebhooksModule,
        AuditModule,
      ],
      controllers: [InformationController],
      providers: [
        { provide: APP_GUARD, useClass: BearerGuard },
        { provide: APP_GUARD, useClass: AccessGuard },
        { provide: APP_INTERCEPTOR, useClass: BodyInterceptor },
        { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
        { provide: APP_INTERCEPTOR, useClass: EnvelopeInterceptor },
        { provide: APP_FILTER, useClass: ErrorFilter },
      ],
    };
  }
}
