import { ContributionPoint } from '../../kernel/platform/manifest/contribution.js';
import type { GrantStatements } from './grant-tables.js';

/** What roles can be granted on beside spaces and collections; the contributing module owns the tables. */
export const GRANTED_THINGS = new ContributionPoint<GrantStatements>('things that roles are granted on');
