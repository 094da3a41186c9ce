import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Can, InSite } from '../../../kernel/access/access.decorators.js';
import type { SiteAccess } from '../../../kernel/access/access.service.js';
import { Operation } from '../../../kernel/common/operation.js';
import { CountedDaysQuery } from './counted-days.schema.js';
import { MissingAddressBody, presentMissingAddress } from './missing-addresses.schema.js';
import { MissingAddresses } from './missing-addresses.service.js';

@ApiTags('Sites')
@Controller('orgs/:organizationId/sites/:siteId/missing-addresses')
export class MissingAddressesController {
  constructor(private readonly addresses: MissingAddresses) {}

  @Get()
  @Can('site:view')
  @Operation({
    id: 'listSiteMissingAddresses',
    summary: 'List the addresses at which readers of a site found no page',
    description:
      'The most frequent first, each with a page that led there. Requests of browsers for pages are counted, without the readers; known robots and addresses that contain an e-mail address are not.',
    type: MissingAddressBody,
    list: true,
  })
  async list(@InSite() site: SiteAccess, @Query() query: CountedDaysQuery) {
    return this.addresses.list(site, query).then((page) => page.map(presentMissingAddress));
  }
}
