import { AUDIT_COLUMNS } from '../../kernel/platform/audit-log.js';
import { whole } from '../../kernel/platform/config/setting-schemas.js';
import { job } from '../../kernel/platform/jobs/job-definition.js';
import { defineModule } from '../../kernel/platform/manifest/manifest.js';
import { TABLES_BY_MONTH } from '../../kernel/platform/retention/month-partitions.js';
import { migrationsOf } from '../../kernel/platform/package-folder.js';

export const audit = defineModule({
  name: 'audit',
  migrations: migrationsOf('audit'),
  settings: {
    auditRetentionDays: whole(30, 3650)
      .default(400)
      .describe('Days that the audit log is kept at least, 30 or more; lines go when all of their month is older'),
  },
  permissions: {
    'organization:viewAuditEvents': {
      least: 'admin',
      scope: 'organization:audit:read',
      about: 'Read the audit log',
      assignable: true,
    },
  },
  auditSources: { insertion: `INSERT INTO audit_event (${AUDIT_COLUMNS})` },
  jobs: {
    'audit.remove-expired': job({ everySeconds: 3600 }),
  },
  contributes: [TABLES_BY_MONTH.with('audit_event')],
});

declare module '../../kernel/platform/manifest/manifest.js' {
  interface Manifests {
    audit: typeof audit;
  }
}
