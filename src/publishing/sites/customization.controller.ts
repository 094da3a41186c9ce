import { Body, Controller, Delete, Get, Param, Patch, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InSite } from '../../kernel/access/access.decorators.js';
import type { SiteAccess } from '../../kernel/access/access.service.js';
import type { Caller } from '../../kernel/common/context.js';
import { Flag } from '../../kernel/common/fields.js';
import { Operation } from '../../kernel/common/operation.js';
import {
  customizationBody,
  customizationOverride,
  customizationSettings,
  DEFAULT_CUSTOMIZATION,
  type CustomizationBody,
  type CustomizationOverride,
} from './customization.schema.js';
import { Customizations } from './customization.service.js';
import { openApiOf, SchemaBody, SchemaPipe } from './schema.pipe.js';

class CustomizationQuery {
  @Flag({
    optional: true,
    query: true,
    default: false,
    description: 'Deprecated: no plan masks any setting here, so both answers are the same',
  })
  unmasked?: boolean;
}

const SETTINGS = { schema: { ...openApiOf(customizationSettings, 'output'), example: DEFAULT_CUSTOMIZATION } };

@ApiTags('Site customization')
@Controller('orgs/:organizationId/sites/:siteId')
export class CustomizationController {
  constructor(private readonly customizations: Customizations) {}

  @Get('customization')
  @Can('site:view')
  @Operation({ id: 'getSiteCustomizationById', summary: 'Get how a site looks', schema: SETTINGS })
  async get(@InSite() { id }: SiteAccess, @Query() _query: CustomizationQuery) {
    return this.customizations.ofSite(id);
  }

  @Put('customization')
  @Can('site:admin')
  @SchemaBody(customizationBody, DEFAULT_CUSTOMIZATION)
  @Operation({
    id: 'updateSiteCustomizationById',
    summary: 'Replace how a site looks',
    schema: SETTINGS,
    errors: [412],
  })
  async replace(
    @ByCaller() caller: Caller,
    @InSite() site: SiteAccess,
    @Body(new SchemaPipe(customizationBody)) body: CustomizationBody,
  ) {
    return this.customizations.replace(caller, site, body);
  }

  @Get('site-spaces/:siteSpaceId/customization')
  @Can('site:view')
  @Operation({
    id: 'getSiteSpaceCustomizationById',
    summary: 'Get how a site space looks',
    description: "The site's settings with the site space's overrides.",
    schema: SETTINGS,
  })
  async getOfSiteSpace(
    @ByCaller() caller: Caller,
    @InSite() { id }: SiteAccess,
    @Param('siteSpaceId') siteSpaceId: string,
    @Query() _query: CustomizationQuery,
  ) {
    return this.customizations.ofSiteSpace(caller, id, siteSpaceId);
  }

  @Patch('site-spaces/:siteSpaceId/customization')
  @Can('site:admin')
  @SchemaBody(customizationOverride, { styling: { theme: 'bold', tint: null } })
  @Operation({
    id: 'overrideSiteSpaceCustomizationById',
    summary: 'Override how a site space looks',
    description: 'Absent values keep their override; null takes it away.',
    schema: SETTINGS,
    errors: [412],
  })
  async override(
    @ByCaller() caller: Caller,
    @InSite() site: SiteAccess,
    @Param('siteSpaceId') siteSpaceId: string,
    @Body(new SchemaPipe(customizationOverride)) body: CustomizationOverride,
  ) {
    return this.customizations.override(caller, site, siteSpaceId, body);
  }

  @Delete('site-spaces/:siteSpaceId/customization')
  @Can('site:admin')
  @Operation({
    id: 'deleteSiteSpaceCustomizationById',
    summary: 'Take all overrides of a site space away',
    status: 204,
  })
  async reset(@ByCaller() caller: Caller, @InSite() site: SiteAccess, @Param('siteSpaceId') siteSpaceId: string) {
    return this.customizations.reset(caller, site, siteSpaceId);
  }
}
