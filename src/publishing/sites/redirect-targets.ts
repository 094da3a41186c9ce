import { Injectable } from '@nestjs/common';
import type { ReaderAccess } from '../../kernel/access/readers.js';
import type { Caller } from '../../kernel/common/context.js';
import { notFound } from '../../kernel/common/errors.js';
import { type FoundRedirect, LiveRedirects } from './live-redirects.js';
import { presentRedirect, type RedirectQuery, type ResolvedRedirectBody } from './redirects.schema.js';
import { ShareLinks } from './share-links.service.js';
import { SiteUrls } from './site-urls.js';
import { Sites } from './sites.service.js';
import { SiteStructures } from './structure.service.js';

/** Resolves the targets of redirects for members and readers. */
@Injectable()
export class RedirectTargets {
  constructor(
    private readonly redirects: LiveRedirects,
    private readonly structures: SiteStructures,
    private readonly sites: Sites,
    private readonly urls: SiteUrls,
    private readonly links: ShareLinks,
  ) {}

  /** The redirect of a source with the address of its target; throws `notFound` if the caller can see nothing there. */
  async find(caller: Caller, siteId: string, { source, shareKey }: RedirectQuery): Promise<ResolvedRedirectBody> {
    const visible = new Set((await this.structures.siteSpaces(caller.userId, siteId)).map((row) => row.siteSpaceId));
    return this.shown(siteId, await this.redirects.find(siteId, source, visible), shareKey);
  }

  /** The same for a reader; throws `notFound` for a target that the reader cannot see as well. */
  async findFor(reader: ReaderAccess, { source, shareKey }: RedirectQuery): Promise<ResolvedRedirectBody> {
    return this.shown(reader.site.id, await this.redirects.findFor(reader, source), shareKey);
  }

  private async shown(
    siteId: string,
    found: FoundRedirect | undefined,
    shareKey: string | undefined,
  ): Promise<ResolvedRedirectBody> {
    if (!found) throw notFound('Redirect');
    const { redirect, target } = found;
    const site = await this.sites.get(siteId);
    return {
      redirect: presentRedirect(redirect),
      target:
        'url' in target ? target.url : this.urls.of(site, target.path, await this.links.addresses(siteId, shareKey)),
    };
  }
}
