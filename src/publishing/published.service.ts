import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/context.js';
import { notFound } from '../common/errors.js';
import type { Site } from '../sites/sites.schema.js';
import { Sites } from '../sites/sites.service.js';
import type { StructureRows } from '../sites/structure.schema.js';
import { SiteStructures } from '../sites/structure.service.js';
import { servedOf } from './domain/served.js';

/** What readers get of sites. */
@Injectable()
export class PublishedSites {
  constructor(
    private readonly sites: Sites,
    private readonly structures: SiteStructures,
  ) {}

  /** A published site with what it serves; throws `notFound` when it is not published or has nothing to serve. */
  async profile(caller: Caller, siteId: string): Promise<{ site: Site; rows: StructureRows }> {
    const site = await this.sites.get(siteId);
    if (!site.published) throw notFound('Published site');
    const rows = servedOf(await this.structures.rows(caller.userId, siteId));
    if (rows.siteSpaces.length === 0) throw notFound('Published site');
    return { site, rows };
  }
}
