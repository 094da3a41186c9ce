import { recountOrganization, wrongTotals } from '../../identity/organizations/organization-totals.js';
import type { Invariant } from '../../kernel/platform/health-checks/health-checks.points.js';
import { recountCollection } from '../collections/collections.invariants.js';

const countSpaces = (where: string): string => `SELECT count(*) FROM space s WHERE ${where} AND s.deleted_at IS NULL`;

export const SPACES_INVARIANTS: readonly Invariant[] = [
  {
    name: 'organization-spaces',
    holds: 'spaces of organizations are counted',
    broken: 'organizations with a wrong count of spaces',
    over: { table: 'organization', key: 'id' },
    find: wrongTotals('spaces', countSpaces('s.organization_id = o.id')),
    mend: { done: 'counted again', statements: recountOrganization('spaces', countSpaces('s.organization_id = $1')) },
  },
  {
    name: 'collection-spaces',
    holds: 'spaces of collections are counted',
    broken: 'collections with a wrong count of spaces',
    over: { table: 'collection', key: 'id' },
    find: `SELECT c.id, NULL AS example FROM collection c LEFT JOIN collection_total t ON t.collection_id = c.id
      WHERE c.id = ANY ($1) AND coalesce(t.spaces, 0) <> (${countSpaces('s.organization_id = c.organization_id AND s.collection_id = c.id')})`,
    mend: { done: 'counted again', statements: recountCollection(countSpaces('s.collection_id = $1')) },
  },
];
