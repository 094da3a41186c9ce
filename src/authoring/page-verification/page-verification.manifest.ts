import { job } from '../../kernel/platform/jobs/job-definition.js';
import { space } from '../../kernel/platform/manifest/event-definition.js';
import { defineModule } from '../../kernel/platform/manifest/manifest.js';
import { migrationsOf } from '../../kernel/platform/package-folder.js';
import { PAGE_VERIFICATION_CONTRIBUTIONS } from './page-verification.contributions.js';

const UNAUDITED_STATEMENT = 'a statement about content, which gives nobody a right and takes nothing away';

export const pageVerification = defineModule({
  name: 'pageVerification',
  migrations: migrationsOf('pageVerification'),
  permissions: {
    'space:verifyPages': {
      least: 'review',
      scope: 'space:write',
      about: 'Say until when a page is held to be true, and who answers for it',
    },
  },
  events: {
    space_page_verified: space('space', 'Somebody holds a page to be true until a time', {
      audit: UNAUDITED_STATEMENT,
      facts: { pageId: 'id', ownerUserId: 'id?', ownerTeamId: 'id?', until: 'text' },
    }),
    space_page_verification_due: space(
      'space',
      'The time of a verification has passed, or its owner has left; once for each verification',
      { audit: UNAUDITED_STATEMENT, facts: { pageId: 'id', ownerUserId: 'id?', ownerTeamId: 'id?', until: 'text' } },
    ),
    space_page_verification_removed: space('space', 'The verification of a page was removed', {
      audit: UNAUDITED_STATEMENT,
      facts: { pageId: 'id' },
    }),
  },
  jobs: { 'pages.tell-due-verifications': job({ everySeconds: 60 }) },
  contributes: PAGE_VERIFICATION_CONTRIBUTIONS,
});

declare module '../../kernel/platform/manifest/manifest.js' {
  interface Manifests {
    pageVerification: typeof pageVerification;
  }
}
