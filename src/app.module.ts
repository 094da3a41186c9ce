import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { withOwnTypes } from './kernel/common/column-types.js';
import { AccessGuard } from './kernel/access/access.guard.js';
import { AccessModule } from './kernel/access/access.module.js';
import { UnknownInputInterceptor } from './kernel/access/unknown-input.interceptor.js';
import { BodyInterceptor } from './kernel/access/body.interceptor.js';
import { BearerGuard } from './kernel/access/bearer.guard.js';
import { EmbedsModule } from './authoring/embeds/embeds.module.js';
import { AgentInstructionsModule } from './authoring/agent-instructions/agent-instructions.module.js';
import { AnswersModule } from './authoring/answers/answers.module.js';
import { DoctorModule } from './operations/doctor/doctor.module.js';
import { BackupModule } from './operations/backup/backup.module.js';
import { OrganizationArchivesModule } from './operations/organization-archives/organization-archives.module.js';
import { AuditModule } from './operations/audit/audit.module.js';
import { BrowserModule } from './workspace/browser/browser.module.js';
import { ChangeRequestsModule } from './authoring/change-requests/change-requests.module.js';
import { CollectionsModule } from './workspace/collections/collections.module.js';
import { CommentsModule } from './authoring/comments/comments.module.js';
import { CommonModule } from './kernel/common/common.module.js';
import { EnvelopeInterceptor } from './kernel/common/envelope.interceptor.js';
import { ErrorFilter } from './kernel/common/error.filter.js';
import { CONFIG, type Config } from './kernel/platform/config/config.js';
import { ConversationsModule } from './insight/conversations/conversations.module.js';
import { ContentModule } from './authoring/content/content.module.js';
import { dataSourceOptions } from './data-source.js';
import { GrantsModule } from './workspace/grants/grants.module.js';
import { InformationController } from './information.controller.js';
import { ImportingModule } from './authoring/interchange/importing.module.js';
import { GitSyncModule } from './operations/git-sync/git-sync.module.js';
import { ImportsModule } from './operations/imports/imports.module.js';
import { UploadsModule } from './workspace/uploads/uploads.module.js';
import { InvitesModule } from './workspace/invites/invites.module.js';
import { LinksModule } from './authoring/links/links.module.js';
import { NotificationsModule } from './operations/notifications/notifications.module.js';
import { OpenApiModule } from './authoring/openapi/openapi.module.js';
import { OrganizationsModule } from './identity/organizations/organizations.module.js';
import { IdempotencyInterceptor } from './kernel/platform/idempotency.interceptor.js';
import { PageLimitsModule } from './authoring/page-limits/page-limits.module.js';
import { PresenceModule } from './authoring/presence/presence.module.js';
import { PageVerificationModule } from './authoring/page-verification/page-verification.module.js';
import { PdfModule } from './publishing/pdf/pdf.module.js';
import type { AddedModule } from './kernel/platform/manifest/added-modules.js';
import { PlatformModule } from './kernel/platform/platform.module.js';
import { PublishedPagesModule } from './publishing/published-sites/pages/pages.module.js';
import { PublishingModule } from './publishing/published-sites/publishing.module.js';
import { RenderingModule } from './authoring/rendering/rendering.module.js';
import { ReviewsModule } from './authoring/reviews/reviews.module.js';
import { SearchModule } from './authoring/search/search.module.js';
import { CustomFontsModule } from './publishing/custom-fonts/custom-fonts.module.js';
import { SitesModule } from './publishing/sites/sites.module.js';
import { SpacesModule } from './workspace/spaces/spaces.module.js';
import { ScimModule } from './identity/scim/scim.module.js';
import { SsoModule } from './identity/sso/sso.module.js';
import { SessionsModule } from './identity/sessions/sessions.module.js';
import { TeamsModule } from './identity/teams/teams.module.js';
import { TemplatesModule } from './authoring/templates/templates.module.js';
import { TranslationsModule } from './insight/translations/translations.module.js';
import { UsersModule } from './identity/users/users.module.js';
import { AgentsModule } from './operations/agents/agents.module.js';
import { OauthModule } from './identity/oauth/oauth.module.js';
import { WebhooksModule } from './operations/webhooks/webhooks.module.js';

