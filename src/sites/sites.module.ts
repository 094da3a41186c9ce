import { Global, Module } from '@nestjs/common';
import { CustomizationController } from './customization.controller.js';
import { Customizations } from './customization.service.js';
import { Positions } from './positions.js';
import { SectionGroupsController } from './section-groups.controller.js';
import { SectionGroups } from './section-groups.service.js';
import { SectionsController } from './sections.controller.js';
import { Sections } from './sections.service.js';
import { ShareLinksController } from './share-links.controller.js';
import { ShareLinks } from './share-links.service.js';
import { SiteDefaults } from './site-defaults.js';
import { SiteLock } from './site-lock.js';
import { SitePaths } from './site-paths.js';
import { SiteSpacesController } from './site-spaces.controller.js';
import { SiteSpaces } from './site-spaces.service.js';
import { SitesController } from './sites.controller.js';
import { Sites } from './sites.service.js';
import { StructureController } from './structure.controller.js';
import { SiteStructures } from './structure.service.js';
import { StructureViews } from './structure.views.js';

@Global()
@Module({
  controllers: [SitesController, StructureController, SectionsController, SiteSpacesController, SectionGroupsController, CustomizationController, ShareLinksController],
  providers: [Sites, SiteLock, SitePaths, SiteDefaults, Positions, SiteStructures, StructureViews, SiteSpaces, Sections, SectionGroups, Customizations, ShareLinks],
  exports: [Sites, SiteLock, SiteStructures, StructureViews, SiteSpaces, Sections, Customizations, ShareLinks],
})
export class SitesModule {}
