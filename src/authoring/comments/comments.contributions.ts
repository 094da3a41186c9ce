import type { Contribution } from '../../kernel/platform/manifest/contribution.js';
import { OPEN_COMMENTS } from '../../workspace/spaces/open-comments.js';

export const COMMENTS_CONTRIBUTIONS: readonly Contribution[] = [
  OPEN_COMMENTS.with(
    (space, line) =>
      `(SELECT count(*)::int FROM comment o WHERE o.space_id = ${space} AND o.line = ${line} AND o.parent_id IS NULL AND o.resolved_at IS NULL)`,
  ),
];
