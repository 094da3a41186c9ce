import type { Contribution } from '../../kernel/platform/manifest/contribution.js';
import { OPEN_COMMENTS } from '../../workspace/spaces/open-comments.js';
import { CONTRIBUTORS } from '../change-requests/change-requests.points.js';

export const COMMENTS_CONTRIBUTIONS: readonly Contribution[] = [
  OPEN_COMMENTS.with(
    (space, line) =>
      `(SELECT count(*)::int FROM comment o WHERE o.space_id = ${space} AND o.line = ${line} AND o.parent_id IS NULL AND o.resolved_at IS NULL)`,
  ),
  CONTRIBUTORS.with(
    (user) =>
      `EXISTS (SELECT FROM comment c WHERE c.space_id = r.space_id AND c.line = r.id AND c.posted_by = ${user})`,
  ),
];
