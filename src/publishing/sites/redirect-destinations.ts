import { Injectable } from '@nestjs/common';
import type { Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { invalid, type ErrorDetail } from '../../kernel/common/errors.js';
import { comparablePath } from './domain/redirects.js';
import { PagePlaces } from './page-places.js';
import type { Destination, RedirectInputDestination } from './redirects.schema.js';
import { SiteUrls } from './site-urls.js';
import type { SiteForCaller } from './sites.schema.js';
import type { SiteSpaceRow } from './structure.schema.js';
import { SiteStructures } from './structure.service.js';

/** A destination as it is stored, or its fault, at the path of a field below the destination. */
export type ReadDestination = { readonly to: Destination } | { readonly fault: ErrorDetail };

/** The things that the destinations of one request name, as far as they exist and the caller sees them. */
interface Known {
  readonly sections: ReadonlySet<string>;
  readonly siteSpaces: readonly SiteSpaceRow[];
  /** The ids of pages, by space. */
  readonly pages: ReadonlyMap<string, ReadonlySet<string>>;
  /** The ids of pages by their comparable paths, by space. */
  readonly paths: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

const NOTHING: Destination = { sectionId: null, siteSpaceId: null, pageId: null, url: null };

/** Checks the destinations of redirects, all of a request together. */
@Injectable()
export class RedirectDestinations {
  constructor(
    private readonly database: Database,
    private readonly structures: SiteStructures,
    private readonly places: PagePlaces,
    private readonly urls: SiteUrls,
  ) {}

  /** Throws `invalid` for a destination that does not exist or that the caller cannot see. */
  async one(caller: Caller, site: SiteForCaller, destination: RedirectInputDestination): Promise<Destination> {
    const reading = this.readOne(site, destination, await this.known(caller, site, [destination]));
    if ('to' in reading) return reading.to;
    throw invalid(`destination.${reading.fault.path}`, reading.fault.message);
  }

  /** Reads destinations, in order; a statement for each space that they name pages of, and two for all others. */
  async all(
    caller: Caller,
    site: SiteForCaller,
    destinations: readonly RedirectInputDestination[],
  ): Promise<ReadDestination[]> {
    const known = await this.known(caller, site, destinations);
    return destinations.map((destination) => this.readOne(site, destination, known));
  }

  private async known(
    caller: Caller,
    site: SiteForCaller,
    destinations: readonly RedirectInputDestination[],
  ): Promise<Known> {
    const of = (...kinds: readonly string[]) => destinations.filter(({ kind }) => kinds.includes(kind));
    const sections = of('site-section').flatMap(({ siteSectionId }) => siteSectionId ?? []);
    const known =
      sections.length === 0
        ? []
        : await this.database.query<{ id: string }>(
            'SELECT id FROM site_section WHERE site_id = $1 AND id = ANY ($2::text[])',
            [site.id, sections],
          );
    const inSpaces = of('site-space', 'site-page', 'path');
    const siteSpaces = inSpaces.length === 0 ? [] : await this.structures.siteSpaces(caller.userId, site.id);
    const pages = new Map<string, Set<string>>();
    const paths = new Map<string, Map<string, string>>();
    for (const id of new Set(siteSpaces.map((row) => row.id))) {
      const space = { id, organizationId: site.organizationId };
      const here = new Set(siteSpaces.filter((row) => row.id === id).map(({ siteSpaceId }) => siteSpaceId));
      const ids = of('site-page').flatMap(({ siteSpaceId = '', pageId }) =>
        here.has(siteSpaceId) && pageId !== undefined ? [pageId] : [],
      );
      if (ids.length > 0) pages.set(id, await this.places.withAddress(space, ids));
      const wanted = of('path').flatMap(({ spaceId, path }) =>
        spaceId === id ? (comparablePath(path ?? '') ?? []) : [],
      );
      if (wanted.length > 0) paths.set(id, await this.places.idsAt(space, wanted));
    }
    return { sections: new Set(known.map(({ id }) => id)), siteSpaces, pages, paths };
  }

  private readOne(site: SiteForCaller, destination: RedirectInputDestination, known: Known): ReadDestination {
    const { kind, siteSectionId, siteSpaceId, pageId, url } = destination;
    if (kind === 'path') return readPath(destination, known);
    if (kind === 'external') {
      if (url === undefined) return faultAt('url', 'is required');
      return this.urls.isWithin(site, url)
        ? faultAt('url', 'is an address of the site itself: name the section, site space or page')
        : { to: { ...NOTHING, url } };
    }
    if (kind === 'site-section') {
      if (siteSectionId === undefined) return faultAt('siteSectionId', 'is required');
      return known.sections.has(siteSectionId)
        ? { to: { ...NOTHING, sectionId: siteSectionId } }
        : faultAt('siteSectionId', 'is not a section of this site');
    }
    if (siteSpaceId === undefined) return faultAt('siteSpaceId', 'is required');
    const siteSpace = known.siteSpaces.find((row) => row.siteSpaceId === siteSpaceId);
    if (!siteSpace) return faultAt('siteSpaceId', 'is not a site space of this site');
    if (kind === 'site-space') return { to: { ...NOTHING, siteSpaceId } };
    if (pageId === undefined) return faultAt('pageId', 'is required');
    return known.pages.get(siteSpace.id)?.has(pageId)
      ? { to: { ...NOTHING, siteSpaceId, pageId } }
      : faultAt('pageId', 'is not a page of that site space');
  }
}

/** The page at a path of a space, in the first place of the site that shows the space. */
function readPath({ spaceId, path }: RedirectInputDestination, known: Known): ReadDestination {
  if (spaceId === undefined) return faultAt('spaceId', 'is required');
  if (path === undefined) return faultAt('path', 'is required');
  const siteSpace = known.siteSpaces.find((row) => row.id === spaceId);
  if (!siteSpace) return faultAt('spaceId', 'is no space of this site');
  const pageId = known.paths.get(spaceId)?.get(comparablePath(path) ?? '');
  return pageId === undefined
    ? faultAt('path', 'leads to no page of that space')
    : { to: { ...NOTHING, siteSpaceId: siteSpace.siteSpaceId, pageId } };
}

function faultAt(path: string, message: string): ReadDestination {
  return { fault: { path, message } };
}
