import { Injectable } from '@nestjs/common';
import { Access, type SpaceAccess } from '../../kernel/access/access.service.js';
import { presentCollection } from '../../workspace/collections/collections.schema.js';
import { Collections } from '../../workspace/collections/collections.service.js';
import { Addresses } from '../../kernel/common/addresses.js';
import type { Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { notFound } from '../../kernel/common/errors.js';
import { ChangeRequestStore } from '../../authoring/change-requests/change-request-store.js';
import { ContentReader, type ContentPlace } from '../../authoring/content/content-reader.js';
import { ContentLines } from '../../authoring/content/content-lines.js';
import { presentSpace } from '../../workspace/spaces/spaces.schema.js';
import { Spaces } from '../../workspace/spaces/spaces.service.js';
import type { ContentUrlBody } from './content-urls.schema.js';
import { readAppPath, type AppPlace } from './domain/app-address.js';
import { beginningsOf, comparablePath } from './domain/redirects.js';
import type { SiteLocation } from './domain/site-root.js';
import { SiteUrls } from './site-urls.js';
import { isWebAddress } from '../../kernel/common/web-address.js';

const NOWHERE = 'Content';
/**
 * Maximum number of sites for which an address is tried: those with its hostname, its first segments or a proxy there.
 */
const MAX_SITES = 10;

/** Published sites that may contain an address: $1 its host without port, $2 the first segment of its path. */
const SITES = `SELECT site.id, site.basename, site.hostname, site.proxy FROM site
  WHERE site.published AND (lower(site.hostname) = $1 OR lower(site.basename) = $2 OR lower(site.proxy) LIKE replace(replace($1, '_', '\\_'), '%', '\\%') || '/%') LIMIT ${MAX_SITES}`;
/** The site space at the longest of the prefixes $2 of a path of the site $1. */
const ROUTE = `SELECT space_id AS space, lower(place) AS place FROM site_route WHERE site_id = $1 AND lower(place) = ANY ($2::text[]) ORDER BY length(place) DESC LIMIT 1`;

/** Resolves addresses to content. */
@Injectable()
export class ContentUrls {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly addresses: Addresses,
    private readonly collections: Collections,
    private readonly spaces: Spaces,
    private readonly reader: ContentReader,
    private readonly requests: ChangeRequestStore,
    private readonly lines: ContentLines,
    private readonly urls: SiteUrls,
  ) {}

  /** Throws `notFound` for an address without a target that the caller can see. */
  async resolve(caller: Caller, url: string): Promise<ContentUrlBody> {
    const place = isWebAddress(url) ? ((await this.inApp(url)) ?? (await this.inSite(url))) : undefined;
    if (!place) throw notFound(NOWHERE);
    if ('collection' in place) {
      if (!(await this.access.collection(caller, place.collection))) throw notFound(NOWHERE);
      return {
        collection: presentCollection(await this.collections.get(caller.userId, place.collection), this.addresses),
      };
    }
    const space = await this.access.space(caller, place.space);
    if (!space || space.deletedAt !== null) throw notFound(NOWHERE);
    return {
      space: presentSpace(await this.spaces.get(caller.userId, space.id), this.addresses),
      ...(await this.within(space, place)),
    };
  }

  private async within(
    space: SpaceAccess,
    { changeRequest, revision, pageId, path }: Exclude<AppPlace, { collection: string }>,
  ): Promise<Omit<ContentUrlBody, 'space' | 'collection'>> {
    const at = await this.reader.at(space, {
      ...(changeRequest !== undefined && { changeRequestId: changeRequest }),
      ...(revision !== undefined && { revisionId: revision }),
    });
    const request = changeRequest === undefined ? undefined : await this.lines.request(space.id, changeRequest);
    const page = await this.pageOf(at, pageId, path);
    return {
      ...(request && { changeRequest: await this.requests.shown(space, request.id) }),
      ...(page && { page }),
    };
  }

  private async pageOf(
    at: ContentPlace,
    pageId: string | undefined,
    path: string | undefined,
  ): Promise<Record<string, unknown> | undefined> {
    if (pageId === undefined && path === undefined) return undefined;
    const query = { metadata: true, computed: true, format: 'document', evaluated: 'false' } as const;
    const found = await (pageId === undefined
      ? this.reader.pageAtPath(at, path ?? '', query)
      : this.reader.page(at, pageId, query));
    return JSON.parse(found.json) as Record<string, unknown>;
  }

  private async inApp(url: string): Promise<AppPlace | undefined> {
    const app = this.addresses.app('');
    const path = decodedPath(url);
    if (path === undefined || new URL(app).host !== new URL(url).host) return undefined;
    const base = new URL(app).pathname;
    return path.startsWith(`${base}/`) ? readAppPath(path.slice(base.length)) : undefined;
  }

  private async inSite(url: string): Promise<AppPlace | undefined> {
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

/** The path of an address, decoded; undefined if it cannot be decoded. */
function decodedPath(url: string): string | undefined {
  try {
    const path = decodeURIComponent(new URL(url).pathname);
    return path.includes('\0') ? undefined : path;
  } catch {
    return undefined;
  }
}
