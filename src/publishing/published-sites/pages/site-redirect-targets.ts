import { Injectable } from '@nestjs/common';
import { LiveRedirects } from '../../sites/live-redirects.js';
import { encodedPath } from './domain/location.js';
import { firstDocument } from './domain/space-tree.js';
import { redirect, type HttpResponse } from './http-response.js';
import { searchOf, type RequestedResource } from './requested-resource.js';
import { isForEverybody, pageAddress, pagePath, type SiteRequest } from './site-place.js';
import { SpaceTrees } from './space-trees.js';

/** Finds where the redirects of a site lead, as far as the visitor sees it. */
@Injectable()
export class SiteRedirectTargets {
  constructor(
    private readonly redirects: LiveRedirects,
    private readonly trees: SpaceTrees,
  ) {}

  /** Where a redirect of the site leads; undefined where there is none, or its target is not to be seen. */
  async answer(site: SiteRequest, { path, query }: RequestedResource): Promise<HttpResponse | undefined> {
    const { rows } = site.visit;
    const visible = new Set(rows.siteSpaces.map(({ siteSpaceId }) => siteSpaceId));
    const found = path === '' ? undefined : await this.redirects.find(site.visit.site.id, encodedPath(path), visible);
    if (!found) return undefined;
    const { target } = found;
    const status = found.redirect.permanent && isForEverybody(site.visit) ? 308 : 307;
    if ('url' in target) return redirect(target.url, {}, status);
    const row = rows.siteSpaces.find(({ siteSpaceId }) => siteSpaceId === target.siteSpaceId);
    if (target.pageId === undefined)
      return redirect(pageAddress(site, site.base, target.path) + searchOf(query), {}, status);
    if (!row) return undefined;
    const { tree } = await this.trees.of(site.visit, row);
    const page = tree.byId.get(target.pageId);
    const shown = page && (firstDocument(page) ?? page);
    return shown && redirect(pagePath(site, row, tree, shown) + searchOf(query), {}, status);
  }
}
