import type { Addresses } from '../../kernel/common/addresses.js';
import {
  Amount,
  Free,
  Id,
  Nested,
  ObjectName,
  OneOf,
  Repeated,
  Text,
  Timestamp,
  Url,
} from '../../kernel/common/fields.js';
import { PageQuery } from '../../kernel/common/page-query.js';
import type { AuditedType } from '../../kernel/platform/manifest/events.js';
import { whenAssembled, type Registry } from '../../kernel/platform/manifest/registry.js';

const ACTIONS = whenAssembled((registry) => registry.auditActions);
const MAX_ACTIONS = 20;
/** Must be increased when the structure of `payload` changes. */
const SCHEMA_VERSION = 1;
const ACTOR_TYPES = ['user', 'integration', 'system'] as const;
const SOURCES = ['api', 'integration', 'workflow', 'script'] as const;
const UUID = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';

export class AuditEventsQuery extends PageQuery {
  @Timestamp({ optional: true, description: 'At or after this time', example: '2026-01-01T00:00:00.000Z' })
  from?: string;
  @Timestamp({ optional: true, description: 'At or before this time', example: '2099-12-31T00:00:00.000Z' })
  to?: string;
  @Repeated()
  @OneOf(ACTIONS, {
    optional: true,
    list: true,
    maxItems: MAX_ACTIONS,
    description: 'Only these actions; give the parameter once for each',
    example: ['space_deleted'],
  })
  action?: string[];
  @Id({ optional: true, description: 'Only what this actor did: the id of a user or identity provider, or `system`' })
  actor?: string;
  @Id({ optional: true, description: 'Only what was done to the thing with this id' })
  target?: string;
}

export class FormerMembersQuery extends PageQuery {
  @Text({ optional: true, max: 100, description: 'Only people whose name has this text in it', example: 'ada' })
  search?: string;
}

class AuditToken {
  @Id()
  id: string;
  @Text({ optional: true, description: 'Name that its owner gave it', example: 'Deploys' })
  name?: string;
  @Text({ optional: true, description: 'Name of the agent that it was made for', example: 'Claude Code' })
  agent?: string;
}

class AuditActor {
  @OneOf(ACTOR_TYPES, {
    description: '`integration` is an identity provider that speaks for people, `system` the service itself',
  })
  type: (typeof ACTOR_TYPES)[number];
  @Id()
  id: string;
  @Text({ optional: true, description: 'Name of the actor at that moment', example: 'Ada Lovelace' })
  label?: string;
  @Nested(() => AuditToken, { optional: true, description: 'The API token that was used' })
  token?: AuditToken;
}

class AuditTarget {
  @Text({ description: 'The kind of thing', example: 'space' })
  type: string;
  @Id()
  id: string;
  @Text({
    optional: true,
    description: 'Name of the object at that moment; e-mail addresses are masked',
    example: 'Handbook',
  })
  label?: string;
}

class AuditContext {
  @Text({
    optional: true,
    description: 'The address that the request came from, past trusted proxies',
    example: '192.0.2.7',
  })
  ipAddress?: string;
  @Text({ optional: true, example: 'curl/8.5.0' })
  userAgent?: string;
}

class AuditUrls {
  @Url({ example: `http://localhost:3000/v1/orgs/AbCdEfGh0123456789Xy/audit-events/${UUID}` })
  location: string;
}

