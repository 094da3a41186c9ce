import { ContributionPoint } from '../manifest/contribution.js';

/**
 * The organization of a row that names an object of a module, as an SQL expression, which is null for other rows; the
 * row is given as type jsonb.
 */
export const ORGANIZATIONS_OF_ROWS = new ContributionPoint<(row: string) => string>('organizations of rows');
