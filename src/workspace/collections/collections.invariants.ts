import type { Invariant } from '../../kernel/platform/health-checks/health-checks.points.js';

/** Statements that set the total of a collection (`$1`) to what a SELECT counts, as for the totals of organizations. */
export const recountCollection = (counted: string): string[] => [
  'INSERT INTO collection_total (collection_id, spaces) VALUES ($1, 0) ON CONFLICT DO NOTHING',
  'SELECT FROM collection_total WHERE collection_id = $1 FOR UPDATE',
  `UPDATE collection_total SET spaces = (${counted}) WHERE collection_id = $1`,
];

/** Statements that read what is above a collection would never end in a circle. */
export const COLLECTIONS_ABOVE: Invariant = {
  name: 'collection-tree',
  holds: 'collections lie in each other without a circle',
  broken: 'collections that cannot be reached from the top of their organization',
  isRequired: true,
  over: { table: 'organization', key: 'id' },
  find: `WITH RECURSIVE down (organization_id, id) AS (
      SELECT c.organization_id, c.id FROM collection c WHERE c.organization_id = ANY ($1) AND c.parent_id IS NULL
      UNION ALL
      SELECT c.organization_id, c.id FROM down JOIN collection c ON c.organization_id = down.organization_id AND c.parent_id = down.id)
    SELECT c.organization_id AS id, c.id AS example FROM collection c WHERE c.organization_id = ANY ($1)
    EXCEPT
    SELECT down.organization_id, down.id FROM down`,
  advice: 'Set parent_id of one of them to null, which moves it to the top of its organization',
};
