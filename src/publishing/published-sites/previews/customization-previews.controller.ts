import { Body, Controller, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InSite } from '../../../kernel/access/access.decorators.js';
import type { SiteAccess } from '../../../kernel/access/access.service.js';
import type { Caller } from '../../../kernel/common/context.js';
import { Operation } from '../../../kernel/common/operation.js';
import {
  customizationBody,
  customizationOverride,
  DEFAULT_CUSTOMIZATION,
  type CustomizationBody,
  type CustomizationOverride,
} from '../../sites/customization.schema.js';
import { SchemaBody, SchemaPipe } from '../../sites/schema.pipe.js';
import { ClaimsQuery, PreviewBody, PreviewQuery } from '../publishing-auth.schema.js';
import { CustomizationPreviews } from './customization-previews.service.js';

const DESCRIPTION =
  'Nothing is saved, and nobody else sees it. The body is checked as if it were saved; each preview takes the place of the former one of the caller for this site. The address is valid for an hour.';

@ApiTags('Site customization')
@Controller('orgs/:organizationId/sites/:siteId')
export class CustomizationPreviewsController {
  constructor(private readonly previews: CustomizationPreviews) {}

  @Post('customization/preview')
  @Can('site:admin')
  @SchemaBody(customizationBody, DEFAULT_CUSTOMIZATION)
  @Operation({
    id: 'previewSiteCustomizationById',
    summary: 'Get an address that shows the caller a site with another look',
    description: DESCRIPTION,
    type: PreviewBody,
    status: 200,
  })
  async ofSite(
    @ByCaller() caller: Caller,
    @InSite() site: SiteAccess,
    @Query() query: PreviewQuery,
    @Body(new SchemaPipe(customizationBody)) body: CustomizationBody,
  ): Promise<PreviewBody> {
    return this.previews.ofSite(caller, site, query, body);
  }

  @Post('site-spaces/:siteSpaceId/customization/preview')
  @Can('site:admin')
  @SchemaBody(customizationOverride, { styling: { theme: 'bold', tint: null } })
  @Operation({
    id: 'previewSiteSpaceCustomizationById',
    summary: 'Get an address that shows the caller a site space with another look',
    description: DESCRIPTION,
    type: PreviewBody,
    status: 200,
  })
  async ofSiteSpace(
    @ByCaller() caller: Caller,
    @InSite() site: SiteAccess,
    @Param('siteSpaceId') siteSpace: string,
    @Query() query: ClaimsQuery,
    @Body(new SchemaPipe(customizationOverride)) body: CustomizationOverride,
  ): Promise<PreviewBody> {
    return this.previews.ofSiteSpace(caller, site, siteSpace, query, body);
  }
}
