import type { Addresses } from '../../kernel/common/addresses.js';
import { Free, Id, Nested, ObjectName, OneOf, Text, Timestamp, Url } from '../../kernel/common/fields.js';
import { PageQuery } from '../../kernel/common/page-query.js';
import { webAddress } from '../../kernel/common/web-address.js';
import { SPEAKER_ROLES, type ConversationMetadata, type ConversationPart } from './domain/conversation.js';

export const DEFAULT_SOURCE = 'integration:api:default';
const SOURCE = {
  max: 255,
  pattern: /^(?:email|integration:[^:]+:[^:]+)$/,
  patternMessage: 'source must be email, or integration:<name>:<id>',
  example: DEFAULT_SOURCE,
} as const;

export class IngestQuery {
  @Text({
    ...SOURCE,
    optional: true,
    default: DEFAULT_SOURCE,
    description: 'Where the conversations come from: `email`, or `integration:<name>:<id>`; ids are unique within it',
  })
  source: string = DEFAULT_SOURCE;
}

export class ConversationsQuery extends PageQuery {
  @Text({ optional: true, max: 255, description: 'Only conversations of this source', example: DEFAULT_SOURCE })
  source?: string;
  @Text({ optional: true, max: 255, description: 'Only the conversation that its source calls so', example: '48213' })
  externalId?: string;
}

class ConversationUrls {
  @Url() location: string;
  @Url({ optional: true, description: 'Where its source shows it' }) source?: string;
}

export class ConversationBody {
  @ObjectName('conversation') object: 'conversation';
  @Id() id: string;
  @Text({ optional: true, example: 'Export to PDF fails' }) subject?: string;
  @Timestamp({ description: 'When it began, as its source said, and at the latest when it came' }) createdAt: string;
  @Timestamp({ optional: true, description: 'When its issues were found; absent until then' }) processedAt?: string;
  @Text({ example: DEFAULT_SOURCE }) source: string;
  @Nested(() => ConversationUrls) urls: ConversationUrls;
}

export class ConversationsSourceBody {
  @ObjectName('conversations-source') object: 'conversations-source';
  @Text({ example: DEFAULT_SOURCE }) name: string;
  @Timestamp({ description: 'When its first conversation came' }) createdAt: string;
}

/** A row of table conversation_source. */
export interface ConversationsSourceRow {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
}

export function presentSource({ name, createdAt }: ConversationsSourceRow): ConversationsSourceBody {
  return { object: 'conversations-source', name, createdAt: createdAt.toISOString() };
}

class ConversationPartBody {
  @OneOf(['message']) type: 'message';
  @OneOf(SPEAKER_ROLES) role: (typeof SPEAKER_ROLES)[number];
  @Text({
    description: 'Markdown',
    example: 'Hello, the export of our handbook to PDF stops with an error. What can I do?',
  })
  body: string;
}

class ConversationMetadataBody {
  @Text({ optional: true, example: 'https://support.example.com/tickets/48213' }) url?: string;
  @Free({
    optional: true,
    schema: { type: 'object', additionalProperties: { type: 'string' } },
    example: { plan: 'pro' },
  })
  attributes?: Record<string, string>;
  @Timestamp({ optional: true }) createdAt?: string;
}

export class WholeConversationBody {
  @Nested(() => ConversationBody) conversation: ConversationBody;
  @Nested(() => ConversationPartBody, { list: true }) parts: ConversationPartBody[];
  @Nested(() => ConversationMetadataBody) metadata: ConversationMetadataBody;
}

/** A row of table conversation without its parts. */
export interface ConversationRow {
  readonly id: string;
  readonly organizationId: string;
  readonly subject: string | null;
  readonly source: string;
  readonly url: string | null;
  readonly createdAt: Date;
  readonly processedAt: Date | null;
}

export interface WholeConversationRow extends ConversationRow {
  readonly parts: ConversationPart[];
  readonly metadata: ConversationMetadata;
}

/** The columns of `ConversationRow`, over the aliases of `CONVERSATION_FROM`. */
export const CONVERSATION_COLUMNS = `c.id, c.organization_id AS "organizationId", c.subject, s.name AS source, c.metadata ->> 'url' AS url, c.created_at AS "createdAt", c.processed_at AS "processedAt"`;
/** Conversations of existing sources. */
export const CONVERSATION_FROM =
  'FROM conversation c JOIN conversation_source s ON s.organization_id = c.organization_id AND s.id = c.source_id AND s.deleted_at IS NULL';

export function presentConversation(row: ConversationRow, addresses: Addresses): ConversationBody {
  const url = row.url === null ? undefined : webAddress(row.url);
  const source = url && /^https?:$/.test(url.protocol) ? url.href : undefined;
  return {
    object: 'conversation',
    id: row.id,
    ...(row.subject !== null && { subject: row.subject }),
    createdAt: row.createdAt.toISOString(),
    ...(row.processedAt && { processedAt: row.processedAt.toISOString() }),
    source: row.source,
    urls: {
      location: addresses.location(`/orgs/${row.organizationId}/conversations/${row.id}`),
      ...(source !== undefined && { source }),
    },
  };
}

export function presentWholeConversation(row: WholeConversationRow, addresses: Addresses): WholeConversationBody {
  const { url, attributes, createdAt } = row.metadata;
  return {
    conversation: presentConversation(row, addresses),
    parts: row.parts.map(({ role, body }) => ({ type: 'message', role, body })),
    metadata: {
      ...(url !== undefined && { url }),
      ...(attributes && { attributes: { ...attributes } }),
      ...(createdAt !== undefined && { createdAt: new Date(createdAt).toISOString() }),
    },
  };
}
