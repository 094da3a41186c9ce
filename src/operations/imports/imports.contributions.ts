import type { Contribution } from '../../kernel/platform/manifest/contribution.js';
import { SPACE_COLUMNS } from '../../workspace/spaces/spaces.points.js';
import { gitSyncOf } from './git/git-sync.statements.js';

export const IMPORTS_CONTRIBUTIONS: readonly Contribution[] = [
  SPACE_COLUMNS.with({ name: 'gitSync', sql: `(SELECT to_jsonb(g) FROM (${gitSyncOf('s.id')}) g)` }),
];
