import type { Contribution } from '../../kernel/platform/manifest/contribution.js';
import { COUNTED_REVIEWS, REQUESTED_REVIEWERS } from '../change-requests/change-requests.points.js';

export const REVIEWS_CONTRIBUTIONS: readonly Contribution[] = [
  REQUESTED_REVIEWERS.with(
    (user) =>
      `EXISTS (SELECT FROM requested_reviewer q WHERE q.space_id = r.space_id AND q.change_request_id = r.id AND q.user_id = ${user})`,
  ),
  COUNTED_REVIEWS.with(
    (
      role,
    ) => `(SELECT coalesce(jsonb_agg(jsonb_build_object('id', v.id, 'status', v.status, 'outdated', v.sequence < r.written_sequence,
            'reviewer', jsonb_build_object('id', u.id, 'displayName', u.display_name)) ORDER BY v.created_at, v.id), '[]')
     FROM (SELECT DISTINCT ON (reviewer_id) * FROM change_request_review WHERE space_id = r.space_id AND change_request_id = r.id
            ORDER BY reviewer_id, created_at DESC, id DESC) v
     JOIN account u ON u.id = v.reviewer_id AND NOT u.disabled
    CROSS JOIN LATERAL space_access(u.id, ARRAY[r.space_id]) a
    WHERE a.role >= ${role})`,
  ),
];
