import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { TeamsModule } from '../../identity/teams/teams.module.js';
import { brings } from '../../kernel/platform/manifest/registry.js';
import { GrantsModule } from '../../workspace/grants/grants.module.js';
import { ContentModule } from '../content/content.module.js';
import { PageLimitReader } from './page-limit-reader.js';
import { PageLimit } from './page-limit.entity.js';
import { PageLimitsController } from './page-limits.controller.js';
import { pageLimits } from './page-limits.manifest.js';
import { PageLimits } from './page-limits.service.js';
import { PageMemberGrant } from './page-member-grant.entity.js';
import { PageTeamGrant } from './page-team-grant.entity.js';

/** Pages that are limited to some members and teams of those who see the space. */
@Module({
  imports: [
    TypeOrmModule.forFeature([PageLimit, PageMemberGrant, PageTeamGrant]),
    ContentModule,
    GrantsModule,
    TeamsModule,
  ],
  controllers: [PageLimitsController],
  providers: [brings(pageLimits), PageLimitReader, PageLimits],
})
export class PageLimitsModule {}