@Module({})
class ConfigModule {
  static with(config: Config): DynamicModule {
    return {
      module: ConfigModule,
      global: true,
      providers: [{ provide: CONFIG, useValue: config }],
      exports: [CONFIG],
    };
  }
}

export interface ServiceOptions {
  /** The address of the database in use, embedded or not; by default that of the configuration. */
  readonly databaseUrl?: string | undefined;
  readonly modules?: readonly AddedModule[];
}

/** All modules except those with which `forRoot` begins, in dependency order. */
const MODULES = [
  CommonModule,
  PlatformModule,
  AccessModule,
  UsersModule,
  OrganizationsModule,
  SessionsModule,
  TeamsModule,
  CollectionsModule,
  SpacesModule,
  GrantsModule,
  InvitesModule,
  UploadsModule,
  BrowserModule,
  SsoModule,
  ScimModule,
  AgentInstructionsModule,
  AnswersModule,
  PageLimitsModule,
  PageVerificationModule,
  PresenceModule,
  SearchModule,
  OpenApiModule,
  ImportingModule,
  TemplatesModule,
  ChangeRequestsModule,
  RenderingModule,
  EmbedsModule,
  LinksModule,
  CommentsModule,
  ReviewsModule,
  ImportsModule,
  GitSyncModule,
  PdfModule,
  SitesModule,
  CustomFontsModule,
  PublishingModule,
  PublishedPagesModule,
  TranslationsModule,
  ConversationsModule,
  WebhooksModule,
  NotificationsModule,
  AgentsModule,
  OauthModule,
  AuditModule,
  BackupModule,
  DoctorModule,
  OrganizationArchivesModule,
] as const;

/** The order matters: the outermost comes first. */
const FOR_EVERY_OPERATION = [
  { provide: APP_GUARD, useExisting: BearerGuard },
  { provide: APP_GUARD, useExisting: AccessGuard },
  { provide: APP_INTERCEPTOR, useClass: BodyInterceptor },
  { provide: APP_INTERCEPTOR, useExisting: UnknownInputInterceptor },
  { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
  { provide: APP_INTERCEPTOR, useClass: EnvelopeInterceptor },
  { provide: APP_FILTER, useClass: ErrorFilter },
] as const;

function databaseModule(config: Config, url: string): DynamicModule {
  return TypeOrmModule.forRootAsync({
    useFactory: () => ({
      ...dataSourceOptions({
        url,
        poolSize: config.databasePoolSize,
        timeoutSeconds: config.databaseTimeout,
        prepared: config.databasePrepared,
        reads:
          config.databaseReadUrl === undefined
            ? undefined
            : {
                url: config.databaseReadUrl,
                directUrl: config.databaseDirectUrl,
                maxLag: config.databaseReadMaxLag,
                maxAway: config.databaseReadAwaySeconds,
              },
      }),
      entities: undefined,
      autoLoadEntities: true,
    }),
    dataSourceFactory: (options) => Promise.resolve(withOwnTypes(new DataSource(options as DataSourceOptions))),
  });
}

/** The whole service: modules in dependency order, and the guards and interceptors of every operation. */
@Module({})
export class BinderyModule {
  /**
   * Requires a migrated database. External modules, whose settings are in `config`, come after those of the service.
   */
  static forRoot(
    config: Config,
    { databaseUrl = config.databaseUrl, modules = [] }: ServiceOptions = {},
  ): DynamicModule {
    if (databaseUrl === undefined) throw new Error('no database: set DATABASE_URL, or give databaseUrl');
    return {
      module: BinderyModule,
      imports: [
        // Routes are tried one after another, in this order: most requests are reads of content.
        ContentModule,
        ConfigModule.with(config),
        databaseModule(config, databaseUrl),
        ...MODULES,
        ...modules,
      ],
      controllers: [InformationController],
      providers: [...FOR_EVERY_OPERATION],
    };
  }
}
