import type { Database } from '../../kernel/common/database.js';
import type { ContributedColumn } from '../../kernel/platform/manifest/contributed-columns.js';
import { ContributionPoint } from '../../kernel/platform/manifest/contribution.js';
import type { MemberForCaller } from './members.schema.js';
import type { OrganizationForCaller, UpdateOrganization } from './organizations.schema.js';

export interface Membership {
  readonly organizationId: string;
  readonly userId: string;
}

/** Columns of an organization `o` as its member `m` sees it. */
export const ORGANIZATION_COLUMNS = new ContributionPoint<
  ContributedColumn<keyof Pick<OrganizationForCaller, 'defaultSiteId' | 'ownsTeam'>>
>('columns of an organization');

/** Columns of a member `m` of the organization `$2`. */
export const MEMBER_COLUMNS = new ContributionPoint<ContributedColumn<keyof Pick<MemberForCaller, 'teams'>>>(
  'columns of a member',
);

/**
 * Settings of an organization that another module keeps. Writes those that a change names, in its transaction and under the
 * lock of the organization, and says whether they differ now.
 */
export const ORGANIZATION_SETTINGS = new ContributionPoint<
  (database: Database, organizationId: string, changes: UpdateOrganization) => Promise<boolean>
>('settings of an organization');

/** Whether somebody has a way to log in to an organization where single sign-on is enforced. */
export const WAYS_IN = new ContributionPoint<(database: Database, organizationId: string) => Promise<boolean>>(
  'ways into an organization',
);

/**
 * Removes what a module keeps for a member beyond the reach of foreign keys, in the transaction that ends the membership. The
 * row of the member is gone by then: whoever grants something to the member at the same time is waited for, and is seen.
 */
export const MEMBERSHIP_END = new ContributionPoint<(database: Database, member: Membership) => Promise<unknown>>(
  'end of a membership',
);
