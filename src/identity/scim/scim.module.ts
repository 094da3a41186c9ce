import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { brings } from '../../kernel/platform/manifest/registry.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { TeamsModule } from '../teams/teams.module.js';
import { UsersModule } from '../users/users.module.js';
import { ScimDescriptionsController } from './scim-descriptions.controller.js';
import { ScimGroup } from './scim-group.entity.js';
import { ScimGroupsController } from './scim-groups.controller.js';
import { ScimGroups } from './scim-groups.service.js';
import { ScimUser } from './scim-user.entity.js';
import { ScimUsersController } from './scim-users.controller.js';
import { ScimUsers } from './scim-users.service.js';
import { scim } from './scim.manifest.js';

/** Provisioning of members and teams by identity providers: SCIM 2.0 (RFC 7643, RFC 7644). */
@Module({
  imports: [OrganizationsModule, TeamsModule, UsersModule, TypeOrmModule.forFeature([ScimUser, ScimGroup])],
  controllers: [ScimUsersController, ScimGroupsController, ScimDescriptionsController],
  providers: [brings(scim), ScimUsers, ScimGroups],
})
export class ScimModule {}
