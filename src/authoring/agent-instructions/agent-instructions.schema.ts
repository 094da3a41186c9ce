import type { Addresses } from '../../kernel/common/addresses.js';
import { Free, Id, Nested, ObjectName, OneOf, Text, Timestamp, Url } from '../../kernel/common/fields.js';
import { versioned } from '../../kernel/common/versioned.js';
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

const MARKDOWN_EXAMPLE = 'Write in British English.';

class LocationUrl {
  @Url({ example: 'http://localhost:3000/v1/orgs/AbCdEfGh0123456789Xy/agent-instructions' })
  location: string;
}

export class AgentInstructionsBody {
  @ObjectName('agent-instructions')
  object: 'agent-instructions';
  @Free({ example: EXAMPLE })
  instructions: Document;
  @Text({ optional: true, description: 'The same as Markdown, with `format=markdown`', example: MARKDOWN_EXAMPLE })
  markdown?: string;
  @Timestamp()
  updatedAt: string;
  @Id({ optional: true, description: 'The user who wrote them; absent as long as nobody has' })
  updatedBy?: string;
  @Nested(() => LocationUrl)
  urls: LocationUrl;
}

export class AgentInstructionsQuery {
  @OneOf(['document', 'markdown'], {
    optional: true,
    description: 'With `markdown` the answer has the document as Markdown, too',
  })
  format?: 'document' | 'markdown';
}

export class UpdateAgentInstructions {
  @Free({ optional: true, example: EXAMPLE, description: 'A document. It or `markdown` is given' })
  instructions?: Document;
  @Text({
    optional: true,
    max: 100_000,
    description: 'Markdown, in place of a document. Links are addresses',
    example: MARKDOWN_EXAMPLE,
  })
  markdown?: string;
}

/**
 * The instructions of an organization for agents; without written ones an empty document as old as the organization.
 */
export interface InstructionsForCaller {
  readonly organizationId: string;
  readonly instructions: Document;
  readonly markdown?: string;
  readonly updatedAt: Date;
  readonly updatedBy: string | null;
}

export function presentAgentInstructions(row: InstructionsForCaller, addresses: Addresses): AgentInstructionsBody {
  return versioned(
    {
      object: 'agent-instructions',
      instructions: row.instructions,
      ...(row.markdown !== undefined && { markdown: row.markdown }),
      updatedAt: row.updatedAt.toISOString(),
      ...(row.updatedBy !== null && { updatedBy: row.updatedBy }),
      urls: { location: addresses.location(`/orgs/${row.organizationId}/agent-instructions`) },
    },
    row.updatedAt.getTime(),
  );
}
