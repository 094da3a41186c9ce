import type { Type } from '@nestjs/common';
import { ContributionPoint } from '../../kernel/platform/manifest/contribution.js';
import type { ActiveRun } from './active-run.js';
import type { RunSource } from './imports.schema.js';

/** The order to keep a space and a branch equal. */
export type GitSyncOrder = Extract<RunSource, { type: 'git-sync' }>;

/** Carries out the runs that keep a space and a branch equal. */
export interface GitSyncRuns {
  execute(run: ActiveRun, order: GitSyncOrder): Promise<unknown>;
}

/** The provider of the runs of source `git-sync`. */
export const GIT_SYNC_RUNS = new ContributionPoint<Type<GitSyncRuns>>('runs that keep a space and a branch equal');