/** A line of the audit log. */
export class AuditEventBody {
  @ObjectName('audit-event')
  object: 'audit-event';
  @Text({ example: UUID })
  id: string;
  @Timestamp()
  occurredAt: string;
  @Text({ description: 'One of the actions that `audit-event-actions` lists', example: 'space_deleted' })
  action: string;
  @Nested(() => AuditActor)
  actor: AuditActor;
  @OneOf(SOURCES, {
    description:
      'A request to the API, a login through an identity provider, work in the background, or the command line',
  })
  source: (typeof SOURCES)[number];
  @Nested(() => AuditTarget)
  target: AuditTarget;
  @Nested(() => AuditContext)
  context: AuditContext;
  @Text({ description: 'The event as webhooks deliver it, `eventId` there', example: 'AbCdEfGh0123456789Xy' })
  executionId: string;
  @Text({
    optional: true,
    description: 'The request: `X-Request-Id` of its answer, and in the log of the server',
    example: 'c0ffee00-8b86-4d01-b42d-00cf4fc964ff',
  })
  correlationId?: string;
  @Amount({ description: 'The version of the shape of `payload`' })
  schemaVersion: number;
  @Free({
    description: 'The facts of the event; `changes` are fields before and after',
    example: { changes: [{ field: 'role', before: 'edit', after: 'admin' }] },
  })
  payload: Readonly<Record<string, unknown>>;
  @Nested(() => AuditUrls)
  urls: AuditUrls;
}

class AuditAction {
  @ObjectName('audit-event-action')
  object: 'audit-event-action';
  @Text({ example: 'space_deleted' })
  id: string;
  @Text({ example: 'A space went to the trash' })
  label: string;
}

export class AuditActionsBody {
  @Nested(() => AuditAction, { list: true })
  items: AuditAction[];
}

/** A person whom the audit log knows as a member, and who is none any more. */
export class FormerMemberBody {
  @ObjectName('former-member')
  object: 'former-member';
  @Id({ description: 'To be given as `actor` or `target`' })
  id: string;
  @Text({ optional: true, description: 'Name of the person when the membership ended', example: 'Ada Lovelace' })
  label?: string;
  @Timestamp({ description: 'When the membership ended' })
  leftAt: string;
}

export interface FormerMemberRow {
  readonly id: string;
  readonly label: string | null;
  readonly leftAt: Date;
}

export function presentFormerMember({ id, label, leftAt }: FormerMemberRow): FormerMemberBody {
  return { object: 'former-member', id, ...(label !== null && { label }), leftAt: leftAt.toISOString() };
}

export interface AuditEventRow {
  readonly id: string;
  readonly organizationId: string;
  readonly eventId: string;
  readonly occurredAt: Date;
  readonly action: AuditedType;
  readonly source: AuditEventBody['source'];
  readonly actorType: AuditActor['type'];
  readonly actorId: string;
  readonly actorLabel: string | null;
  readonly tokenId: string | null;
  readonly tokenName: string | null;
  readonly agent: string | null;
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly requestId: string | null;
  readonly targetType: string;
  readonly targetId: string;
  readonly targetLabel: string | null;
  readonly payload: Readonly<Record<string, unknown>>;
}

export function presentAuditEvent(row: AuditEventRow, addresses: Addresses): AuditEventBody {
  return {
    object: 'audit-event',
    id: row.id,
    occurredAt: row.occurredAt.toISOString(),
    action: row.action,
    actor: {
      type: row.actorType,
      id: row.actorId,
      ...(row.actorLabel !== null && { label: row.actorLabel }),
      ...(row.tokenId !== null && {
        token: {
          id: row.tokenId,
          ...(row.tokenName !== null && { name: row.tokenName }),
          ...(row.agent !== null && { agent: row.agent }),
        },
      }),
    },
    source: row.source,
    target: { type: row.targetType, id: row.targetId, ...(row.targetLabel !== null && { label: row.targetLabel }) },
    context: {
      ...(row.ip !== null && { ipAddress: row.ip }),
      ...(row.userAgent !== null && { userAgent: row.userAgent }),
    },
    executionId: row.eventId,
    ...(row.requestId !== null && { correlationId: row.requestId }),
    schemaVersion: SCHEMA_VERSION,
    payload: row.payload,
    urls: { location: addresses.location(`/orgs/${row.organizationId}/audit-events/${row.id}`) },
  };
}

/** Every possible action of the log, with a description. */
export function presentAuditActions(registry: Registry): AuditActionsBody {
  return {
    items: registry.auditActions.map((id) => ({ object: 'audit-event-action', id, label: registry.event(id).about })),
  };
}
