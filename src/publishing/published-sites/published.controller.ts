import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, ByReader, Can, ForReaders, InSite } from '../../kernel/access/access.decorators.js';
import type { SiteAccess } from '../../kernel/access/access.service.js';
import type { ReaderAccess } from '../../kernel/access/readers.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { ShareKeyQuery } from '../sites/structure.schema.js';
import { PublishedSiteBody } from './published.schema.js';
import { PublishedSites } from './published.service.js';

@ApiTags('Sites')
@Controller('orgs/:organizationId/sites/:siteId/published')
export class PublishedController {
  constructor(private readonly published: PublishedSites) {}

  @Get()
  @Can('site:view')
  @ForReaders()
  @Operation({
    id: 'getPublishedContentSite',
    summary: 'Get the complete profile of a published site',
    description:
      'The site with its structure and all of its customizations. Reader tokens see what their claims show. 404 while it is not published or has no content.',
    type: PublishedSiteBody,
  })
  async get(
    @ByCaller() caller: Caller,
    @ByReader() reader: ReaderAccess | undefined,
    @InSite() { id }: SiteAccess,
    @Query() { shareKey }: ShareKeyQuery,
  ) {
    return this.published.profile(caller, reader, id, shareKey);
  }
}
