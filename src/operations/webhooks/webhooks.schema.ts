import type { Addresses } from '../../kernel/common/addresses.js';
import { Amount, Flag, Free, Id, Nested, ObjectName, OneOf, Text, Timestamp, Url } from '../../kernel/common/fields.js';
import { PageQuery } from '../../kernel/common/page-query.js';
import { versioned } from '../../kernel/common/versioned.js';
import { whenAssembled } from '../../kernel/platform/manifest/registry.js';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** All events, including those of later releases. */
export const ALL_EVENTS = '*';
const EVENT_NAMES = whenAssembled(({ publishedEvents }) => [ALL_EVENTS, ...publishedEvents]);
const DELIVERED = whenAssembled(({ publishedEvents }) => ['ping', ...publishedEvents]);
const MAX_EVENTS = 500;
const MAX_SPACES = 100;
const EVENTS_OF = {
  list: true,
  minItems: 1,
  maxItems: MAX_EVENTS,
  description: 'Types of events, or `*` for all',
  example: ['space_content_updated', 'change_request_merged'],
} as const;
const SPACES_OF = {
  list: true,
  minItems: 1,
  maxItems: MAX_SPACES,
  nullable: true,
  description: 'Only events in these spaces; null for all of the organization',
  example: ['AbCdEfGh0123456789Xy'],
} as const;
const RECEIVER = {
  example: 'https://hooks.example.com/bindery',
  description: 'Where events are sent: https, or http where the operator allows it',
} as const;
const DESCRIPTION = { max: 500, example: 'Rebuilds the search of the shop' } as const;

export class CreateWebhook {
  @Url(RECEIVER)
  url: string;
  @OneOf(EVENT_NAMES, EVENTS_OF)
  events: string[];
  @Id({ ...SPACES_OF, optional: true })
  spaces?: string[] | null;
  @Text({ ...DESCRIPTION, optional: true })
  description?: string;
  @Flag({ optional: true, default: true })
  active?: boolean;
}

export class UpdateWebhook {
  @Url({ ...RECEIVER, optional: true })
  url?: string;
  @OneOf(EVENT_NAMES, { ...EVENTS_OF, optional: true })
  events?: string[];
  @Id({ ...SPACES_OF, optional: true })
  spaces?: string[] | null;
  @Text({ ...DESCRIPTION, optional: true })
  description?: string;
  @Flag({
    optional: true,
    description:
      'Deliveries that wait when a webhook is switched off are dropped; it starts afresh when it is switched on',
  })
  active?: boolean;
}

export class RotateSecret {
  @Amount({
    optional: true,
    min: 0,
    max: 168,
    example: 24,
    description: 'Hours for which the previous secret signs as well, 24 when omitted',
  })
  graceHours?: number;
}

class WebhookUrls {
  @Url({ example: 'http://localhost:3000/v1/orgs/AbCdEfGh0123456789Xy/webhooks/AbCdEfGh0123456789Xz' })
  location: string;
}

class DisabledWebhook {
  @Text({ example: '20 deliveries in a row were given up' })
  reason: string;
  @Timestamp()
  at: string;
}

class LastDelivery {
  @Id()
  id: string;
  @OneOf(DELIVERY_STATUSES)
  status: DeliveryStatus;
  @Timestamp({ description: 'When the event was recorded' })
  createdAt: string;
  @Amount({ optional: true, example: 200, description: 'The HTTP status of the last answer' })
  responseStatus?: number;
}

export class WebhookBody {
  @ObjectName('webhook')
  object: 'webhook';
  @Id()
  id: string;
  @Url(RECEIVER)
  url: string;
  @OneOf(EVENT_NAMES, EVENTS_OF)
  events: string[];
  @Id(SPACES_OF)
  spaces: string[] | null;
  @Text(DESCRIPTION)
  description: string;
  @Flag()
  active: boolean;
  @Nested(() => DisabledWebhook, { optional: true, description: 'Where the service has switched it off' })
  disabled?: DisabledWebhook;
  @Timestamp({ optional: true, description: 'Until when the secret before the last rotation signs as well' })
  previousSecretUntil?: string;
  @Nested(() => LastDelivery, { optional: true, description: 'Delivery of the latest event' })
  lastDelivery?: LastDelivery;
  @Id({ description: 'The user who made it' })
  createdBy: string;
  @Timestamp()
  createdAt: string;
  @Timestamp()
  updatedAt: string;
  @Nested(() => WebhookUrls)
  urls: WebhookUrls;
}

export class WebhookWithSecretBody extends WebhookBody {
  @Text({
    description: 'Signs what is sent; this is the only answer that shows it',
    example: 'whsec_0123456789abcdefghijABCDEFGHIJ0123456789',
  })
  secret: string;
}

export class DeliveriesQuery extends PageQuery {
  @OneOf(DELIVERY_STATUSES, { optional: true })
  status?: DeliveryStatus;
}

class DeliveryResponse {
  @Amount({ example: 200, description: 'The HTTP status' })
  status: number;
  @Text({ example: 'ok', description: 'The beginning of the body' })
  excerpt: string;
}

