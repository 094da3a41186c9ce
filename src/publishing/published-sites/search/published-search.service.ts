import { Injectable } from '@nestjs/common';
import type { ReaderAccess } from '../../../kernel/access/readers.js';
import { currentContext, type Caller } from '../../../kernel/common/context.js';
import type { Page, PageRequest } from '../../../kernel/common/page.js';
import type { SpaceHit } from '../../../authoring/search/search.schema.js';
import type { SiteAddress } from '../../sites/site-address.js';
import { searchedSpaces, type SearchSite } from './site-search.schema.js';
import { searchedBy, SiteSearch } from './site-search.service.js';
import { SearchCounts } from '../../sites/insights/search-counts.service.js';
import { SiteStructures } from '../../sites/structure.service.js';
import { SiteReader } from '../reader-tokens.service.js';

/** Searches sites for callers of the API. */
@Injectable()
export class PublishedSearch {
  constructor(
    private readonly search: SiteSearch,
    private readonly structures: SiteStructures,
    private readonly counts: SearchCounts,
  ) {}

  /** Members find everything that they can read and that is no draft, readers the content visible to them. */
  async find(
    caller: Caller,
    reader: ReaderAccess | undefined,
    { id, organizationId }: SiteAddress,
    body: SearchSite,
    request: PageRequest,
  ): Promise<Page<SpaceHit>> {
    const site =
      reader instanceof SiteReader
        ? searchedBy(reader.visit)
        : { id, organizationId, ...(await this.structures.live(caller.userId, id)) };
    const found = await this.search.find(site, body.query, searchedSpaces(body), request);
    if (reader instanceof SiteReader && request.page === undefined) {
      const by = { site: id, reader: `${currentContext()?.ip} ${reader.visit.claimsKey}`, isShared: true };
      this.counts.searched(by, body.query, { isUnanswered: found.count === 0, isTyped: true });
    }
    return found.map(({ hit }) => hit);
  }
}
