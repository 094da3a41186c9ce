import { ContributionPoint } from '../manifest/contribution.js';

/**
 * The organization of a row that names a thing of a module, as an SQL expression, which is null for other rows; the row is
 * given as one of the type jsonb.
 */
export const ORGANIZATIONS_OF_ROWS = new ContributionPoint<(row: string) => string>('organizations of rows');
