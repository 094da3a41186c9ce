import type { Database } from '../../kernel/common/database.js';
import { ContributionPoint } from '../../kernel/platform/manifest/contribution.js';

/** An SQL condition on the change request `r` and a user, who is given as an expression. */
export type ConditionOfUser = (user: string) => string;

/** Further ways to contribute to a change request than to write its content. */
export const CONTRIBUTORS = new ContributionPoint<ConditionOfUser>('contributors to change requests');

/** The requested reviewers of a change request. */
export const REQUESTED_REVIEWERS = new ContributionPoint<ConditionOfUser>('requested reviewers');

/**
 * The reviews that count for the merge of the change request `r`, as an SQL expression that gives a JSON array of `MergeReview`: the last
 * one of each person who holds a role in the space, which is given as an expression, or to whose role the permission to review is
 * added.
 */
export const COUNTED_REVIEWS = new ContributionPoint<(role: string) => string>('reviews that count for merges');

/**
 * Locks the cluster of issues with an id, in the organization of a space, for the rest of the transaction, so that it
 * cannot be deleted; returns false if there is none.
 */
export const CLUSTERS_OF_ISSUES = new ContributionPoint<
  (database: Database, spaceId: string, id: string) => Promise<boolean>
>('clusters of issues');
