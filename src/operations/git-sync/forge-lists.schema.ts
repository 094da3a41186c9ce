import { Amount, Nested, Text } from '../../kernel/common/fields.js';
import type { ForgeBranch, ForgeRepository } from './forges/forge.js';

class GitSyncRepositoryBody {
  @Amount({ example: 1296269 }) id: number;
  @Text({ description: 'The account or group that owns it', example: 'octocat' }) accountName: string;
  @Text({ example: 'handbook' }) repositoryName: string;
  @Text({ example: 'octocat/handbook' }) fullName: string;
  @Text({ nullable: true, description: 'Null for an empty repository', example: 'main' }) defaultBranch: string | null;
}

/** Repositories of GitHub, or projects of GitLab. */
export class GitSyncRepositoriesBody {
  @Nested(() => GitSyncRepositoryBody, { list: true, description: 'The first 1,000' }) items: GitSyncRepositoryBody[];
}

class GitSyncBranchBody {
  @Text({ example: 'main' }) name: string;
  @Text({ example: 'refs/heads/main' }) ref: string;
}

export class GitSyncBranchesBody {
  @Nested(() => GitSyncBranchBody, { list: true, description: 'The first 1,000' }) items: GitSyncBranchBody[];
}

export class GitSyncRepositoryFileBody {
  @Text({ example: 'README.md' }) name: string;
  @Text({ example: 'docs/README.md' }) path: string;
  @Text({ description: 'The git object of its content', example: '3d21ec53a331a6f037a91c368710b99387d012c1' })
  sha: string;
  @Amount({ min: 0, description: 'In bytes', example: 5362 }) size: number;
}

export class GitSyncFileQuery {
  @Text({ min: 1, max: 1024, description: 'From the root of the repository', example: 'docs/README.md' }) path: string;
  @Text({ min: 1, max: 255, description: 'A branch, a tag or a commit', example: 'refs/heads/main' }) ref: string;
}

export function presentRepositories(items: readonly ForgeRepository[]): GitSyncRepositoriesBody {
  return {
    items: items.map(({ id, account, name, fullName, defaultBranch = null }) => ({
      id,
      accountName: account,
      repositoryName: name,
      fullName,
      defaultBranch,
    })),
  };
}

export function presentBranches(items: readonly ForgeBranch[]): GitSyncBranchesBody {
  return { items: items.map(({ name }) => ({ name, ref: `refs/heads/${name}` })) };
}
