import { Body, Controller, Delete, Get, Param, Patch, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { ByCaller, Can, Public } from '../../kernel/access/access.decorators.js';
import { Addresses } from '../../kernel/common/addresses.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { rawBody, TakesRawBody } from '../../kernel/platform/http/raw-body.js';
import { ImportRunBody, presentRun } from '../imports/imports.schema.js';
import { GitHooks } from './git-hooks.service.js';
import {
  GitInstallationBody,
  InstallGitProvider,
  PlanGitSync,
  presentGitInstallation,
  SetUpGitInstallation,
} from './git-installations.schema.js';
import { GitInstallations } from './git-installations.service.js';

/** Paths name no space: the service finds it, and checks the rights on it. */
@ApiTags('Spaces')
@Controller('git/installations')
export class GitInstallationsController {
  constructor(
    private readonly installations: GitInstallations,
    private readonly hooks: GitHooks,
    private readonly addresses: Addresses,
  ) {}

  @Post()
  @Can('user:view')
  @Operation({
    id: 'installGitSyncProviderOnTarget',
    summary: 'Install a git provider on a space or a site',
    description:
      'Requires the permission space:syncGit on the space, and to see all of its pages; for a site, site:admin, and the same on each of its spaces that has no installation: those become installations that belong to it. The answer shows the secret of the hook once. Nothing is read or written until the repository is set up.',
    status: 201,
    type: GitInstallationBody,
    errors: [409],
  })
  install(@ByCaller() caller: Caller, @Body() body: InstallGitProvider) {
    return this.installations
      .install(caller, body)
      .then(({ row, hookSecret }) => presentGitInstallation(row, this.addresses, hookSecret));
  }

  @Get(':installationId')
  @Can('user:view')
  @Operation({
    id: 'getGitSyncInstallationById',
    summary: 'Get how a space is kept equal with a repository',
    description: 'Requires the permission space:syncGit on the space. `error` says what hinders it now.',
    type: GitInstallationBody,
  })
  get(@ByCaller() caller: Caller, @Param('installationId') installationId: string) {
    return this.installations.get(caller, installationId).then((row) => presentGitInstallation(row, this.addresses));
  }

  @Patch(':installationId')
  @Can('user:view')
  @Operation({
    id: 'updateGitSyncInstallationById',
    summary: 'Choose the repository of a space, and begin to keep both equal',
    description:
      'Requires the permission space:syncGit on the space. `priority` begins a synchronization in the background in which that side wins. From then on each side follows the other: where both have changed they are merged block by block, and conflicts become a change request for people; the branch is never forced. Another repository or branch waits for a new `priority`. A site takes over its structure from the file of the branch that describes it, or is described there; with `git` a branch without that file is answered by 409 of the type `missing_site_git_sync_config`. The installation of a space of such a site is set up by that of the site.',
    type: GitInstallationBody,
    errors: [409],
  })
  update(
    @ByCaller() caller: Caller,
    @Param('installationId') installationId: string,
    @Body() body: SetUpGitInstallation,
  ) {
    return this.installations
      .update(caller, installationId, body)
      .then(({ row, hookSecret }) => presentGitInstallation(row, this.addresses, hookSecret));
  }

  @Delete(':installationId')
  @Can('user:view')
  @Operation({
    id: 'uninstallGitSyncInstallation',
    summary: 'End that a space is kept equal with a repository',
    description:
      'Requires the permission space:syncGit on the space. Space and repository stay as they are. That of a site ends those of its spaces that belong to it.',
    status: 204,
    errors: [409],
    alwaysThere: true,
  })
  uninstall(@ByCaller() caller: Caller, @Param('installationId') installationId: string) {
    return this.installations.uninstall(caller, installationId);
  }

  @Post(':installationId/plan')
  @Can('user:view')
  @Operation({
    id: 'planGitSyncInstallation',
    summary: 'See the changes that a first synchronization would make',
    description:
      'Requires the permission space:syncGit on the space. Works in the background and changes nothing; the result of the run has `plan`, the files that the losing side would gain and lose.',
    status: 201,
    type: ImportRunBody,
    errors: [409],
  })
  plan(@ByCaller() caller: Caller, @Param('installationId') installationId: string, @Body() { priority }: PlanGitSync) {
    return this.installations.begin(caller, installationId, { plan: priority }).then((run) => presentRun(run));
  }

  @Post(':installationId/sync')
  @Can('user:view')
  @Operation({
    id: 'syncGitSyncInstallation',
    summary: 'Make a space and its branch equal now',
    description:
      'Requires the permission space:syncGit on the space. Hooks, changes of the space and a look now and then begin it as well; a run that waits already is answered again.',
    status: 201,
    type: ImportRunBody,
    errors: [409],
  })
  sync(@ByCaller() caller: Caller, @Param('installationId') installationId: string) {
    return this.installations.begin(caller, installationId, {}).then((run) => presentRun(run));
  }

  @Post(':installationId/hook')
  @Public()
  @TakesRawBody()
  @Operation({
    id: 'receiveGitHook',
    summary: 'Take a push event of a git provider',
    description:
      'Takes no token, and the push event as the provider sends it: the delivery is signed with the secret of the hook, in the way of the provider; other servers send `X-Hub-Signature-256: sha256=` and the HMAC of the body in hexadecimal, and may name the delivery by `X-Delivery`. Each delivery is taken once.',
    status: 204,
    errors: [404, 409, 413],
    open: true,
  })
  async hook(@Param('installationId') installationId: string, @Req() request: Request) {
    return this.hooks.take(installationId, request.headers, rawBody(request));
  }
}
