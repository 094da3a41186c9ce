import type { Contribution } from '../../kernel/platform/manifest/contribution.js';
import { MEMBERSHIP_END } from '../../identity/organizations/organizations.points.js';
import { TRANSFER_LEAVE } from '../../workspace/spaces/spaces.points.js';
import { COUNTED_REVIEWS, REQUESTED_REVIEWERS } from '../change-requests/change-requests.points.js';
import { additions } from '../../identity/organizations/custom-roles/additions.js';

export const REVIEWS_CONTRIBUTIONS: readonly Contribution[] = [
  MEMBERSHIP_END.with((database, { organizationId, userId }) =>
    database.execute(
      'DELETE FROM requested_reviewer r USING space s WHERE r.user_id = $2 AND s.id = r.space_id AND s.organization_id = $1',
      [organizationId, userId],
    ),
  ),
  TRANSFER_LEAVE.with((database, { spaces, to }) =>
    database.execute(
      `DELETE FROM requested_reviewer g WHERE g.space_id = ANY ($1)
          AND NOT EXISTS (SELECT FROM member m WHERE m.organization_id = $2 AND NOT m.disabled AND m.user_id = g.user_id)`,
      [spaces, to],
    ),
  ),
  REQUESTED_REVIEWERS.with(
    (user) =>
      `EXISTS (SELECT FROM requested_reviewer q WHERE q.space_id = r.space_id AND q.change_request_id = r.id AND q.user_id = ${user})`,
  ),
  COUNTED_REVIEWS.with(
    (
      role,
    ) => `(SELECT coalesce(jsonb_agg(jsonb_build_object('id', v.id, 'status', v.status, 'outdated', v.sequence < r.written_sequence,
            'agent', v.agent, 'reviewer', jsonb_build_object('id', u.id, 'displayName', u.display_name)) ORDER BY v.created_at, v.id), '[]')
     FROM (SELECT DISTINCT ON (reviewer_id, agent IS NULL) * FROM change_request_review WHERE space_id = r.space_id AND change_request_id = r.id
            ORDER BY reviewer_id, agent IS NULL, created_at DESC, id DESC) v
     JOIN account u ON u.id = v.reviewer_id AND NOT u.disabled
    CROSS JOIN LATERAL space_access(u.id, ARRAY[r.space_id]) a
    CROSS JOIN space s WHERE s.id = r.space_id AND (a.role >= ${role} OR a.role > 'none' AND 'space:review' = ANY (${additions('space', 'u.id', 's')})))`,
  ),
];
