import { Module } from '@nestjs/common';
import { OrganizationsModule } from '../../identity/organizations/organizations.module.js';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ContentModule } from '../content/content.module.js';
import { AgentInstructionsController } from './agent-instructions.controller.js';
import { AgentInstructionsOfOrganizations } from './agent-instructions.service.js';
import { AgentInstructions } from './agent-instructions.entity.js';
import { brings } from '../../kernel/platform/manifest/registry.js';
import { agentInstructions } from './agent-instructions.manifest.js';

@Module({
  imports: [ContentModule, OrganizationsModule, TypeOrmModule.forFeature([AgentInstructions])],
  controllers: [AgentInstructionsController],
  providers: [brings(agentInstructions), AgentInstructionsOfOrganizations],
  exports: [AgentInstructionsOfOrganizations],
})
export class AgentInstructionsModule {}
