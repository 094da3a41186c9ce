import { INVARIANTS } from '../../kernel/platform/health-checks/health-checks.points.js';
import { WEBHOOKS_INVARIANTS } from './webhooks.invariants.js';
import { job } from '../../kernel/platform/jobs/job-definition.js';
import { organization } from '../../kernel/platform/manifest/event-definition.js';
import { defineModule } from '../../kernel/platform/manifest/manifest.js';
import { migrationsOf } from '../../kernel/platform/package-folder.js';

export const webhooks = defineModule({
  name: 'webhooks',
  migrations: migrationsOf('webhooks'),
  events: {
    webhook_created: organization('webhook', 'A webhook was made', { audit: true }),
    webhook_updated: organization('webhook', 'A webhook was changed', { audit: true, facts: { fields: 'texts' } }),
    webhook_secret_rotated: organization('webhook', 'A webhook was given a new secret', { audit: true }),
    webhook_disabled: organization('webhook', 'A webhook failed for too long and was switched off', { audit: true }),
    webhook_deleted: organization('webhook', 'A webhook was removed', { audit: true }),
  },
  targets: {
    webhook: {
      label: `(SELECT coalesce(nullif(t.description, ''), substring(t.url FROM '^https?://') || substring(t.url FROM '^https?://(?:[^/?#]*@)?([^/?#]+)')) FROM webhook t WHERE t.id = r.target)`,
    },
  },
  jobs: {
    'webhooks.deliver': job<{ organization: string }>({ retries: 10, timeoutSeconds: 60, concurrency: 16 }),
    'webhooks.maintain': job({ everySeconds: 60 }),
  },
  contributes: WEBHOOKS_INVARIANTS.map((invariant) => INVARIANTS.with(invariant)),
});

declare module '../../kernel/platform/manifest/manifest.js' {
  interface Manifests {
    webhooks: typeof webhooks;
  }
}
