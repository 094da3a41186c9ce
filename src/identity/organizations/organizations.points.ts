import type { Addresses } from '../../kernel/common/addresses.js';
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

/** Columns of a member `m` of the organization `$2` as the member `$1` sees it, who is a guest (`$4`) or not. */
export const MEMBER_COLUMNS = new ContributionPoint<ContributedColumn<keyof Pick<MemberForCaller, 'teams' | 'sites'>>>(
  'columns of a member',
);

/**
 * Settings of an organization that another module stores, or limits. Writes those in a change, in its transaction and
 * under the lock of the organization, and returns whether they differ now.
 */
export const ORGANIZATION_SETTINGS = new ContributionPoint<
  (database: Database, organizationId: string, changes: UpdateOrganization, addresses: Addresses) => Promise<boolean>
>('settings of an organization');

/** Tells whether a person can log in to an organization that enforces single sign-on. */
export const WAYS_IN = new ContributionPoint<(database: Database, organizationId: string) => Promise<boolean>>(
  'ways into an organization',
);

/**
 * Removes rows of a module for a member that no foreign key covers, in the transaction that ends the membership. The
 * row of the member is deleted by then: concurrent grants to the member have been waited for, and are visible.
 */
export const MEMBERSHIP_END = new ContributionPoint<(database: Database, member: Membership) => Promise<unknown>>(
  'end of a membership',
);
