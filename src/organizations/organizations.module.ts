import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Member } from './member.entity.js';
import { Organization } from './organization.entity.js';
import { OrganizationsController } from './organizations.controller.js';
import { Organizations } from './organizations.service.js';

@Global()
@Module({
  imports: [TypeOrmModule.forFeature([Organization, Member])],
  controllers: [OrganizationsController],
  providers: [Organizations],
  exports: [Organizations],
})
export class OrganizationsModule {}
