import type { Contribution } from '../../kernel/platform/manifest/contribution.js';
import { SPACE_COLUMNS, TRANSFER_LEAVE } from '../../workspace/spaces/spaces.points.js';
import { GIT_SYNC_RUNS } from '../imports/imports.points.js';
import { gitSyncOf } from './git-sync.statements.js';
import { GitSyncer } from './git-syncer.service.js';

export const GIT_SYNC_CONTRIBUTIONS: readonly Contribution[] = [
  GIT_SYNC_RUNS.with(GitSyncer),
  SPACE_COLUMNS.with({ name: 'gitSync', sql: `(SELECT to_jsonb(g) FROM (${gitSyncOf('s.id')}) g)` }),
  // The person whose credentials these are stays behind.
  TRANSFER_LEAVE.with((database, { spaces }) =>
    database.execute('DELETE FROM git_installation WHERE space_id = ANY ($1)', [spaces]),
  ),
];
