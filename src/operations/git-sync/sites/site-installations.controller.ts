import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InSite } from '../../../kernel/access/access.decorators.js';
import type { SiteAccess } from '../../../kernel/access/access.service.js';
import { Addresses } from '../../../kernel/common/addresses.js';
import type { Caller } from '../../../kernel/common/context.js';
import { Operation } from '../../../kernel/common/operation.js';
import { PlanGitSync } from '../git-installations.schema.js';
import { InstallationRights } from '../installation-rights.js';
import {
  presentSiteInstallations,
  presentStructurePlan,
  SiteGitInstallationsBody,
  StructurePlanBody,
} from './site-installations.schema.js';
import { SitePlans } from './site-plans.js';

/** Sites that are kept equal with repositories. */
@ApiTags('Sites')
@Controller()
export class SiteInstallationsController {
  constructor(
    private readonly rights: InstallationRights,
    private readonly plans: SitePlans,
    private readonly addresses: Addresses,
  ) {}

  @Get('orgs/:organizationId/sites/:siteId/spaces/git/installations')
  @Can('site:admin')
  @Operation({
    id: 'listSiteGitSyncInstallations',
    summary: 'List the git installations of a site and its spaces',
    type: SiteGitInstallationsBody,
  })
  list(@ByCaller() caller: Caller, @InSite() { id }: SiteAccess) {
    return this.rights.ofSite(caller, id).then((rows) => presentSiteInstallations(rows, this.addresses));
  }

  @Post('git/installations/:installationId/structure-plan')
  @Can('user:view')
  @HttpCode(200)
  @Operation({
    id: 'planSiteGitSyncInstallation',
    summary: 'See the changes that a first synchronization would make to the structure of a site',
    description:
      'Requires the permission site:admin on the site. Reads the file of the branch that describes the site, and changes nothing.',
    type: StructurePlanBody,
    errors: [409],
  })
  plan(@ByCaller() caller: Caller, @Param('installationId') installationId: string, @Body() { priority }: PlanGitSync) {
    return this.plans.plan(caller, installationId, priority).then(presentStructurePlan);
  }
}
