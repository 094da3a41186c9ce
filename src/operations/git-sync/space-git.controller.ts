import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Can, InSpace, LeavesOutHiddenPages } from '../../kernel/access/access.decorators.js';
import type { SpaceAccess } from '../../kernel/access/access.service.js';
import { Operation } from '../../kernel/common/operation.js';
import { GitSyncBody, presentGitSync } from '../../workspace/spaces/git-sync.schema.js';
import { GitInstallations } from './git-installations.service.js';

@ApiTags('Spaces')
@Controller('spaces/:spaceId/git/info')
export class SpaceGitController {
  constructor(private readonly installations: GitInstallations) {}

  @Get()
  @Can('space:view')
  @LeavesOutHiddenPages()
  @Operation({
    id: 'getSpaceGitInfo',
    summary: 'Get the repository that a space is kept equal with, or was last imported from or exported to',
    type: GitSyncBody,
  })
  info(@InSpace() { id }: SpaceAccess) {
    return this.installations.info(id).then(presentGitSync);
  }
}
