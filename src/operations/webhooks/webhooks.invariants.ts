import type { Invariant } from '../../kernel/platform/health-checks/health-checks.points.js';

const OVER_WEBHOOKS = { table: 'webhook', key: 'id' } as const;

/** The state of the deliveries to webhooks. */
export const WEBHOOKS_INVARIANTS: readonly Invariant[] = [
  {
    group: 'queues',
    name: 'webhook-deliveries',
    holds: 'deliveries to webhooks are made in time',
    broken: 'deliveries to webhooks that are overdue by more than 15 minutes',
    level: 'warning',
    over: OVER_WEBHOOKS,
    find: `SELECT d.webhook_id AS id, NULL AS example FROM webhook_delivery d JOIN webhook w ON w.id = d.webhook_id AND w.active
      WHERE d.webhook_id = ANY ($1) AND d.status = 'pending' AND d.due_at < now() - interval '15 minutes'`,
    advice: 'Check that a server runs and that its background work is not held up',
  },
  {
    group: 'queues',
    name: 'disabled-webhooks',
    holds: 'no webhook was switched off because it failed',
    broken: 'webhooks that were switched off because they failed for too long',
    level: 'warning',
    over: OVER_WEBHOOKS,
    find: 'SELECT w.id, NULL AS example FROM webhook w WHERE w.id = ANY ($1) AND w.disabled_at IS NOT NULL',
    advice: 'Tell the owners of their organizations, who can switch them on again',
  },
];
