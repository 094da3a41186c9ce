import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AgentInstructionsController } from './agent-instructions.controller.js';
import { AgentInstructionsOfOrganizations } from './agent-instructions.service.js';
import { AgentInstructions } from './agent-instructions.entity.js';

@Module({
  imports: [TypeOrmModule.forFeature([AgentInstructions])],
  controllers: [AgentInstructionsController],
  providers: [AgentInstructionsOfOrganizations],
})
export class AgentInstructionsModule {}
