import type { ActiveRun } from '../../imports/active-run.js';
import type { GitSyncOrder } from '../../imports/imports.points.js';
import type { ForgePulls } from '../forges/forge.js';

/** A run, and what the space and the branch agree on. */
export interface BranchWork {
  readonly run: ActiveRun;
  readonly order: GitSyncOrder;
  readonly agreed: { readonly oid: string; readonly revision: string };
}

/** The same at a forge with pull requests. */
export interface PullWork extends BranchWork {
  readonly forge: ForgePulls;
  /** The installation that tells the forge how pull requests are: that of the site, for a space of one. */
  readonly teller: string;
  /** All pull requests become change requests; otherwise only those are followed that change requests have become. */
  readonly previews: boolean;
}
