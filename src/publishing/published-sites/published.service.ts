import { Injectable } from '@nestjs/common';
import type { ReaderAccess } from '../../kernel/access/readers.js';
import type { Caller } from '../../kernel/common/context.js';
import { notFound } from '../../kernel/common/errors.js';
import { ShareLinks } from '../sites/share-links.service.js';
import type { SiteAsSeen } from '../sites/sites.schema.js';
import { Sites } from '../sites/sites.service.js';
import type { StructureRows } from '../sites/structure.schema.js';
import { SiteStructures } from '../sites/structure.service.js';
import { reachableStructure } from './domain/reachable-structure.js';
import { presentPublishedSite, type PublishedSiteBody } from './published.schema.js';
import { SiteReader } from './reader-tokens.service.js';

/** Sites for readers, and for members who preview them. */
@Injectable()
export class PublishedSites {
  constructor(
    private readonly sites: Sites,
    private readonly structures: SiteStructures,
    private readonly links: ShareLinks,
  ) {}

  /**
   * A published site with its served structure: members see all of it that they may read, readers the part visible to
   * them. Throws `notFound` if it is not published or serves nothing.
   */
  async profile(
    caller: Caller,
    reader: ReaderAccess | undefined,
    siteId: string,
    shareKey?: string,
  ): Promise<PublishedSiteBody> {
    const { site, rows, visitor } =
      reader instanceof SiteReader
        ? { ...reader.visit, site: { ...reader.visit.site, callerRole: 'read' as const, callerAdded: [] } }
        : { ...(await this.served(caller, siteId)), visitor: undefined };
    if (rows.siteSpaces.length === 0) throw notFound('Published site');
    return presentPublishedSite(site, rows, await this.links.addresses(siteId, shareKey), visitor);
  }

  private async served(caller: Caller, siteId: string): Promise<{ site: SiteAsSeen; rows: StructureRows }> {
    const site = await this.sites.view(caller, siteId);
    if (!site.published) throw notFound('Published site');
    return { site, rows: reachableStructure(await this.structures.live(caller.userId, siteId)) };
  }
}
