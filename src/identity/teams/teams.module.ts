import { Module } from '@nestjs/common';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { TypeOrmModule } from '@nestjs/typeorm';
import { TeamMembers } from './team-members.service.js';
import { TeamsController } from './teams.controller.js';
import { Teams } from './teams.service.js';
import { Team } from './team.entity.js';
import { TeamMember } from './team-member.entity.js';
import { brings } from '../../kernel/platform/manifest/registry.js';
import { teams } from './teams.manifest.js';

@Module({
  imports: [OrganizationsModule, TypeOrmModule.forFeature([Team, TeamMember])],
  controllers: [TeamsController],
  providers: [brings(teams), Teams, TeamMembers],
  exports: [Teams, TeamMembers],
})
export class TeamsModule {}
