import { space, UNAUDITED } from '../../kernel/platform/manifest/event-definition.js';
import { defineModule } from '../../kernel/platform/manifest/manifest.js';
import { migrationsOf } from '../../kernel/platform/package-folder.js';
import { COMMENTS_CONTRIBUTIONS } from './comments.contributions.js';

export const comments = defineModule({
  name: 'comments',
  migrations: migrationsOf('comments'),
  permissions: {
    'space:comment': {
      least: 'comment',
      scope: 'change-request:write',
      within: 'space:write',
      about: "Comment, and settle and remove one's own comments",
      flag: 'comment',
      assignable: true,
    },
    'space:resolveComments': {
      least: 'edit',
      scope: 'space:write',
      about: 'Settle comments of other people',
      assignable: true,
    },
    'space:removeComments': {
      least: 'create',
      scope: 'space:write',
      about: 'Remove comments of other people',
      assignable: true,
    },
  },
  events: {
    comment_created: space('comment', 'A comment was posted', {
      audit: UNAUDITED.discussion,
      facts: { changeRequestId: 'id?', pageId: 'id?', reviewId: 'id?', mentionedUserIds: 'ids?' },
    }),
    comment_updated: space('comment', 'A comment or the reactions to it were changed', {
      audit: UNAUDITED.discussion,
      facts: { changeRequestId: 'id?', fields: 'texts', mentionedUserIds: 'ids?' },
    }),
    comment_resolved: space('comment', 'A comment was resolved', {
      audit: UNAUDITED.discussion,
      facts: { changeRequestId: 'id?' },
    }),
    comment_reopened: space('comment', 'A comment was opened again', {
      audit: UNAUDITED.discussion,
      facts: { changeRequestId: 'id?' },
    }),
    comment_deleted: space('comment', 'A comment was removed, with its replies', {
      audit: true,
      facts: { changeRequestId: 'id?' },
    }),
    comment_reply_created: space('commentReply', 'A comment was replied to', {
      audit: UNAUDITED.discussion,
      facts: { commentId: 'id', changeRequestId: 'id?', mentionedUserIds: 'ids?' },
    }),
    comment_reply_updated: space('commentReply', 'A reply or the reactions to it were changed', {
      audit: UNAUDITED.discussion,
      facts: { commentId: 'id', changeRequestId: 'id?', fields: 'texts', mentionedUserIds: 'ids?' },
    }),
    comment_reply_deleted: space('commentReply', 'A reply was removed', {
      audit: true,
      facts: { commentId: 'id', changeRequestId: 'id?' },
    }),
  },
  targets: {
    comment: { label: null },
    commentReply: { label: null },
  },
  contributes: COMMENTS_CONTRIBUTIONS,
});

declare module '../../kernel/platform/manifest/manifest.js' {
  interface Manifests {
    comments: typeof comments;
  }
}
