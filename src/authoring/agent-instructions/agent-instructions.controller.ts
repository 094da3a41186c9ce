import { Body, Controller, Get, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InOrganization } from '../../kernel/access/access.decorators.js';
import type { OrganizationAccess } from '../../kernel/access/access.service.js';
import { Addresses } from '../../kernel/common/addresses.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import {
  AgentInstructionsBody,
  AgentInstructionsQuery,
  presentAgentInstructions,
  UpdateAgentInstructions,
} from './agent-instructions.schema.js';
import { AgentInstructionsOfOrganizations } from './agent-instructions.service.js';

@ApiTags('Organizations, members, teams')
@Controller('orgs/:organizationId/agent-instructions')
export class AgentInstructionsController {
  constructor(
    private readonly instructions: AgentInstructionsOfOrganizations,
    private readonly addresses: Addresses,
  ) {}

  @Get()
  @Can('organization:view')
  @Operation({
    id: 'getOrganizationAgentInstructions',
    summary: 'Get what an organization wants writing agents to know',
    type: AgentInstructionsBody,
  })
  async get(@InOrganization() { id }: OrganizationAccess, @Query() { format }: AgentInstructionsQuery) {
    return this.instructions.shown(id, format).then((row) => presentAgentInstructions(row, this.addresses));
  }

  @Put()
  @Can('organization:admin')
  @Operation({
    id: 'updateOrganizationAgentInstructions',
    summary: 'Replace what an organization wants writing agents to know',
    description: 'Given as a document or as Markdown.',
    type: AgentInstructionsBody,
    errors: [412, 422],
  })
  async set(
    @ByCaller() { userId }: Caller,
    @InOrganization() { id }: OrganizationAccess,
    @Body() body: UpdateAgentInstructions,
  ) {
    return this.instructions.set(userId, id, body).then((row) => presentAgentInstructions(row, this.addresses));
  }
}
