import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InOrganization } from '../../kernel/access/access.decorators.js';
import type { OrganizationAccess } from '../../kernel/access/access.service.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { ImportRequests } from './import-requests.service.js';
import { ImportRuns } from './import-runs.service.js';
import { RunArchives } from './run-archives.js';
import { ImportListQuery, ImportRunBody, ImportRunQuery, presentRun, StartImport } from './imports.schema.js';

/** Imports and exports in the background. */
@ApiTags('Space content')
@Controller()
export class ImportsController {
  constructor(
    private readonly requests: ImportRequests,
    private readonly runs: ImportRuns,
    private readonly archives: RunArchives,
  ) {}

  @Post('org/:organizationId/imports')
  @Can('organization:view')
  @Operation({
    id: 'startImportRun',
    summary: 'Import uploaded files or a website',
    description:
      'Adds pages to a space or change request, in the background: Markdown, HTML, zip and tar archives of these, or a website below an address, as its robots.txt allows. Takes the permission to edit the space. A space that is locked for live edits gets a new change request where none is given, once there is something to write; the run names it then.',
    status: 201,
    type: ImportRunBody,
  })
  start(@ByCaller() caller: Caller, @InOrganization() organization: OrganizationAccess, @Body() body: StartImport) {
    return this.requests.start(caller, organization, body).then((run) => presentRun(run));
  }

  @Get('org/:organizationId/imports')
  @Can('organization:view')
  @Operation({
    id: 'listImportRuns',
    summary: 'List imports and exports',
    description:
      'Lists the runs of spaces that the caller may edit, and those that the caller has begun in others, newest first. Runs are kept for 90 days.',
    type: ImportRunBody,
    list: true,
  })
  list(@ByCaller() caller: Caller, @InOrganization() { id }: OrganizationAccess, @Query() query: ImportListQuery) {
    return this.runs.list(caller, id, query).then((page) => page.map((run) => presentRun(run, true)));
  }

  @Get('org/:organizationId/imports/:importRunId')
  @Can('organization:view')
  @Operation({ id: 'getImportRun', summary: 'Get an import or export', type: ImportRunBody })
  get(
    @ByCaller() caller: Caller,
    @InOrganization() { id }: OrganizationAccess,
    @Param('importRunId') importRunId: string,
    @Query() { wait = 0 }: ImportRunQuery,
  ) {
    return this.runs
      .awaited(caller, id, importRunId, wait)
      .then((run) => presentRun(run, false, this.archives.address(run)));
  }

  @Post('org/:organizationId/imports/:importRunId/cancel')
  @Can('organization:view')
  @Operation({
    id: 'cancelImportRun',
    summary: 'Cancel an import or export',
    description:
      'Nothing of it is written any more; what an export has pushed already stays. One that has completed or failed answers 400.',
    status: 201,
    type: ImportRunBody,
  })
  cancel(
    @ByCaller() caller: Caller,
    @InOrganization() { id }: OrganizationAccess,
    @Param('importRunId') importRunId: string,
  ) {
    return this.runs.cancel(caller, id, importRunId).then((run) => presentRun(run));
  }
}
