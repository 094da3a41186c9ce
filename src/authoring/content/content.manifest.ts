import { INVARIANTS } from '../../kernel/platform/health-checks/health-checks.points.js';
import { CONTENT_INVARIANTS } from './content.invariants.js';
import { whole } from '../../kernel/platform/config/setting-schemas.js';
import { job } from '../../kernel/platform/jobs/job-definition.js';
import { space, UNAUDITED } from '../../kernel/platform/manifest/event-definition.js';
import { defineModule } from '../../kernel/platform/manifest/manifest.js';
import { migrationsOf } from '../../kernel/platform/package-folder.js';

export const content = defineModule({
  name: 'content',
  migrations: migrationsOf('content'),
  settings: {
    pagesPerSpace: whole(1, 10_000_000).default(100_000).describe('Pages that a space holds at most'),
    filesPerSpace: whole(1, 10_000_000).default(100_000).describe('Files that a space holds at most'),
  },
  permissions: {
    'space:edit': {
      least: 'edit',
      scope: 'space:write',
      about: 'Write content, in change requests or live',
      flag: 'edit',
      assignable: true,
    },
    'space:propose': {
      least: 'edit',
      scope: 'change-request:write',
      within: 'space:write',
      about: 'Open change requests, write in them, and ask for reviews',
      assignable: true,
    },
    'space:replaceContent': {
      least: 'create',
      scope: 'space:write',
      about:
        'Replace all of the primary content at once, past reviews and merge rules: for users who may change the merge rules',
      flag: 'triggerGitSync',
      flagExceptions: ['translation'],
    },
  },
  events: {
    space_content_updated: space(
      'space',
      'The primary content has a new revision: an edit, a merge, a rollback, an import',
      {
        audit: UNAUDITED.content,
        facts: { revisionId: 'id', revisionType: 'text', changeRequestId: 'id?', rolledBackToRevisionId: 'id?' },
      },
    ),
  },
  jobs: {
    'documents.remove-unclaimed': job({ everySeconds: 3600 }),
    'content.index-computed': job({ everySeconds: 30 }),
  },
  contributes: CONTENT_INVARIANTS.map((invariant) => INVARIANTS.with(invariant)),
});

declare module '../../kernel/platform/manifest/manifest.js' {
  interface Manifests {
    content: typeof content;
  }
}
