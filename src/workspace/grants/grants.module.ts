import { Module } from '@nestjs/common';
import { SpacesModule } from '../spaces/spaces.module.js';
import { OrganizationsModule } from '../../identity/organizations/organizations.module.js';
import { TeamsModule } from '../../identity/teams/teams.module.js';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Explanations } from './explanations.service.js';
import { Grants } from './grants.service.js';
import { MemberSpacesController } from './member-spaces.controller.js';
import { MemberSpaces } from './member-spaces.service.js';
import {
  CollectionPermissionsController,
  SitePermissionsController,
  SpacePermissionsController,
} from './permissions.controller.js';
import { CollectionMemberGrant } from './collection-member-grant.entity.js';
import { CollectionTeamGrant } from './collection-team-grant.entity.js';
import { SpaceMemberGrant } from './space-member-grant.entity.js';
import { SpaceTeamGrant } from './space-team-grant.entity.js';
import { brings } from '../../kernel/platform/manifest/registry.js';
import { grants } from './grants.manifest.js';

@Module({
  imports: [
    TeamsModule,
    OrganizationsModule,
    SpacesModule,
    TypeOrmModule.forFeature([CollectionMemberGrant, CollectionTeamGrant, SpaceMemberGrant, SpaceTeamGrant]),
  ],
  controllers: [
    SpacePermissionsController,
    CollectionPermissionsController,
    SitePermissionsController,
    MemberSpacesController,
  ],
  providers: [brings(grants), Explanations, Grants, MemberSpaces],
  exports: [Grants],
})
export class GrantsModule {}
