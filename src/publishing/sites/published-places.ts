import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/common/database.js';
import type { AppPlace } from './domain/app-address.js';
import { beginningsOf, comparablePath } from './domain/redirects.js';
import type { SiteLocation } from './domain/site-root.js';
import { SiteUrls } from './site-urls.js';

/** Sites at which an address is tried at most: those that have its hostname, its first segments or a proxy there. */
const MAX_SITES = 10;

/** Published sites that an address may lie in: $1 its host without port, $2 the first segment of its path. */
const SITES = `SELECT site.id, site.basename, site.hostname, site.proxy FROM site
  WHERE site.published AND (lower(site.hostname) = $1 OR lower(site.basename) = $2 OR lower(site.proxy) LIKE replace(replace($1, '_', '\\_'), '%', '\\%') || '/%') LIMIT ${MAX_SITES}`;
/** The site space that is found at the longest of the beginnings $2 of a path of the site $1. */
const ROUTE = `SELECT space_id AS space, lower(place) AS place FROM site_route WHERE site_id = $1 AND lower(place) = ANY ($2::text[]) ORDER BY length(place) DESC LIMIT 1`;

/** Finds the spaces behind addresses of published sites. */
@Injectable()
export class PublishedPlaces {
  constructor(
    private readonly database: Database,
    private readonly urls: SiteUrls,
  ) {}

  /** The space at an address and the path within it; undefined where no published site has it. */
  async find(url: string): Promise<AppPlace | undefined> {
    const { hostname, pathname } = new URL(url);
    const sites = await this.database.query<SiteLocation & { id: string }>(SITES, [
      hostname.toLowerCase(),
      comparablePath(pathname.split('/')[1] ?? '') ?? '',
    ]);
    for (const site of sites) {
      const path = comparablePath(this.urls.placeIn(site, url) ?? '%');
      if (path === undefined) continue;
      const found = await this.database.one<{ space: string; place: string }>(ROUTE, [site.id, beginningsOf(path)]);
      if (!found) continue;
      const below = path.slice(found.place.length).replace(/^\//, '');
      return { space: found.space, ...(below !== '' && { path: below }) };
    }
    return undefined;
  }
}
