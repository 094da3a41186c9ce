import type { Database } from '../../kernel/common/database.js';
import type { Transferred } from '../spaces/spaces.points.js';

const OUTSIDER = 'NOT EXISTS (SELECT FROM member m WHERE m.organization_id = $2 AND m.user_id = g.user_id)';

/**
 * Removes grants to teams, and to people who are not members of the destination, from objects that move to another
 * organization. Of custom roles the base remains.
 */
export async function dropGrants(database: Database, { collections, spaces, to }: Transferred): Promise<void> {
  await database.execute('DELETE FROM collection_team_grant WHERE collection_id = ANY ($1)', [collections]);
  await database.execute(`DELETE FROM collection_member_grant g WHERE g.collection_id = ANY ($1) AND ${OUTSIDER}`, [
    collections,
    to,
  ]);
  await database.execute('DELETE FROM space_team_grant WHERE space_id = ANY ($1)', [spaces]);
  await database.execute(`DELETE FROM space_member_grant g WHERE g.space_id = ANY ($1) AND ${OUTSIDER}`, [spaces, to]);
  await database.execute(
    'UPDATE space_member_grant SET custom_role_id = NULL WHERE space_id = ANY ($1) AND custom_role_id IS NOT NULL',
    [spaces],
  );
}
