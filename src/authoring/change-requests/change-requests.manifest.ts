import { space, UNAUDITED } from '../../kernel/platform/manifest/event-definition.js';
import { defineModule } from '../../kernel/platform/manifest/manifest.js';
import { migrationsOf } from '../../kernel/platform/package-folder.js';
import { CHANGE_REQUESTS_CONTRIBUTIONS } from './change-requests.contributions.js';

export const changeRequests = defineModule({
  name: 'changeRequests',
  migrations: migrationsOf('changeRequests'),
  permissions: {
    'space:merge': {
      least: 'review',
      scope: 'change-request:merge',
      about: 'Merge change requests',
      flag: 'merge',
      assignable: true,
    },
  },
  events: {
    change_request_created: space('changeRequest', 'A change request was opened', {
      audit: UNAUDITED.content,
      facts: { number: 'number' },
    }),
    change_request_updated: space('changeRequest', 'Subject, description or status of a change request were changed', {
      audit: UNAUDITED.content,
      facts: { fields: 'texts' },
    }),
    change_request_content_updated: space('changeRequest', 'The content of a change request has a new revision', {
      audit: UNAUDITED.content,
      facts: { revisionId: 'id', revisionType: 'text' },
    }),
    change_request_merged: space('changeRequest', 'A change request was merged', {
      audit: UNAUDITED.content,
      facts: { number: 'number', revisionId: 'id' },
    }),
  },
  contributes: CHANGE_REQUESTS_CONTRIBUTIONS,
});

declare module '../../kernel/platform/manifest/manifest.js' {
  interface Manifests {
    changeRequests: typeof changeRequests;
  }
}
