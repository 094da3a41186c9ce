import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Can, InOrganization, InSite, InSpace, LeavesOutHiddenPages } from '../../kernel/access/access.decorators.js';
import type { OrganizationAccess, SiteAccess, SpaceAccess } from '../../kernel/access/access.service.js';
import { roleAlone } from '../../kernel/access/permissions.js';
import { Operation } from '../../kernel/common/operation.js';
import { PageQuery } from '../../kernel/common/page-query.js';
import { ModuleScreenBody, presentModuleScreen } from './module-screens.schema.js';
import { ModuleScreens } from './module-screens.service.js';

const LIST = {
  description:
    'Those that the caller may see, with the addresses of their files, in the order of the modules. Without modules from elsewhere there are none.',
  type: ModuleScreenBody,
  list: true,
} as const;

@ApiTags('Organizations, members, teams')
@Controller()
export class ModuleScreensController {
  constructor(private readonly screens: ModuleScreens) {}

  @Get('user/screens')
  @Can('user:view')
  @Operation({ id: 'listModuleScreensForUser', summary: 'List the screens of modules in the account', ...LIST })
  ofAccount(@Query() query: PageQuery) {
    // People may do everything with their own account.
    return this.screens.list('account', roleAlone('admin'), query).map(presentModuleScreen);
  }

  @Get('orgs/:organizationId/screens')
  @Can('organization:view')
  @Operation({
    id: 'listModuleScreensInOrganization',
    summary: 'List the screens of modules in an organization',
    ...LIST,
  })
  ofOrganization(@InOrganization() organization: OrganizationAccess, @Query() query: PageQuery) {
    return this.screens.list('organization', organization, query).map(presentModuleScreen);
  }

  @Get('spaces/:spaceId/screens')
  @Can('space:view')
  @LeavesOutHiddenPages()
  @Operation({ id: 'listModuleScreensInSpace', summary: 'List the screens of modules in a space', ...LIST })
  ofSpace(@InSpace() space: SpaceAccess, @Query() query: PageQuery) {
    return this.screens.list('space', space, query).map(presentModuleScreen);
  }

  @Get('orgs/:organizationId/sites/:siteId/screens')
  @Can('site:view')
  @Operation({ id: 'listModuleScreensInSite', summary: 'List the screens of modules at a site', ...LIST })
  ofSite(@InSite() site: SiteAccess, @Query() query: PageQuery) {
    return this.screens.list('site', site, query).map(presentModuleScreen);
  }
}
