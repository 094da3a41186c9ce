import { queryOptions } from '@tanstack/react-query';
import { get, type Schemas } from '../../api/client.js';

export type Webhook = Schemas['WebhookBody'];
export type WebhookPlace = Readonly<{ organizationId: string; webhookId: string }>;
export type Delivery = Schemas['DeliveryBody'];

export const WEBHOOKS = '/v1/orgs/{organizationId}/webhooks';
export const WEBHOOK = '/v1/orgs/{organizationId}/webhooks/{webhookId}';

/** The beginning of the keys of all that is read about the webhooks of an organization. */
export const webhooksKey = (organizationId: string) => ['webhooks', organizationId] as const;

export const webhookKey = ({ organizationId, webhookId }: WebhookPlace) =>
  [...webhooksKey(organizationId), 'one', webhookId] as const;

export const webhookQuery = (place: WebhookPlace) =>
  queryOptions({ queryKey: [...webhookKey(place), 'webhook'], queryFn: () => get(WEBHOOK, place) });

/** The beginning of the keys of the deliveries of a webhook. */
export const deliveriesKey = (place: WebhookPlace) => [...webhookKey(place), 'deliveries'] as const;
