import { space, UNAUDITED } from '../../kernel/platform/manifest/event-definition.js';
import { defineModule } from '../../kernel/platform/manifest/manifest.js';
import { migrationsOf } from '../../kernel/platform/package-folder.js';
import { REVIEWS_CONTRIBUTIONS } from './reviews.contributions.js';

export const reviews = defineModule({
  name: 'reviews',
  migrations: migrationsOf('reviews'),
  permissions: {
    'space:review': {
      least: 'review',
      scope: 'change-request:review',
      within: 'space:write',
      about: 'Review change requests',
      flag: 'review',
      assignable: true,
    },
  },
  events: {
    change_request_review_requested: space('changeRequest', 'People were asked for a review', {
      audit: UNAUDITED.discussion,
      facts: { number: 'number', userIds: 'ids' },
    }),
    change_request_review_request_removed: space('changeRequest', 'People are asked for a review no longer', {
      audit: UNAUDITED.discussion,
      facts: { number: 'number', userIds: 'ids' },
    }),
    change_request_reviewed: space('changeRequest', 'A review was submitted', {
      audit: UNAUDITED.discussion,
      facts: { number: 'number', reviewId: 'id', status: 'text' },
    }),
  },
  contributes: REVIEWS_CONTRIBUTIONS,
});

declare module '../../kernel/platform/manifest/manifest.js' {
  interface Manifests {
    reviews: typeof reviews;
  }
}
