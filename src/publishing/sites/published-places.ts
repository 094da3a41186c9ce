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
const ROUTE = `SELECT site_space_id AS "siteSpaceId", space_id AS space, place FROM site_route WHERE site_id = $1 AND lower(place) = ANY ($2::text[]) ORDER BY length(place) DESC LIMIT 1`;

/** A site space at a path of its site. */
export interface PlaceOfSite {
  readonly siteSpaceId: string;
  readonly space: string;
  /** Path of the site space below the site, '' its root. */
  readonly place: string;
  /** The rest of the path, in lower case. */
  readonly below: string;
}

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
      const found = await this.at(site.id, path);
      if (found) return { space: found.space, ...(found.below !== '' && { path: found.below }) };
    }
    return undefined;
  }

  /** The site space that a path of a site, in lower case, lies in: the one at the longest of its beginnings. */
  async at(siteId: string, path: string): Promise<PlaceOfSite | undefined> {
    const found = await this.database.one<Omit<PlaceOfSite, 'below'>>(ROUTE, [siteId, beginningsOf(path)]);
    return found && { ...found, below: path.slice(found.place.toLowerCase().length).replace(/^\//, '') };
  }
}
