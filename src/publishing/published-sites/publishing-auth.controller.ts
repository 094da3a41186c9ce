import { Body, Controller, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InSite } from '../../kernel/access/access.decorators.js';
import type { SiteAccess } from '../../kernel/access/access.service.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { ShowsSecret } from '../../kernel/platform/idempotency.interceptor.js';
import {
  PreviewBody,
  PreviewQuery,
  presentPublishingAuth,
  PublishingAuthBody,
  UpdatePublishingAuth,
} from './publishing-auth.schema.js';
import { PublishingAuths } from './publishing-auth.service.js';
import { Previews } from './previews.service.js';

@ApiTags('Sites')
@Controller('orgs/:organizationId/sites/:siteId/publishing')
export class PublishingAuthController {
  constructor(
    private readonly auths: PublishingAuths,
    private readonly previews: Previews,
  ) {}

  @Get('auth')
  @Can('site:readAuth')
  @Operation({
    id: 'getSitePublishingAuthById',
    summary: 'Get how visitors of a site log in',
    description: 'With the key that their tokens are signed with.',
    type: PublishingAuthBody,
  })
  async get(@InSite() { id }: SiteAccess) {
    return this.auths.get(id).then(presentPublishingAuth);
  }

  @Patch('auth')
  @Can('site:writeAuth')
  @Operation({
    id: 'updateSitePublishingAuthById',
    summary: 'Change how visitors of a site log in',
    description: 'Absent fields keep their value.',
    type: PublishingAuthBody,
    errors: [412],
  })
  async update(@ByCaller() caller: Caller, @InSite() site: SiteAccess, @Body() body: UpdatePublishingAuth) {
    return this.auths.update(caller, site, body).then(presentPublishingAuth);
  }

  @Post('auth/regenerate')
  @Can('site:writeAuth')
  @ShowsSecret()
  @Operation({
    id: 'regenerateSitePublishingAuthById',
    summary: "Replace the key that visitors' tokens are signed with",
    description: 'Tokens signed with the old key are refused from the next request on.',
    type: PublishingAuthBody,
  })
  async regenerate(@ByCaller() caller: Caller, @InSite() site: SiteAccess) {
    return this.auths.regenerate(caller, site).then(presentPublishingAuth);
  }

  @Get('preview')
  @Can('site:view')
  @Operation({
    id: 'getSitePublishingPreviewById',
    summary: 'Get an address that shows a site as a visitor with some claims sees it',
    description: 'Published or not, for an hour, and only what the caller may read in any case.',
    type: PreviewBody,
  })
  async preview(@ByCaller() caller: Caller, @InSite() site: SiteAccess, @Query() query: PreviewQuery) {
    return this.previews.of(caller, site, query).then((url): PreviewBody => ({ url }));
  }
}
