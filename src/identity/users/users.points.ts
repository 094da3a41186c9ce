import { ContributionPoint } from '../../kernel/platform/manifest/contribution.js';

/**
 * SQL conditions under which the user `$1` sees the user `$2` with a token that is limited to the organization `$3`
 * (null: not limited), from the address `$4`.
 */
export const ACQUAINTANCES = new ContributionPoint<string>('acquaintances of users');
