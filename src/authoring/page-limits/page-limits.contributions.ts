import type { Contribution } from '../../kernel/platform/manifest/contribution.js';
import { MEMBERSHIP_END } from '../../identity/organizations/organizations.points.js';
import { TRANSFER_LEAVE } from '../../workspace/spaces/spaces.points.js';
import { COPY_LIMITS } from '../content/content.points.js';

/** The limits of the space `$1` for its copy `$2` at `$3`. */
const COPY = `WITH limited AS (
    INSERT INTO page_limit (space_id, page_id, created_at, updated_at)
    SELECT $2, copied_id($2, l.page_id), $3::timestamptz, $3 FROM page_limit l WHERE l.space_id = $1),
  members AS (INSERT INTO page_member_grant (space_id, page_id, user_id, created_at)
    SELECT $2, copied_id($2, g.page_id), g.user_id, $3 FROM page_member_grant g WHERE g.space_id = $1)
  INSERT INTO page_team_grant (space_id, page_id, team_id, created_at)
  SELECT $2, copied_id($2, g.page_id), g.team_id, $3 FROM page_team_grant g WHERE g.space_id = $1`;

/** Limits stay where the people whom they name leave: nobody else sees the page then but administrators. */
export const PAGE_LIMITS_CONTRIBUTIONS: readonly Contribution[] = [
  COPY_LIMITS.with(COPY),
  MEMBERSHIP_END.with((database, { organizationId, userId }) =>
    database.execute(
      'DELETE FROM page_member_grant g USING space s WHERE g.user_id = $2 AND s.id = g.space_id AND s.organization_id = $1',
      [organizationId, userId],
    ),
  ),
  TRANSFER_LEAVE.with(async (database, { spaces, to }) => {
    await database.execute('DELETE FROM page_team_grant WHERE space_id = ANY ($1)', [spaces]);
    await database.execute(
      `DELETE FROM page_member_grant g WHERE g.space_id = ANY ($1)
         AND NOT EXISTS (SELECT FROM member m WHERE m.organization_id = $2 AND m.user_id = g.user_id)`,
      [spaces, to],
    );
  }),
];