export class DeliveryBody {
  @ObjectName('webhook-delivery')
  object: 'webhook-delivery';
  @Id()
  id: string;
  @Id({ description: 'The webhook' })
  webhook: string;
  @Id({ description: 'The event, for receivers to recognise what they have had already' })
  eventId: string;
  @OneOf(DELIVERED, { example: 'space_content_updated' })
  type: string;
  @OneOf(DELIVERY_STATUSES)
  status: DeliveryStatus;
  @Amount({ min: 0, description: 'Attempts so far, since the last redelivery' })
  attempts: number;
  @Timestamp()
  createdAt: string;
  @Timestamp({ optional: true, description: 'The last attempt' })
  attemptedAt?: string;
  @Timestamp({ optional: true, description: 'The next attempt, as long as it is pending' })
  nextAttemptAt?: string;
  @Timestamp({ optional: true, description: 'When it was delivered or given up' })
  completedAt?: string;
  @Nested(() => DeliveryResponse, { optional: true, description: 'The last answer' })
  response?: DeliveryResponse;
  @Amount({ optional: true, min: 0, example: 84, description: 'Milliseconds that the last attempt took' })
  duration?: number;
  @Text({ optional: true, example: 'the address did not answer in time', description: 'Why it was not delivered' })
  problem?: string;
  @Free({
    description: 'Body of the delivery',
    example: {
      eventId: 'AbCdEfGh0123456789Xy',
      type: 'space_content_updated',
      createdAt: '2026-01-31T09:30:00.000Z',
      organizationId: 'AbCdEfGh0123456789Xa',
      spaceId: 'AbCdEfGh0123456789Xb',
      revisionId: 'AbCdEfGh0123456789Xc',
      revisionType: 'edits',
    },
  })
  payload: Record<string, unknown>;
}

export interface WebhookRow {
  readonly id: string;
  readonly organizationId: string;
  readonly url: string;
  readonly events: string[];
  readonly spaces: string[] | null;
  readonly description: string;
  readonly active: boolean;
  readonly disabledReason: string | null;
  readonly disabledAt: Date | null;
  readonly previousSecretUntil: Date | null;
  readonly lastDelivery: {
    readonly id: string;
    readonly status: DeliveryStatus;
    readonly createdAt: string;
    readonly responseStatus: number | null;
  } | null;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly version: number;
}

export interface DeliveryRow {
  readonly id: string;
  readonly webhookId: string;
  readonly eventId: string;
  readonly type: string;
  readonly body: string;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly dueAt: Date;
  readonly attemptedAt: Date | null;
  readonly completedAt: Date | null;
  readonly responseStatus: number | null;
  readonly responseExcerpt: string | null;
  readonly duration: number | null;
  readonly problem: string | null;
  readonly createdAt: Date;
}

export function presentWebhook(row: WebhookRow, addresses: Addresses): WebhookBody {
  const last = row.lastDelivery;
  return versioned(
    {
      object: 'webhook',
      id: row.id,
      url: row.url,
      events: row.events,
      spaces: row.spaces,
      description: row.description,
      active: row.active,
      ...(row.disabledReason !== null &&
        row.disabledAt !== null && { disabled: { reason: row.disabledReason, at: row.disabledAt.toISOString() } }),
      ...(row.previousSecretUntil !== null && { previousSecretUntil: row.previousSecretUntil.toISOString() }),
      ...(last && {
        lastDelivery: {
          id: last.id,
          status: last.status,
          createdAt: last.createdAt,
          ...(last.responseStatus !== null && { responseStatus: last.responseStatus }),
        },
      }),
      createdBy: row.createdBy,
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
      urls: { location: addresses.location(`/orgs/${row.organizationId}/webhooks/${row.id}`) },
    },
    row.version,
  );
}

export function presentWithSecret(
  { row, secret }: { readonly row: WebhookRow; readonly secret: string },
  addresses: Addresses,
): WebhookWithSecretBody {
  return { ...presentWebhook(row, addresses), secret };
}

export function presentDelivery(row: DeliveryRow): DeliveryBody {
  return {
    object: 'webhook-delivery',
    id: row.id,
    webhook: row.webhookId,
    eventId: row.eventId,
    type: row.type,
    status: row.status,
    attempts: row.attempts,
    createdAt: row.createdAt.toISOString(),
    ...(row.attemptedAt && { attemptedAt: row.attemptedAt.toISOString() }),
    ...(row.status === 'pending' && { nextAttemptAt: row.dueAt.toISOString() }),
    ...(row.completedAt && { completedAt: row.completedAt.toISOString() }),
    ...(row.responseStatus !== null && {
      response: { status: row.responseStatus, excerpt: row.responseExcerpt ?? '' },
    }),
    ...(row.duration !== null && { duration: row.duration }),
    ...(row.problem !== null && { problem: row.problem }),
    payload: JSON.parse(row.body) as Record<string, unknown>,
  };
}
