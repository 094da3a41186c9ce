import { Injectable } from '@nestjs/common';
import type { ReaderAccess } from '../../kernel/access/readers.js';
import { Database } from '../../kernel/common/database.js';
import { primaryPoint } from '../../authoring/content/content-lines.js';
import { ReaderPages } from '../../authoring/content/reader-pages.js';
import {
  addressWithCaptured,
  beginningsOf,
  capturedBy,
  plainPath,
  keyOfSource,
  withCaptured,
} from './domain/redirects.js';
import { PagePlaces } from './page-places.js';
import { PublishedPlaces } from './published-places.js';
import { REDIRECT_COLUMNS, type RedirectRow } from './redirects.schema.js';

/** Maximum number of redirects that are tried for one path. */
const MAX_CANDIDATES = 20;

/**
 * Candidates for the path $2, with its prefixes $3 at which a site space could have been: explicit redirects first, then
 * automatic ones, the longest and latest first. If $4, the path is that of a wildcard itself.
 */
const CANDIDATES = `SELECT ${REDIRECT_COLUMNS}, r.automatic, r.path, way.site_space_id AS "foundSiteSpace", way.place,
  way.space_id AS "spaceId", r.organization_id AS "organizationId"
  FROM site_redirect r
  LEFT JOIN site_route way ON way.site_id = r.site_id
   AND CASE WHEN r.section_id IS NULL THEN way.site_space_id = r.site_space_id ELSE way.section_id = r.section_id AND way.is_default END
 WHERE r.site_id = $1 AND NOT r.draft
   AND (r.path = $2 AND NOT r.automatic AND r.wildcard = $4
     OR r.path = ANY (CASE WHEN NOT $4 THEN ARRAY(SELECT left($2 || '/', n) FROM generate_series(1, length($2) + 1) AS n) END) AND NOT r.automatic AND r.wildcard
     OR r.path = ANY ($3::text[]) AND r.automatic)
 ORDER BY r.automatic, r.wildcard, length(r.path) DESC, r.created_at DESC, r.id DESC LIMIT ${MAX_CANDIDATES}`;

interface Candidate extends RedirectRow {
  readonly automatic: boolean;
  readonly path: string;
  readonly foundSiteSpace: string | null;
  readonly place: string | null;
  readonly spaceId: string | null;
  readonly organizationId: string;
}

/**
 * The destination of readers: a path below the site, '' its root, with the page there unless a site space begins there,
 * or an external address.
 */
export type RedirectTarget =
  { readonly path: string; readonly siteSpaceId: string; readonly pageId?: string } | { readonly url: string };

export interface FoundRedirect {
  readonly redirect: RedirectRow;
  readonly target: RedirectTarget;
}

/** Follows the redirects of sites that are no drafts: explicit ones, and automatic ones at former places. */
@Injectable()
export class LiveRedirects {
  constructor(
    private readonly database: Database,
    private readonly pages: PagePlaces,
    private readonly places: PublishedPlaces,
    private readonly readerPages: ReaderPages,
  ) {}

  /**
   * The redirect and target of a path of the site without a page and without a redirect of its space: by explicit
   * redirects, else by former places. The path is as in the address, escaped or not, in any case; the source of a
   * wildcard stands for that redirect itself. A target in the site is always found there, so there are no loops.
   * `visible`: the site spaces that the reader sees; the page of the target may be hidden from them all the same.
   */
  async find(siteId: string, path: string, visible?: ReadonlySet<string>): Promise<FoundRedirect | undefined> {
    const key = keyOfSource(path);
    const requested = plainPath(path);
    if (key === undefined || requested === undefined) return undefined;
    const candidates = await this.database.query<Candidate & Record<string, unknown>>(CANDIDATES, [
      siteId,
      key.path,
      key.wildcard ? [] : beginningsOf(key.path),
      key.wildcard,
    ]);
    for (const candidate of candidates) {
      const captured = candidate.captureWildcard && !key.wildcard ? capturedBy(candidate.path, requested) : '';
      if (captured === undefined) continue;
      const target = await this.follow(siteId, candidate, key.path, captured);
      if (!target) continue;
      if ('url' in target) return { redirect: candidate, target };
      const isSeen = visible === undefined || visible.has(target.siteSpaceId);
      if (isSeen && target.path.toLowerCase() !== key.path) return { redirect: candidate, target };
    }
    return undefined;
  }

  /** The same for a reader of the site, who must be able to see the page of the target as well. */
  async findFor(reader: ReaderAccess, path: string): Promise<FoundRedirect | undefined> {
    const visible = new Map(reader.siteSpaces.map(({ siteSpaceId, id }) => [siteSpaceId, id]));
    const found = await this.find(reader.site.id, path, new Set(visible.keys()));
    if (!found || 'url' in found.target || found.target.pageId === undefined) return found;
    const space = reader.space(visible.get(found.target.siteSpaceId) ?? '');
    if (!space?.reader) return undefined;
    const point = primaryPoint({ spaceId: space.id, sequence: Number(space.sequence) }, space.hiddenPages);
    return (await this.readerPages.sees(point, space.reader, found.target.pageId)) ? found : undefined;
  }

  /**
   * The site with a former basename, and its current one; sites that currently have the basename are not considered.
   * Visitors whom the site does not admit must not learn of it.
   */
  async formerSite(basename: string): Promise<{ readonly id: string; readonly basename: string } | undefined> {
    return this.database.one<{ id: string; basename: string }>(
      'SELECT site.id, site.basename FROM site_former_basename f JOIN site ON site.id = f.site_id WHERE f.basename = lower($1) AND site.published',
      [basename],
    );
  }

  /** The current target of a redirect; undefined while that is not served. */
  private async follow(
    siteId: string,
    candidate: Candidate,
    wanted: string,
    captured: string,
  ): Promise<RedirectTarget | undefined> {
    if (candidate.url !== null)
      return { url: captured === '' ? candidate.url : addressWithCaptured(candidate.url, captured) };
    const { place, spaceId, foundSiteSpace: siteSpaceId, organizationId, pageId } = candidate;
    if (place === null || spaceId === null || siteSpaceId === null) return undefined;
    const space = { id: spaceId, organizationId };
    const path = pageId === null ? '' : await this.pages.pathOf(space, pageId);
    if (path === undefined) return undefined;
    const named = joined(place, path);
    if (captured !== '') return this.at(siteId, organizationId, withCaptured(named, captured));
    const below = candidate.automatic ? wanted.slice(candidate.path.length).replace(/^\//, '') : '';
    if (below === '') return { path: named, siteSpaceId, ...(pageId !== null && { pageId }) };
    const page = await this.pages.pageAt(space, below);
    return page && { path: joined(place, page.path), siteSpaceId, pageId: page.id };
  }

  /** The page at a path below the site, or the beginning of a site space there. */
  private async at(siteId: string, organizationId: string, path: string): Promise<RedirectTarget | undefined> {
    const found = await this.places.at(siteId, path.normalize('NFC').toLowerCase().replace(/^\/+/, ''));
    if (!found) return undefined;
    const { siteSpaceId, space, place, below } = found;
    if (below === '') return { path: place, siteSpaceId };
    const page = await this.pages.pageAt({ id: space, organizationId }, below);
    return page && { path: joined(place, page.path), siteSpaceId, pageId: page.id };
  }
}

const joined = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join('/');
