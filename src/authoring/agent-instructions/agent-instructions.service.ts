import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { requireMatch } from '../../kernel/common/context.js';
import { invalid, notFound } from '../../kernel/common/errors.js';
import { DocumentBodies, readBodyDocument } from '../content/document-bodies.js';
import type { Document } from '../../formats/document/types.js';
import { Members } from '../../identity/organizations/members.service.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import type {
  AgentInstructionsQuery,
  InstructionsForCaller,
  UpdateAgentInstructions,
} from './agent-instructions.schema.js';

const EMPTY: Document = { object: 'document', data: { schemaVersion: 8 }, nodes: [] };

/** The instructions of organizations for agents that write content. */
@Injectable()
export class AgentInstructionsOfOrganizations {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly members: Members,
    private readonly bodies: DocumentBodies,
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

  /** The same in the form that is asked for. */
  async shown(organizationId: string, format: AgentInstructionsQuery['format']): Promise<InstructionsForCaller> {
    const row = await this.get(organizationId);
    return format === 'markdown' ? { ...row, markdown: await this.bodies.markdownOutside(row.instructions) } : row;
  }

  /** Replaces the instructions; throws `invalid` with the path of the first fault of the document. */
  async set(callerId: string, organizationId: string, update: UpdateAgentInstructions): Promise<InstructionsForCaller> {
    const document = await this.read(update);
    await this.database.transaction(async () => {
      await this.members.lockAsAdmin(callerId, organizationId);
      const before = (await this.get(organizationId)).updatedAt.getTime();
      requireMatch(before);
      // The time is the version, so it is another one each time.
      const now = new Date(Math.max(this.clock.now().getTime(), before + 1));
      await this.database.execute(
        `INSERT INTO agent_instructions (organization_id, instructions, updated_by, updated_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (organization_id) DO UPDATE SET instructions = excluded.instructions, updated_by = excluded.updated_by, updated_at = excluded.updated_at`,
        [organizationId, JSON.stringify(document), callerId, now],
      );
      await this.outbox.record({ type: 'agent_instructions_updated', organizationId, target: organizationId });
    });
    return this.get(organizationId);
  }

  private async read({ instructions, markdown }: UpdateAgentInstructions): Promise<Document> {
    if ((instructions === undefined) === (markdown === undefined))
      throw invalid('instructions', 'one of instructions and markdown is given');
    return instructions === undefined
      ? this.bodies.readOutside(markdown ?? '', 'markdown')
      : readBodyDocument(instructions, 'instructions');
  }
}
