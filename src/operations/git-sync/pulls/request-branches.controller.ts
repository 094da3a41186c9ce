import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InSpace, LeavesOutHiddenPages } from '../../../kernel/access/access.decorators.js';
import type { SpaceAccess } from '../../../kernel/access/access.service.js';
import type { Caller } from '../../../kernel/common/context.js';
import { Operation } from '../../../kernel/common/operation.js';
import { ImportRunBody, presentRun } from '../../imports/imports.schema.js';
import { OpenPullRequest, presentPullRequest, PullRequestBody } from './request-branches.schema.js';
import { RequestBranches } from './request-branches.service.js';

@ApiTags('Change requests')
@LeavesOutHiddenPages()
@Controller('spaces/:spaceId/change-requests/:changeRequestId/pull-request')
export class RequestBranchesController {
  constructor(private readonly branches: RequestBranches) {}

  @Get()
  @Can('space:view')
  @Operation({
    id: 'getChangeRequestPullRequest',
    summary: 'Get the pull request of a change request',
    description:
      'The one that the change request was pushed as, or was made of; 404 where there is none. The space is kept equal with the branch of a repository.',
    type: PullRequestBody,
  })
  get(@InSpace() { id }: SpaceAccess, @Param('changeRequestId') changeRequestId: string) {
    return this.branches.get(id, changeRequestId).then(presentPullRequest);
  }

  @Post()
  @Can('space:syncGit')
  @Operation({
    id: 'openChangeRequestPullRequest',
    summary: 'Push a change request as a branch, and open a pull request',
    description:
      'For a draft or open change request of a space that is kept equal with a branch, by somebody who sees all pages of the space. Works in the background: the answer is the run. From then on the branch gets the edits of the change request by commits on top of it, the change request gets the commits of others, the pull request follows its subject and description, and merging or closing one merges or closes the other. A server without pull requests gets the branch alone. Asking again does nothing while there is one, and opens a new one after that was closed. The run fails, and nothing is kept, where the branch exists already, the change request has conflicts with the space or changes no file.',
    status: 201,
    type: ImportRunBody,
    errors: [409],
  })
  open(
    @ByCaller() caller: Caller,
    @InSpace() { id }: SpaceAccess,
    @Param('changeRequestId') changeRequestId: string,
    @Body() body: OpenPullRequest,
  ) {
    return this.branches.open(caller, id, changeRequestId, body).then((run) => presentRun(run));
  }
}
