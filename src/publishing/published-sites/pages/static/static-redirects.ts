import { Injectable } from '@nestjs/common';
import { Database } from '../../../../kernel/common/database.js';
import type { SiteSpaceRow } from '../../../sites/structure.schema.js';
import { addressBelow, siteSpacePath } from '../domain/site-paths.js';
import type { SpaceTree } from '../domain/space-tree.js';
import type { SiteRequest } from '../site-place.js';
import { SiteRouter } from '../site-router.js';
import { SpaceTrees } from '../space-trees.js';
import type { StaticRedirect } from './domain/redirect-rules.js';
import { requestFor } from './static-request.js';

/** Maximum number of former addresses of pages of a space: each page has all those of the pages above it. */
const MOST_FORMER = 100_000;
/** Steps from pages to those that were above them, which may go in circles. */
const MOST_STEPS = 10 * MOST_FORMER;
/** Redirects that are looked up at once. */
const AT_ONCE = 8;

type OfSite = {
  readonly path: string;
  readonly automatic: boolean;
  readonly wildcard: boolean;
  readonly captures: boolean;
  readonly siteSpaceId: string | null;
};

const OF_SITE = `SELECT r.path, r.automatic, r.wildcard, r.capture_wildcard AS captures, way.site_space_id AS "siteSpaceId"
  FROM site_redirect r
  LEFT JOIN site_route way ON way.site_id = r.site_id
   AND CASE WHEN r.section_id IS NULL THEN way.site_space_id = r.site_space_id ELSE way.section_id = r.section_id AND way.is_default END
 WHERE r.site_id = $1 AND NOT r.draft ORDER BY r.automatic, r.path`;
const OF_SPACE = `SELECT path FROM page_redirect WHERE space_id = $1 AND page_id <> '' ORDER BY path`;
const FORMER = `SELECT parent_id AS parent, slug, page_id AS page FROM page_former_place WHERE space_id = $1 ORDER BY created_at, page_id`;

/** A path of a site from which it may redirect, decoded, and what it means for the paths below. */
type Candidate = { readonly path: string } & Pick<StaticRedirect, 'below'>;

/** Finds all addresses from which a site redirects, as far as they can be said without being asked for. */
@Injectable()
export class StaticRedirects {
  constructor(
    private readonly database: Database,
    private readonly trees: SpaceTrees,
    private readonly router: SiteRouter,
  ) {}

  /** The redirects of a site; `isPage` tells at which of its paths a page stands. */
  async *of(site: SiteRequest, isPage: (path: string) => boolean): AsyncGenerator<StaticRedirect> {
    const seen = new Set<string>();
    let batch: Candidate[] = [];
    for await (const candidate of this.candidates(site)) {
      if (seen.has(candidate.path) || isPage(candidate.path)) continue;
      seen.add(candidate.path);
      batch.push(candidate);
      if (batch.length < AT_ONCE) continue;
      yield* await this.followed(site, batch);
      batch = [];
    }
    yield* await this.followed(site, batch);
  }

  /** The redirects that the service answers at the paths. */
  private async followed(site: SiteRequest, batch: readonly Candidate[]): Promise<StaticRedirect[]> {
    const rules = await Promise.all(
      batch.map(async ({ path, below }): Promise<StaticRedirect[]> => {
        const { status, headers } = await this.router.get(site, requestFor(site, path));
        const to = headers['Location'];
        if (status < 300 || status > 399 || typeof to !== 'string') return [];
        const from = addressBelow(site.base, path);
        if (from === to.replace(/\/$/, '')) return [];
        return [{ from, to, isPermanent: status === 308, ...(below !== undefined && { below }) }];
      }),
    );
    return rules.flat();
  }

  private async *candidates(site: SiteRequest): AsyncGenerator<Candidate> {
    const { rows } = site.visit;
    const own = await this.database.query<OfSite>(OF_SITE, [site.visit.site.id]);
    for (const { path, automatic, wildcard, captures, siteSpaceId } of own) {
      const below = automatic || captures ? 'captured' : wildcard ? 'all' : undefined;
      const plain = path.replace(/^\/+|\/+$/g, '');
      yield { path: plain, ...(below !== undefined && { below }) };
      const row = automatic ? rows.siteSpaces.find((each) => each.siteSpaceId === siteSpaceId) : undefined;
      if (!row) continue;
      for (const page of (await this.trees.of(site.visit, row)).tree.documents)
        if (page.path !== '') yield { path: `${plain}/${page.path}` };
    }
    for (const row of rows.siteSpaces) yield* this.ofSpace(site, row);
  }

  private async *ofSpace({ visit }: SiteRequest, row: SiteSpaceRow): AsyncGenerator<Candidate> {
    const place = decodeURIComponent(siteSpacePath(visit.rows, row)).slice(1);
    const below = (path: string): Candidate => ({ path: place === '' ? path : `${place}/${path}` });
    const { tree } = await this.trees.of(visit, row);
    // Groups and links have addresses, and so has the first page, which stands at the root of its space.
    for (const page of tree.byId.values())
      if (page.path !== '' && (page.item.type !== 'document' || page === tree.first)) yield below(page.path);
    const given = await this.database.query<{ path: string }>(OF_SPACE, [row.id]);
    for (const { path } of given) yield below(path);
    const former = await this.database.query<FormerPlace>(FORMER, [row.id]);
    for (const path of formerPaths(tree, former)) yield below(path);
  }
}

type FormerPlace = { readonly parent: string; readonly slug: string; readonly page: string };

/** The paths at which pages stood, and those of the pages below them, at most so many. */
export function* formerPaths(tree: SpaceTree, places: readonly FormerPlace[]): Generator<string> {
  const byPage = new Map<string, FormerPlace[]>();
  for (const place of places) byPage.set(place.page, [...(byPage.get(place.page) ?? []), place]);
  const known = new Map<string, ReadonlySet<string>>();
  let left = MOST_FORMER;
  let steps = MOST_STEPS;
  /** All paths of a page, the present one among them; a former parent may be below the page itself. */
  const pathsOf = (id: string, above: ReadonlySet<string>): ReadonlySet<string> => {
    const done = known.get(id);
    if (done) return done;
    const page = tree.byId.get(id);
    const paths = new Set<string>(id === '' ? [''] : page ? [page.path] : []);
    const within = new Set([...above, id]);
    const from = (parent: string, slug: string): void => {
      if (within.has(parent) || steps-- <= 0) return;
      for (const path of pathsOf(parent, within)) {
        if (left <= 0) return;
        const own = path === '' ? slug : `${path}/${slug}`;
        if (!paths.has(own)) left--;
        paths.add(own);
      }
    };
    if (page && page.item.slug !== null && page.parent) from(page.parent.item.id, page.item.slug);
    for (const { parent, slug } of byPage.get(id) ?? []) from(parent, slug);
    if (above.size === 0) known.set(id, paths);
    return paths;
  };
  for (const { item, path } of tree.byId.values())
    for (const each of pathsOf(item.id, new Set())) if (each !== path && each !== '') yield each;
}
