import { Global, Module } from '@nestjs/common';
import { TeamMembers } from './team-members.service.js';
import { TeamsController } from './teams.controller.js';
import { Teams } from './teams.service.js';

@Global()
@Module({
  controllers: [TeamsController],
  providers: [Teams, TeamMembers],
  exports: [Teams, TeamMembers],
})
export class TeamsModule {}
