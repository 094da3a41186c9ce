import { Injectable } from '@nestjs/common';
import type { Caller } from '../../kernel/common/context.js';
import { notFound } from '../../kernel/common/errors.js';
import { presentRedirect, type RedirectQuery, type ResolvedRedirectBody } from './redirects.schema.js';
import { SiteRedirects } from './redirects.service.js';
import { ShareLinks } from './share-links.service.js';
import { SiteUrls } from './site-urls.js';
import { Sites } from './sites.service.js';
import { SiteStructures } from './structure.service.js';

/** Resolves the targets of redirects for members. */
@Injectable()
export class RedirectTargets {
  constructor(
    private readonly redirects: SiteRedirects,
    private readonly structures: SiteStructures,
    private readonly sites: Sites,
    private readonly urls: SiteUrls,
    private readonly links: ShareLinks,
  ) {}

  /** The redirect of a source with the address of its target; throws `notFound` if the caller can see nothing there. */
  async find(caller: Caller, siteId: string, { source, shareKey }: RedirectQuery): Promise<ResolvedRedirectBody> {
    const site = await this.sites.get(siteId);
    const visible = new Set((await this.structures.siteSpaces(caller.userId, siteId)).map((row) => row.siteSpaceId));
    const found = await this.redirects.find(siteId, source, visible);
    if (!found) throw notFound('Redirect');
    const { redirect, target } = found;
    return {
      redirect: presentRedirect(redirect),
      target:
        'url' in target ? target.url : this.urls.of(site, target.path, await this.links.addresses(siteId, shareKey)),
    };
  }
}
