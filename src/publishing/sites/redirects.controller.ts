import { Body, Controller, Delete, Get, Param, Patch, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, ByReader, Can, ForReaders, InSite } from '../../kernel/access/access.decorators.js';
import type { SiteAccess } from '../../kernel/access/access.service.js';
import type { ReaderAccess } from '../../kernel/access/readers.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { ChangeRedirects, RedirectChangesBody } from './redirect-changes.schema.js';
import { RedirectChanges } from './redirect-changes.service.js';
import { RedirectImport } from './redirect-import.service.js';
import {
  CreateRedirect,
  ImportRedirects,
  presentRedirect,
  RedirectBody,
  RedirectQuery,
  RedirectsImportBody,
  RedirectsQuery,
  ResolvedRedirectBody,
  UpdateRedirect,
} from './redirects.schema.js';
import { SiteRedirects } from './redirects.service.js';
import { RedirectTargets } from './redirect-targets.js';

@ApiTags('Sites')
@Controller('orgs/:organizationId/sites/:siteId')
export class RedirectsController {
  constructor(
    private readonly redirects: SiteRedirects,
    private readonly changes: RedirectChanges,
    private readonly imports: RedirectImport,
    private readonly targets: RedirectTargets,
  ) {}

  @Get('redirects')
  @Can('site:view')
  @Operation({
    id: 'listSiteRedirects',
    summary: 'List the redirects of a site',
    description:
      'Those that people gave and that are live, or the drafts; those that the service leaves itself, where something was found before, are not among them.',
    type: RedirectBody,
    list: true,
  })
  async list(@InSite() { id }: SiteAccess, @Query() query: RedirectsQuery) {
    return this.redirects.list(id, query).then((page) => page.map(presentRedirect));
  }

  @Post('redirects')
  @Can('site:manageRedirects')
  @Operation({
    id: 'createSiteRedirect',
    summary: 'Add a redirect to a site',
    description:
      'A page at the source takes precedence. The destination must exist; the redirect is removed with it. A draft may stand beside the live redirect of its source.',
    status: 201,
    type: RedirectBody,
    errors: [409],
  })
  async create(@ByCaller() caller: Caller, @InSite() site: SiteAccess, @Body() body: CreateRedirect) {
    return this.redirects.create(caller, site, body).then(presentRedirect);
  }

  @Put('redirects')
  @Can('site:manageRedirects')
  @Operation({
    id: 'bulkUpsertSiteRedirects',
    summary: 'Change redirects of a site by a list',
    description:
      'Each entry adds, changes or removes the live redirect of its source or the draft of it, or publishes the draft. All entries are worked off in order and written at once; one that cannot be is reported and left out.',
    type: RedirectChangesBody,
  })
  async change(@ByCaller() caller: Caller, @InSite() site: SiteAccess, @Body() body: ChangeRedirects) {
    return this.changes.make(caller, site, body);
  }

  @Post('redirects/import')
  @Can('site:manageRedirects')
  @Operation({
    id: 'importSiteRedirects',
    summary: 'Take redirects from a list',
    description:
      'From the mapping `redirects` of a `.gitbook.yaml`, as it is or as JSON. Redirects of the same source are changed; all entries are written at once, and each is reported.',
    type: RedirectsImportBody,
    errors: [409, 422],
  })
  async importList(@ByCaller() caller: Caller, @InSite() site: SiteAccess, @Body() body: ImportRedirects) {
    return this.imports.take(caller, site, body);
  }

  @Patch('redirects/:siteRedirectId')
  @Can('site:manageRedirects')
  @Operation({
    id: 'updateSiteRedirectById',
    summary: 'Change a redirect',
    description: 'Absent fields keep their value. A draft is published by `draft` false.',
    type: RedirectBody,
    errors: [409, 412],
  })
  async update(
    @ByCaller() caller: Caller,
    @InSite() site: SiteAccess,
    @Param('siteRedirectId') id: string,
    @Body() body: UpdateRedirect,
  ) {
    return this.redirects.update(caller, site, id, body).then(presentRedirect);
  }

  @Delete('redirects/:siteRedirectId')
  @Can('site:manageRedirects')
  @Operation({ id: 'deleteSiteRedirectById', summary: 'Remove a redirect', status: 204 })
  async remove(@ByCaller() caller: Caller, @InSite() site: SiteAccess, @Param('siteRedirectId') id: string) {
    return this.redirects.remove(caller, site, id);
  }

  @Get('redirect')
  @Can('site:view')
  @ForReaders()
  @Operation({
    id: 'getSiteRedirectBySource',
    summary: 'Find where a path of a site leads by a redirect',
    description:
      'By one that somebody gave, else by one that the service left where something was found before. 404 where none leads on to what the caller sees.',
    type: ResolvedRedirectBody,
  })
  async find(
    @ByCaller() caller: Caller,
    @ByReader() reader: ReaderAccess | undefined,
    @InSite() { id }: SiteAccess,
    @Query() query: RedirectQuery,
  ) {
    return reader ? this.targets.findFor(reader, query) : this.targets.find(caller, id, query);
  }
}
