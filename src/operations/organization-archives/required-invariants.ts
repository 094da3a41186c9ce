import type { DatabaseConnection } from '../../kernel/common/connection.js';
import type { Invariant } from '../../kernel/platform/health-checks/health-checks.points.js';
import { ArchiveFault } from './archive-source.js';

/** A query for the keys of an organization (`$1`) that an invariant is about. */
const keysOf = ({ table, key }: Invariant['over']): string =>
  `SELECT o.${key} AS key FROM ${table} o WHERE o.${table === 'organization' ? 'id' : 'organization_id'} = $1`;

/**
 * Throws `ArchiveFault` where the rows of an organization, in the present transaction, break one of those invariants
 * without which statements of the service would not end.
 */
export async function requireInvariants(
  client: DatabaseConnection,
  invariants: readonly Invariant[],
  organizationId: string,
): Promise<void> {
  for (const { isRequired, broken, over, find } of invariants) {
    if (isRequired !== true) continue;
    const { rows } = await client.query<{ key: string }>(keysOf(over), [organizationId]);
    const { rowCount } = await client.query(`SELECT FROM (${find}) f LIMIT 1`, [rows.map(({ key }) => key)]);
    if (rowCount !== 0) throw new ArchiveFault('the archive', `has ${broken}`);
  }
}
