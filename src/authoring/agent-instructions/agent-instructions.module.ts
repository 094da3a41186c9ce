import { Module } from '@nestjs/common';
import { AgentInstructionsController } from './agent-instructions.controller.js';
import { AgentInstructionsOfOrganizations } from './agent-instructions.service.js';

@Module({
  controllers: [AgentInstructionsController],
  providers: [AgentInstructionsOfOrganizations],
})
export class AgentInstructionsModule {}
