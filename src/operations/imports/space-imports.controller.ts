import { Body, Controller, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { ByCaller, Can, InSpace } from '../../kernel/access/access.decorators.js';
import type { SpaceAccess } from '../../kernel/access/access.service.js';
import { Addresses } from '../../kernel/common/addresses.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { rawBody, TakesRawBody } from '../../kernel/platform/http/raw-body.js';
import { ARCHIVE_TYPES } from './archive-types.js';
import { GitRunRequests } from './git/git-run-requests.service.js';
import { ImportRequests } from './import-requests.service.js';
import { ExportGit, ImportGit, ImportRunBody, presentRun, type ImportRunRow } from './imports.schema.js';

/** Import of whole spaces from archives and repositories, and export to them. */
@ApiTags('Spaces')
@Controller('spaces/:spaceId')
export class SpaceImportsController {
  constructor(
    private readonly requests: ImportRequests,
    private readonly git: GitRunRequests,
    private readonly addresses: Addresses,
  ) {}

  @Post('import')
  @Can('space:replaceContent')
  @TakesRawBody()
  @ApiConsumes(...ARCHIVE_TYPES)
  @ApiBody({ schema: { type: 'string', format: 'binary' } })
  @Operation({
    id: 'importSpaceArchive',
    summary: 'Make a space say what an archive of Markdown says',
    description:
      'The body is a tar, tar.gz or zip archive of a folder, which is imported in the background: pages keep their ids by path, only what differs is written, what the archive has not is removed, in one revision of the primary content. `GET /v1/org/{organizationId}/imports/{importRunId}` shows how far it is.',
    status: 201,
    type: ImportRunBody,
    errors: [413],
  })
  archive(@ByCaller() caller: Caller, @InSpace() space: SpaceAccess, @Req() request: Request) {
    return this.requests
      .startArchive(caller, space, request.headers['content-type'], rawBody(request))
      .then((run) => presentRun(run));
  }

  @Post('git/import')
  @Can('space:replaceContent')
  @Operation({
    id: 'importGitRepository',
    summary: 'Make a space say what a git repository says',
    description:
      'In the background, by https only; only what differs is written. The header `Location` names the run, which shows how far it is. Runs of a space with an archive or a repository wait for each other. It fails where something newer (`timestamp`) was imported or exported already, unless `force` is set.',
    status: 204,
  })
  async importGit(
    @ByCaller() caller: Caller,
    @InSpace() space: SpaceAccess,
    @Body() body: ImportGit,
    @Res({ passthrough: true }) response: Response,
  ) {
    this.locate(response, space, await this.git.import(caller, space, body));
  }

  @Post('git/export')
  @Can('space:replaceContent')
  @Operation({
    id: 'exportToGitRepository',
    summary: 'Write the primary content of a space into a branch of a git repository',
    description:
      'In the background, by https only, as one commit; the header `Location` names the run. Markdown and `.gitbook` in the folder of the documentation are replaced, everything else stays. A branch with commits that were not imported is changed only with `force`.',
    status: 204,
  })
  async exportGit(
    @ByCaller() caller: Caller,
    @InSpace() space: SpaceAccess,
    @Body() body: ExportGit,
    @Res({ passthrough: true }) response: Response,
  ) {
    this.locate(response, space, await this.git.export(caller, space, body));
  }

  private locate(response: Response, { organizationId }: SpaceAccess, { id }: ImportRunRow): void {
    response.location(this.addresses.location(`/org/${organizationId}/imports/${id}`));
  }
}
