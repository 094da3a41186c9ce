import { Id, Nested, OneOf, Text, Timestamp, Url } from '../../kernel/common/fields.js';

/** The providers of repositories; `git` is any other server. */
export const GIT_PROVIDERS = ['github', 'gitlab', 'gitea', 'bitbucket', 'git'] as const;
export type GitProvider = (typeof GIT_PROVIDERS)[number];

/** The row of the repository of a space: the one it is kept equal with, or was last imported from or exported to. */
export interface GitSyncRow {
  readonly repoName: string | null;
  readonly provider: string | null;
  readonly url: string | null;
  /** Times, or their texts. */
  readonly updatedAt: Date | string;
  readonly installationId: string | null;
  readonly parentInstallationId: string | null;
  readonly isConfigured: boolean;
  readonly failure: string | null;
  readonly runStatus: string | null;
  readonly direction: string | null;
  readonly startedAt: Date | string | null;
  readonly endedAt: Date | string | null;
}

class GitSyncOperationBody {
  @OneOf(['running', 'failure', 'success']) state: 'running' | 'failure' | 'success';
  @OneOf(['import', 'export'], { description: '`import` where both sides were changed' }) direction:
    'import' | 'export';
  @Timestamp() startedAt: string;
  @Timestamp({ optional: true }) endedAt?: string;
  @Text({
    optional: true,
    description: 'Why it failed, and what to do',
    example: 'The branch refs/heads/main is gone from the repository: choose another one, or push it again',
  })
  error?: string;
}

/** `GitSyncState` of the public API. */
export class GitSyncBody {
  @Text({ optional: true, example: 'docs' }) repoName?: string;
  @OneOf(['active', 'pending'], {
    optional: true,
    description: '`pending` until a repository is chosen; absent without an installation',
  })
  installationStatus?: 'active' | 'pending';
  @OneOf(['github', 'gitlab'], { optional: true, description: 'Absent for other servers' })
  installationProvider?: 'github' | 'gitlab';
  @Id({ optional: true }) installationId?: string;
  @Id({ optional: true, description: 'The installation of a site that has this one' }) parentInstallationId?: string;
  @Url({ optional: true, description: 'Where people see the repository' }) url?: string;
  @Nested(() => GitSyncOperationBody, { optional: true, description: 'The last synchronization of the installation' })
  operation?: GitSyncOperationBody;
  @Timestamp({ optional: true }) updatedAt?: string;
}

export function presentGitSync(row: GitSyncRow): GitSyncBody {
  const { repoName, provider, url, updatedAt, installationId, parentInstallationId, isConfigured } = row;
  return {
    ...(repoName !== null && { repoName }),
    ...(installationId !== null && {
      installationId,
      installationStatus: isConfigured ? ('active' as const) : ('pending' as const),
    }),
    ...(parentInstallationId !== null && { parentInstallationId }),
    ...((provider === 'github' || provider === 'gitlab') && { installationProvider: provider }),
    ...(url !== null && { url }),
    ...operationOf(row),
    updatedAt: new Date(updatedAt).toISOString(),
  };
}

function operationOf(row: GitSyncRow): Pick<GitSyncBody, 'operation'> {
  const { runStatus, direction, startedAt, endedAt, failure } = row;
  if (runStatus === null || startedAt === null) return {};
  const isOver = endedAt !== null;
  return {
    operation: {
      state: !isOver ? 'running' : runStatus === 'completed' ? 'success' : 'failure',
      direction: direction === 'export' ? 'export' : 'import',
      startedAt: new Date(startedAt).toISOString(),
      ...(isOver && { endedAt: new Date(endedAt).toISOString() }),
      ...(isOver && runStatus !== 'completed' && failure !== null && { error: failure }),
    },
  };
}
