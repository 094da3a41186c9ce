import { INVARIANTS } from '../../kernel/platform/health-checks/health-checks.points.js';
import { CHANGE_REQUESTS_INVARIANTS } from './change-requests.invariants.js';
import type { Contribution } from '../../kernel/platform/manifest/contribution.js';
import { SPACE_COLUMNS, TRANSFER_LEAVE } from '../../workspace/spaces/spaces.points.js';
import { REQUEST_LINES } from '../content/request-lines.js';
import { ChangeRequestStore } from './change-request-store.js';

export const CHANGE_REQUESTS_CONTRIBUTIONS: readonly Contribution[] = [
  REQUEST_LINES.with(ChangeRequestStore),
  SPACE_COLUMNS.with({
    name: 'changeRequests',
    sql: '(SELECT count(*)::int FROM change_request r WHERE r.space_id = s.id)',
  }),
  SPACE_COLUMNS.with({
    name: 'changeRequestsOpen',
    sql: `(SELECT count(*)::int FROM change_request r WHERE r.space_id = s.id AND r.status = 'open')`,
  }),
  SPACE_COLUMNS.with({
    name: 'changeRequestsDraft',
    sql: `(SELECT count(*)::int FROM change_request r WHERE r.space_id = s.id AND r.status = 'draft')`,
  }),
  // The clusters of issues belong to the organization that gathered the feedback.
  TRANSFER_LEAVE.with((database, { spaces }) =>
    database.execute(
      'UPDATE change_request SET issues_cluster_id = NULL WHERE space_id = ANY ($1) AND issues_cluster_id IS NOT NULL',
      [spaces],
    ),
  ),
  ...CHANGE_REQUESTS_INVARIANTS.map((invariant) => INVARIANTS.with(invariant)),
];
