import { INVARIANTS } from '../../kernel/platform/health-checks/health-checks.points.js';
import { COLLECTIONS_ABOVE } from './collections.invariants.js';
import { COLLECTIONS } from '../../kernel/access/access.points.js';
import type { Contribution } from '../../kernel/platform/manifest/contribution.js';
import { letsIn } from '../../identity/organizations/lets-in.js';

export const COLLECTIONS_CONTRIBUTIONS: readonly Contribution[] = [
  COLLECTIONS.with({
    columns: 'c.id, c.organization_id AS "organizationId", c.parent_id AS "parentId", a.role',
    from: (
      user,
      id,
      limitedTo,
      address,
    ) => `collection_access(${user}, ARRAY[${id}]::text[]) a JOIN collection c ON c.id = a.collection_id
       WHERE a.role > 'none' AND c.organization_id = coalesce(${limitedTo}, c.organization_id) AND ${letsIn(user, 'c.organization_id', { limitedTo, address })}`,
  }),
  INVARIANTS.with(COLLECTIONS_ABOVE),
];
