import { ContributionPoint } from '../../kernel/platform/manifest/contribution.js';
import type { GrantStatements } from './grant-tables.js';

/** Further kinds of objects on which roles can be granted; the contributing module owns the tables. */
export const GRANTED_THINGS = new ContributionPoint<GrantStatements>('things that roles are granted on');
