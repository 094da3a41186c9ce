import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can } from '../../kernel/access/access.decorators.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import {
  GitSyncBranchesBody,
  GitSyncFileQuery,
  GitSyncRepositoriesBody,
  GitSyncRepositoryFileBody,
  presentBranches,
  presentRepositories,
} from './forge-lists.schema.js';
import { ForgeLists } from './forge-lists.service.js';

const ASKS =
  'Requires the permission space:syncGit on the space. The provider is asked with the access token of the installation; without one, or at another provider, the answer is 409.';

/** The repositories, branches and files at the provider of an installation. */
@ApiTags('Spaces')
@Controller('git/installations/:installationId')
export class ForgeListsController {
  constructor(private readonly lists: ForgeLists) {}

  @Get('github/repos')
  @Can('user:view')
  @Operation({
    id: 'listGitHubRepositoriesForGitSyncInstallation',
    summary: 'List the repositories of GitHub that a space can be connected with',
    description: ASKS,
    type: GitSyncRepositoriesBody,
    errors: [409],
  })
  gitHubRepositories(@ByCaller() caller: Caller, @Param('installationId') installationId: string) {
    return this.lists.repositories({ caller, installationId, provider: 'github' }).then(presentRepositories);
  }

  @Get('github/repos/:accountName/:repositoryName/branches')
  @Can('user:view')
  @Operation({
    id: 'listGitHubRepoBranchesForGitSyncInstallation',
    summary: 'List the branches of a repository of GitHub',
    description: ASKS,
    type: GitSyncBranchesBody,
    errors: [409],
  })
  gitHubBranches(
    @ByCaller() caller: Caller,
    @Param('installationId') installationId: string,
    @Param('accountName') accountName: string,
    @Param('repositoryName') repositoryName: string,
  ) {
    return this.lists
      .branches({ caller, installationId, provider: 'github' }, `${accountName}/${repositoryName}`)
      .then(presentBranches);
  }

  @Get('github/repos/:accountName/:repositoryName/file')
  @Can('user:view')
  @Operation({
    id: 'getGitHubRepoFileForGitSyncInstallation',
    summary: 'Find a file of a repository of GitHub',
    description: ASKS,
    type: GitSyncRepositoryFileBody,
    errors: [409],
  })
  gitHubFile(
    @ByCaller() caller: Caller,
    @Param('installationId') installationId: string,
    @Param('accountName') accountName: string,
    @Param('repositoryName') repositoryName: string,
    @Query() { path, ref }: GitSyncFileQuery,
  ): Promise<GitSyncRepositoryFileBody> {
    return this.lists.file(
      { caller, installationId, provider: 'github' },
      `${accountName}/${repositoryName}`,
      path,
      ref,
    );
  }

  @Get('gitlab/projects')
  @Can('user:view')
  @Operation({
    id: 'listGitLabProjectsForGitSyncInstallation',
    summary: 'List the projects of GitLab that a space can be connected with',
    description: ASKS,
    type: GitSyncRepositoriesBody,
    errors: [409],
  })
  gitLabProjects(@ByCaller() caller: Caller, @Param('installationId') installationId: string) {
    return this.lists.repositories({ caller, installationId, provider: 'gitlab' }).then(presentRepositories);
  }

  @Get('gitlab/projects/:projectId/branches')
  @Can('user:view')
  @Operation({
    id: 'listGitLabProjectBranchesForGitSyncInstallation',
    summary: 'List the branches of a project of GitLab',
    description: ASKS,
    type: GitSyncBranchesBody,
    errors: [409],
  })
  gitLabBranches(
    @ByCaller() caller: Caller,
    @Param('installationId') installationId: string,
    @Param('projectId') projectId: string,
  ) {
    return this.lists.branches({ caller, installationId, provider: 'gitlab' }, projectId).then(presentBranches);
  }

  @Get('gitlab/projects/:projectId/file')
  @Can('user:view')
  @Operation({
    id: 'getGitLabProjectFileForGitSyncInstallation',
    summary: 'Find a file of a project of GitLab',
    description: ASKS,
    type: GitSyncRepositoryFileBody,
    errors: [409],
  })
  gitLabFile(
    @ByCaller() caller: Caller,
    @Param('installationId') installationId: string,
    @Param('projectId') projectId: string,
    @Query() { path, ref }: GitSyncFileQuery,
  ): Promise<GitSyncRepositoryFileBody> {
    return this.lists.file({ caller, installationId, provider: 'gitlab' }, projectId, path, ref);
  }
}
