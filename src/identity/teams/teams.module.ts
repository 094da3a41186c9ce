import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { TeamMembers } from './team-members.service.js';
import { TeamsController } from './teams.controller.js';
import { Teams } from './teams.service.js';
import { Team } from './team.entity.js';
import { TeamMember } from './team-member.entity.js';
import { brings } from '../../kernel/platform/manifest/registry.js';
import { teams } from './teams.manifest.js';

@Global()
@Module({
  imports: [TypeOrmModule.forFeature([Team, TeamMember])],
  controllers: [TeamsController],
  providers: [brings(teams), Teams, TeamMembers],
  exports: [Teams, TeamMembers],
})
export class TeamsModule {}
