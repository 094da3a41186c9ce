import { HEALTH_CHECKS, INVARIANTS } from '../../kernel/platform/health-checks/health-checks.points.js';
import { OrphanedRowsCheck } from './orphaned-rows.check.js';
import { SPACES_INVARIANTS } from './spaces.invariants.js';
import { SIBLING_KINDS } from '../collections/collections.points.js';
import { SPACES } from '../../kernel/access/access.points.js';
import { ORGANIZATIONS_OF_ROWS } from '../../kernel/platform/keys/keys.points.js';
import type { Contribution } from '../../kernel/platform/manifest/contribution.js';
import { endBypasses } from '../../identity/organizations/end-bypasses.js';
import { GUEST_ID, letsIn, MEMBER_IS_ADMIN } from '../../identity/organizations/lets-in.js';
import { MEMBERSHIP_END } from '../../identity/organizations/organizations.points.js';
import { additions } from '../../identity/organizations/custom-roles/additions.js';

const END_BYPASSES = endBypasses('space', 'organization_id = $1');

export const SPACES_CONTRIBUTIONS: readonly Contribution[] = [
  SPACES.with({
    columns: `s.id, s.organization_id AS "organizationId", s.collection_id AS "collectionId", a.role, s.edit_mode AS "editMode",
              s.language, s.revision_id AS "revisionId", s.sequence, s.deleted_at AS "deletedAt", hidden_pages(m.user_id, s.id) AS "hiddenPages", ${additions('space', 'm.user_id', 's')} AS added, ${GUEST_ID}`,
    from: (
      user,
      id,
      limitedTo,
      address,
    ) => `space_access(${user}, ARRAY[${id}]::text[]) a JOIN space s ON s.id = a.space_id
        JOIN member m ON m.organization_id = s.organization_id AND m.user_id = ${user}
       WHERE a.role > 'none' AND s.organization_id = coalesce(${limitedTo}, s.organization_id)
         AND ${letsIn(user, 's.organization_id', { limitedTo, address }, MEMBER_IS_ADMIN)}`,
  }),
  MEMBERSHIP_END.with((database, { organizationId, userId }) =>
    database.execute(END_BYPASSES, [organizationId, userId]),
  ),
  ORGANIZATIONS_OF_ROWS.with((row) => `(SELECT s.organization_id FROM space s WHERE s.id = ${row} ->> 'space_id')`),
  SIBLING_KINDS.with({
    type: 'space',
    listed:
      'SELECT id, position FROM space WHERE organization_id = $1 AND collection_id IS NOT DISTINCT FROM $2 AND deleted_at IS NULL',
    respace:
      'UPDATE space t SET position = row.key FROM unnest($1::text[], $2::text[]) AS row (id, key) WHERE t.id = row.id',
  }),
  ...SPACES_INVARIANTS.map((invariant) => INVARIANTS.with(invariant)),
  HEALTH_CHECKS.with(OrphanedRowsCheck),
];
