import { Injectable } from '@nestjs/common';
import { SiteRedirects } from '../../sites/redirects.service.js';
import { encodedPath } from './domain/location.js';
import { addressBelow } from './domain/site-paths.js';
import { firstDocument } from './domain/space-tree.js';
import { redirect, type HttpResponse } from './http-response.js';
import { searchOf, type RequestedResource } from './requested-resource.js';
import { pagePath, type SiteRequest } from './site-place.js';
import { SpaceTrees } from './space-trees.js';

/** Finds where the redirects of a site lead, as far as the visitor sees it. */
@Injectable()
export class SiteRedirectTargets {
  constructor(
    private readonly redirects: SiteRedirects,
    private readonly trees: SpaceTrees,
  ) {}

  /** Where a redirect of the site leads; undefined where there is none, or its target is not to be seen. */
  async answer(site: SiteRequest, { path, query }: RequestedResource): Promise<HttpResponse | undefined> {
    const { rows } = site.visit;
    const target =
      path === ''
        ? undefined
        : await this.redirects.resolve(
            site.visit.site.id,
            encodedPath(path),
            new Set(rows.siteSpaces.map(({ siteSpaceId }) => siteSpaceId)),
          );
    if (!target) return undefined;
    if ('url' in target) return redirect(target.url);
    const row = rows.siteSpaces.find(({ siteSpaceId }) => siteSpaceId === target.siteSpaceId);
    if (target.pageId === undefined) return redirect(addressBelow(site.base, target.path) + searchOf(query));
    if (!row) return undefined;
    const { tree } = await this.trees.of(site.visit, row);
    const page = tree.byId.get(target.pageId);
    return page && redirect(pagePath(site, row, tree, firstDocument(page) ?? page) + searchOf(query));
  }
}
