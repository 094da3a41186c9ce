import { Module } from '@nestjs/common';
import { Grants } from './grants.service.js';
import { MemberSpacesController } from './member-spaces.controller.js';
import { MemberSpaces } from './member-spaces.service.js';
import { CollectionPermissionsController, SitePermissionsController, SpacePermissionsController } from './permissions.controller.js';

@Module({
  controllers: [SpacePermissionsController, CollectionPermissionsController, SitePermissionsController, MemberSpacesController],
  providers: [Grants, MemberSpaces],
})
export class GrantsModule {}
