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
  broken: 'collections that lie in themselves',
  over: { table: 'organization', key: 'id' },
  find: `WITH RECURSIVE up (organization_id, start, id) AS (
      SELECT c.organization_id, c.id, c.parent_id FROM collection c WHERE c.organization_id = ANY ($1) AND c.parent_id IS NOT NULL
      UNION
      SELECT up.organization_id, up.start, c.parent_id FROM up JOIN collection c ON c.id = up.id WHERE c.parent_id IS NOT NULL)
    SELECT up.organization_id AS id, up.start AS example FROM up WHERE up.id = up.start`,
  advice: 'Set parent_id of one of them to null, which moves it to the top of its organization',
};
