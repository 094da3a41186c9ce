import { flag } from '../../kernel/platform/config/setting-schemas.js';
import { job } from '../../kernel/platform/jobs/job-definition.js';
import { organization, UNAUDITED } from '../../kernel/platform/manifest/event-definition.js';
import { defineModule } from '../../kernel/platform/manifest/manifest.js';
import { migrationsOf } from '../../kernel/platform/package-folder.js';

export const openapi = defineModule({
  name: 'openapi',
  migrations: migrationsOf('openapi'),
  settings: {
    openapiTolerant: flag
      .default(false)
      .describe(
        'Accepts specifications with faults that do not stop reading, with warnings, unless a source says otherwise',
      ),
  },
  permissions: {
    'organization:viewOpenAPISpecs': { least: 'read', scope: 'openapi:read', about: 'Read the OpenAPI specifications' },
    'organization:createOpenAPISpec': {
      least: 'create',
      scope: 'openapi:write',
      about: 'Add, change and remove OpenAPI specifications',
      flag: 'createOpenAPISpec',
      assignable: true,
    },
  },
  events: {
    openapi_spec_created: organization('specification', 'An OpenAPI specification was registered', {
      audit: true,
      facts: { slug: 'text' },
    }),
    openapi_spec_updated: organization(
      'specification',
      'A specification was given a new source, or its visibility was changed',
      { audit: true, facts: { slug: 'text', fields: 'texts' } },
    ),
    openapi_spec_deleted: organization('specification', 'A specification was removed, with its versions', {
      audit: true,
      facts: { slug: 'text' },
    }),
    openapi_version_created: organization(
      'specification',
      'A specification has a new version, with so many changes of each effect against the one before',
      {
        audit: UNAUDITED.progress,
        facts: {
          slug: 'text',
          versionId: 'id',
          breaking: 'number?',
          dangerous: 'number?',
          compatible: 'number?',
          documentation: 'number?',
        },
      },
    ),
    openapi_processing_failed: organization(
      'specification',
      'The source of a specification could not be fetched or read, or was refused for its changes; what was read before stays',
      { audit: UNAUDITED.progress, facts: { slug: 'text', code: 'text' } },
    ),
  },
  targets: {
    specification: { label: `(r.payload ->> 'slug')` },
  },
  jobs: {
    'openapi.process': job<{ organization: string }>({ retries: 10, timeoutSeconds: 240, concurrency: 4 }),
    'openapi.refresh': job({ everySeconds: 60 }),
  },
});

declare module '../../kernel/platform/manifest/manifest.js' {
  interface Manifests {
    openapi: typeof openapi;
  }
}
