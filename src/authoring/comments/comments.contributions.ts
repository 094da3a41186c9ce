import type { Contribution } from '../../kernel/platform/manifest/contribution.js';
import { CONTRIBUTORS } from '../change-requests/change-requests.points.js';

export const COMMENTS_CONTRIBUTIONS: readonly Contribution[] = [
  CONTRIBUTORS.with(
    (user) =>
      `EXISTS (SELECT FROM comment c WHERE c.space_id = r.space_id AND c.line = r.id AND c.posted_by = ${user})`,
  ),
];
