import { Controller, Get, Param, Post, Req } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { ByCaller, Can, InOrganization } from '../../kernel/access/access.decorators.js';
import type { OrganizationAccess } from '../../kernel/access/access.service.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { rawBody, TakesRawBody } from '../../kernel/platform/http/raw-body.js';
import type { OrganizationRun } from './organization-run.entity.js';
import {
  OrganizationExportBody,
  OrganizationImportBody,
  presentExport,
  presentImport,
} from './organization-runs.schema.js';
import { OrganizationRuns } from './organization-runs.service.js';

/** Whole organizations as archives. */
@ApiTags('Organizations, members, teams')
@Controller()
export class OrganizationRunsController {
  constructor(private readonly runs: OrganizationRuns) {}

  @Post('orgs/:organizationId/export')
  @Can('organization:admin')
  @Operation({
    id: 'exportOrganization',
    summary: 'Write an organization as an archive',
    description:
      'In the background: people, rights, content with its history, discussions, sites, files, and the audit log, in an open format. An export that is under way is answered instead of a second one. `GET` shows how far it is, and then the address of the archive.',
    status: 201,
    type: OrganizationExportBody,
  })
  begin(@ByCaller() caller: Caller, @InOrganization() { id }: OrganizationAccess) {
    return this.runs.beginExport(caller, id).then((run) => this.shown(run));
  }

  @Get('orgs/:organizationId/export')
  @Can('organization:admin')
  @Operation({
    id: 'getOrganizationExport',
    summary: 'Get the newest export of an organization',
    description: 'Its archive can be fetched for a day.',
    type: OrganizationExportBody,
  })
  last(@InOrganization() { id }: OrganizationAccess) {
    return this.runs.lastExport(id).then((run) => this.shown(run));
  }

  @Post('organization-imports')
  @Can('user:edit')
  @TakesRawBody()
  @ApiConsumes('application/gzip', 'application/x-tar', 'application/octet-stream')
  @ApiBody({ schema: { type: 'string', format: 'binary' } })
  @Operation({
    id: 'importOrganization',
    summary: 'Import an organization from an archive',
    description:
      'The body is an archive that an export has written, as tar or tar.gz. In the background, it becomes a new organization with new ids, of which the caller is an administrator. People without an account get one without any way in; others who have an account are no members until they accept an invitation.',
    status: 201,
    type: OrganizationImportBody,
    errors: [409, 413, 429],
  })
  import(@ByCaller() caller: Caller, @Req() request: Request) {
    return this.runs.beginImport(caller, rawBody(request)).then(presentImport);
  }

  @Get('organization-imports/:organizationImportId')
  @Can('user:view')
  @Operation({
    id: 'getOrganizationImport',
    summary: 'Get an import of an organization',
    description: 'Shows imports that the caller has begun. They are kept for 90 days.',
    type: OrganizationImportBody,
  })
  get(@ByCaller() caller: Caller, @Param('organizationImportId') id: string) {
    return this.runs.getImport(caller, id).then(presentImport);
  }

  private shown(run: OrganizationRun): OrganizationExportBody {
    return presentExport(run, this.runs.address(run));
  }
}
