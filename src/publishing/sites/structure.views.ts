import { Injectable } from '@nestjs/common';
import { Addresses } from '../../kernel/common/addresses.js';
import type { Caller } from '../../kernel/common/context.js';
import type { Page, PageRequest } from '../../kernel/common/page.js';
import { presentExternalLink, type SiteExternalLinkBody } from './external-links.schema.js';
import { ShareLinks } from './share-links.service.js';
import type { ItemPointer } from './structure-sort.schema.js';
import {
  presentGroup,
  presentSection,
  presentSiteSpace,
  presentStructure,
  type SectionGroupRow,
  type SiteSectionRow,
  type SectionsQuery,
  type SiteSectionBody,
  type SiteSectionGroupBody,
  type SiteSpaceBody,
  type SiteSpacesQuery,
  type SiteStructureBody,
} from './structure.schema.js';
import { SiteStructures } from './structure.service.js';

/** Presents sections and groups together with their content, loaded once for a whole response. */
@Injectable()
export class StructureViews {
  constructor(
    private readonly structures: SiteStructures,
    private readonly addresses: Addresses,
    private readonly links: ShareLinks,
  ) {}

  async structure(caller: Caller, siteId: string, shareKey?: string): Promise<SiteStructureBody> {
    return presentStructure(
      await this.structures.rows(caller.userId, siteId),
      await this.links.addresses(siteId, shareKey),
    );
  }

  async sections(
    caller: Caller,
    siteId: string,
    { shareKey, ...request }: SectionsQuery,
  ): Promise<Page<SiteSectionBody>> {
    const addresses = await this.links.addresses(siteId, shareKey);
    const page = await this.structures.listSections(siteId, request);
    const siteSpaces = await this.structures.siteSpaces(
      caller.userId,
      siteId,
      page.items.map(({ id }) => id),
    );
    return page.map((row) => presentSection(row, siteSpaces, addresses));
  }

  async siteSpaces(
    caller: Caller,
    siteId: string,
    { shareKey, ...request }: SiteSpacesQuery,
  ): Promise<Page<SiteSpaceBody>> {
    const addresses = await this.links.addresses(siteId, shareKey);
    return (await this.structures.listSiteSpaces(caller.userId, siteId, request)).map((row) =>
      presentSiteSpace(row, addresses),
    );
  }

  async section(caller: Caller, siteId: string, row: SiteSectionRow): Promise<SiteSectionBody> {
    return presentSection(row, await this.structures.siteSpaces(caller.userId, siteId, [row.id]), this.addresses);
  }

  async groups(caller: Caller, siteId: string, request: PageRequest): Promise<Page<SiteSectionGroupBody>> {
    const page = await this.structures.listGroups(siteId, request);
    const rows = await this.structures.rows(caller.userId, siteId);
    return page.map((row) => presentGroup(row, rows, this.addresses));
  }

  async groupById(caller: Caller, siteId: string, id: string): Promise<SiteSectionGroupBody> {
    return this.group(caller, siteId, await this.structures.group(siteId, id));
  }

  /** Any part of a site's structure. */
  async item(
    caller: Caller,
    siteId: string,
    { type, id }: ItemPointer,
  ): Promise<SiteSpaceBody | SiteSectionBody | SiteSectionGroupBody | SiteExternalLinkBody> {
    if (type === 'site-external-link') return presentExternalLink(await this.structures.externalLink(siteId, id));
    if (type === 'site-space')
      return presentSiteSpace(await this.structures.siteSpace(caller.userId, siteId, id), this.addresses);
    return type === 'site-section'
      ? this.section(caller, siteId, await this.structures.section(siteId, id))
      : this.groupById(caller, siteId, id);
  }

  async group(caller: Caller, siteId: string, row: SectionGroupRow): Promise<SiteSectionGroupBody> {
    return presentGroup(row, await this.structures.rows(caller.userId, siteId), this.addresses);
  }
}
