import { OneOf, Text, Timestamp, Url } from '../../kernel/common/fields.js';

/** The row of the repository that the primary content of a space was last imported from or exported to. */
export interface GitSyncRow {
  readonly repoName: string;
  readonly provider: string | null;
  readonly url: string;
  /** A time, or its text. */
  readonly updatedAt: Date | string;
}

/** `GitSyncState` of the public API. */
export class GitSyncBody {
  @Text({ optional: true, example: 'docs' }) repoName?: string;
  @OneOf(['github', 'gitlab'], { optional: true }) installationProvider?: string;
  @Url({ optional: true, description: 'Where people see the repository' }) url?: string;
  @Timestamp({ optional: true }) updatedAt?: string;
}

export function presentGitSync({ repoName, provider, url, updatedAt }: GitSyncRow): GitSyncBody {
  return {
    repoName,
    ...(provider !== null && { installationProvider: provider }),
    url,
    updatedAt: new Date(updatedAt).toISOString(),
  };
}
