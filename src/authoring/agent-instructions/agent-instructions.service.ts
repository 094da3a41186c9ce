import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { notFound } from '../../kernel/common/errors.js';
import { readBodyDocument } from '../content/document-bodies.js';
import type { Document } from '../../formats/document/types.js';
import { Members } from '../../identity/organizations/members.service.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import type { InstructionsForCaller, UpdateAgentInstructions } from './agent-instructions.schema.js';

const EMPTY: Document = { object: 'document', data: { schemaVersion: 8 }, nodes: [] };

/** The instructions of organizations for agents that write content. */
@Injectable()
export class AgentInstructionsOfOrganizations {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly members: Members,
  ) {}

  async get(organizationId: string): Promise<InstructionsForCaller> {
    const row = await this.database.one<{ instructions: Document | null; updatedAt: Date; updatedBy: string | null }>(
      `SELECT i.instructions, coalesce(i.updated_at, o.created_at) AS "updatedAt", i.updated_by AS "updatedBy"
         FROM organization o LEFT JOIN agent_instructions i ON i.organization_id = o.id WHERE o.id = $1`,
      [organizationId],
    );
    if (!row) throw notFound('Organization');
    return {
      organizationId,
      instructions: row.instructions ?? EMPTY,
      updatedAt: row.updatedAt,
      updatedBy: row.updatedBy,
    };
  }

  /** Replaces the instructions; throws `invalid` with the path of the first fault of the document. */
  async set(
    callerId: string,
    organizationId: string,
    { instructions }: UpdateAgentInstructions,
  ): Promise<InstructionsForCaller> {
    const document = readBodyDocument(instructions, 'instructions');
    await this.database.transaction(async () => {
      await this.members.lockAsAdmin(callerId, organizationId);
      await this.database.execute(
        `INSERT INTO agent_instructions (organization_id, instructions, updated_by, updated_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (organization_id) DO UPDATE SET instructions = excluded.instructions, updated_by = excluded.updated_by, updated_at = excluded.updated_at`,
        [organizationId, JSON.stringify(document), callerId, this.clock.now()],
      );
      await this.outbox.record({ type: 'agent_instructions_updated', organizationId, target: organizationId });
    });
    return this.get(organizationId);
  }
}
