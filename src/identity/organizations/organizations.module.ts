import { Module } from '@nestjs/common';
import { UsersModule } from '../users/users.module.js';
import { TypeOrmModule } from '@nestjs/typeorm';
import { JoiningController } from './joining.controller.js';
import { Member } from './member.entity.js';
import { CustomRole } from './custom-roles/custom-role.entity.js';
import { CustomRolesController } from './custom-roles/custom-roles.controller.js';
import { CustomRoles } from './custom-roles/custom-roles.service.js';
import { IpAllowListController } from './ip-allow-list.controller.js';
import { OrganizationIpAllowLists } from './ip-allow-lists.service.js';
import { MembersController } from './members.controller.js';
import { Members } from './members.service.js';
import { Organization } from './organization.entity.js';
import { OrganizationsController } from './organizations.controller.js';
import { Organizations } from './organizations.service.js';
import { SubdomainsController } from './subdomains.controller.js';
import { OrganizationMemberTotal } from './organization-member-total.entity.js';
import { OrganizationTotal } from './organization-total.entity.js';
import { OrganizationTotalChange } from './organization-total-change.entity.js';
import { brings } from '../../kernel/platform/manifest/registry.js';
import { organizations } from './organizations.manifest.js';

@Module({
  imports: [
    UsersModule,
    TypeOrmModule.forFeature([
      Organization,
      Member,
      CustomRole,
      OrganizationMemberTotal,
      OrganizationTotal,
      OrganizationTotalChange,
    ]),
  ],
  controllers: [
    OrganizationsController,
    MembersController,
    CustomRolesController,
    JoiningController,
    SubdomainsController,
    IpAllowListController,
  ],
  providers: [brings(organizations), Organizations, OrganizationIpAllowLists, Members, CustomRoles],
  exports: [Organizations, Members],
})
export class OrganizationsModule {}
