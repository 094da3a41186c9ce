import type { Addresses } from '../../kernel/common/addresses.js';
import { Free, Id, Nested, ObjectName, Timestamp, Url } from '../../kernel/common/fields.js';
import type { Document } from '../../formats/document/types.js';

const EXAMPLE = {
  object: 'document',
  data: { schemaVersion: 8 },
  nodes: [
    {
      object: 'block',
      type: 'paragraph',
      isVoid: false,
      data: {},
      nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: 'Write in British English.', marks: [] }] }],
    },
  ],
};

class LocationUrl {
  @Url({ example: 'http://localhost:3000/v1/orgs/AbCdEfGh0123456789Xy/agent-instructions' })
  location: string;
}

export class AgentInstructionsBody {
  @ObjectName('agent-instructions')
  object: 'agent-instructions';
  @Free({ example: EXAMPLE })
  instructions: Document;
  @Timestamp()
  updatedAt: string;
  @Id({ optional: true, description: 'The user who wrote them; absent as long as nobody has' })
  updatedBy?: string;
  @Nested(() => LocationUrl)
  urls: LocationUrl;
}

export class UpdateAgentInstructions {
  @Free({ example: EXAMPLE, description: 'A document' })
  instructions: Document;
}

/**
 * The instructions of an organization for agents; without written ones an empty document as old as the organization.
 */
export interface InstructionsForCaller {
  readonly organizationId: string;
  readonly instructions: Document;
  readonly updatedAt: Date;
  readonly updatedBy: string | null;
}

export function presentAgentInstructions(row: InstructionsForCaller, addresses: Addresses): AgentInstructionsBody {
  return {
    object: 'agent-instructions',
    instructions: row.instructions,
    updatedAt: row.updatedAt.toISOString(),
    ...(row.updatedBy !== null && { updatedBy: row.updatedBy }),
    urls: { location: addresses.location(`/orgs/${row.organizationId}/agent-instructions`) },
  };
}
