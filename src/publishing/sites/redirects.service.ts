import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { requireMatch, type Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, invalid, notFound } from '../../kernel/common/errors.js';
import { newId } from '../../kernel/common/ids.js';
import { Pages, type Page } from '../../kernel/common/page.js';
import { fieldsGiven } from '../../kernel/platform/audit-changes.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { beginningsOf, comparablePath } from './domain/redirects.js';
import { PagePlaces } from './page-places.js';
import type {
  CreateRedirect,
  Destination,
  RedirectDestination,
  RedirectRow,
  RedirectsQuery,
  UpdateRedirect,
} from './redirects.schema.js';
import type { SiteAddress } from './site-address.js';
import { SiteLock } from './site-lock.js';
import { SiteRedirect } from './site-redirect.entity.js';
import { SiteUrls } from './site-urls.js';
import type { SiteForCaller } from './sites.schema.js';
import { SiteStructures } from './structure.service.js';

/** Maximum number of redirects of a site, without automatic ones. */
export const MAX_REDIRECTS = 10_000;

const COLUMNS =
  'r.id, r.source, r.section_id AS "sectionId", r.site_space_id AS "siteSpaceId", r.page_id AS "pageId", r.url, r.version';

/** Maximum number of redirects that are tried for one path. */
const MAX_CANDIDATES = 20;

/**
 * Candidates for the path $2, with its prefixes $3: explicit redirects first, then automatic ones, the longest and
 * latest first.
 */
const CANDIDATES = `SELECT ${COLUMNS}, r.automatic, r.path, way.site_space_id AS "foundSiteSpace", way.place, way.space_id AS "spaceId", r.organization_id AS "organizationId"
  FROM site_redirect r
  LEFT JOIN site_route way ON way.site_id = r.site_id
   AND CASE WHEN r.section_id IS NULL THEN way.site_space_id = r.site_space_id ELSE way.section_id = r.section_id AND way.is_default END
 WHERE r.site_id = $1 AND (r.path = $2 AND NOT r.automatic OR r.path = ANY ($3::text[]) AND r.automatic)
 ORDER BY r.automatic, length(r.path) DESC, r.created_at DESC, r.id DESC LIMIT ${MAX_CANDIDATES}`;

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

/** Redirects of sites: explicit ones, and automatic ones at former places. */
@Injectable()
export class SiteRedirects {
  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly lock: SiteLock,
    private readonly structures: SiteStructures,
    private readonly places: PagePlaces,
    private readonly urls: SiteUrls,
  ) {}

  /** Lists explicit redirects, latest first. */
  list(siteId: string, query: RedirectsQuery): Promise<Page<RedirectRow>> {
    const wanted = query.search === undefined ? null : (comparablePath(query.search) ?? query.search.toLowerCase());
    return this.pages.list<RedirectRow & Record<string, unknown>>(query, {
      scope: ['site-redirects', siteId, wanted],
      select: COLUMNS,
      from: 'FROM site_redirect r WHERE r.site_id = $1 AND NOT r.automatic AND ($2::text IS NULL OR position($2 IN r.path) > 0)',
      values: [siteId, wanted],
      order: [
        { expression: 'r.created_at', type: 'timestamptz' },
        { expression: 'r.id', type: 'text' },
      ],
      direction: 'desc',
    });
  }

  async create(caller: Caller, address: SiteAddress, { source, destination }: CreateRedirect): Promise<RedirectRow> {
    return this.lock.hold(caller, address, 'site:admin', async (site) => {
      const path = pathOfSource(source);
      await this.requireFree(site, path);
      await this.requireRoom(site, 1);
      const to = await this.destinationOf(caller, site, destination);
      const id = newId();
      await this.database.of(SiteRedirect).insert({
        id,
        organizationId: site.organizationId,
        siteId: site.id,
        automatic: false,
        source,
        path,
        sectionId: to.sectionId,
        siteSpaceId: to.siteSpaceId,
        pageId: to.pageId,
        url: to.url,
        createdAt: this.clock.now(),
      });
      await this.outbox.record({
        type: 'site_redirect_created',
        organizationId: site.organizationId,
        target: id,
        payload: { siteId: site.id },
      });
      return this.get(site.id, id);
    });
  }

  /** Changes source or destination; absent fields keep their value. */
  async update(caller: Caller, address: SiteAddress, id: string, changes: UpdateRedirect): Promise<RedirectRow> {
    return this.lock.hold(caller, address, 'site:admin', async (site) => {
      const row = await this.get(site.id, id);
      requireMatch(row.version);
      const source = changes.source ?? row.source;
      const path = pathOfSource(source);
      if (path !== comparablePath(row.source)) await this.requireFree(site, path);
      const to = changes.destination === undefined ? row : await this.destinationOf(caller, site, changes.destination);
      if (source === row.source && sameDestination(to, row)) return row;
      await this.database
        .of(SiteRedirect)
        .update(
          { siteId: site.id, id },
          { source, path, sectionId: to.sectionId, siteSpaceId: to.siteSpaceId, pageId: to.pageId, url: to.url },
        );
      await this.outbox.record({
        type: 'site_redirect_updated',
        organizationId: site.organizationId,
        target: id,
        payload: { siteId: site.id, fields: fieldsGiven(changes) },
      });
      return this.get(site.id, id);
    });
  }

  async remove(caller: Caller, address: SiteAddress, id: string): Promise<void> {
    await this.lock.hold(caller, address, 'site:admin', async (site) => {
      const removed = await this.database.execute(
        'DELETE FROM site_redirect WHERE site_id = $1 AND id = $2 AND NOT automatic',
        [site.id, id],
      );
      if (removed > 0)
        await this.outbox.record({
          type: 'site_redirect_deleted',
          organizationId: site.organizationId,
          target: id,
          payload: { siteId: site.id },
        });
    });
  }

  /**
   * The target of a path of the site without a page and without a redirect of its space: by explicit redirects, else by
   * former places. The path is as in the address, escaped or not, in any case. The result never redirects again, so
   * there are no loops. `visible`: the site spaces that the reader sees; the caller must check whether they can see the
   * page before revealing the address.
   */
  async resolve(siteId: string, path: string, visible?: ReadonlySet<string>): Promise<RedirectTarget | undefined> {
    return (await this.find(siteId, path, visible))?.target;
  }

  /** The target with its redirect. */
  async find(
    siteId: string,
    path: string,
    visible?: ReadonlySet<string>,
  ): Promise<{ readonly redirect: RedirectRow; readonly target: RedirectTarget } | undefined> {
    const wanted = comparablePath(path);
    if (wanted === undefined) return undefined;
    for (const candidate of await this.database.query<Candidate & Record<string, unknown>>(CANDIDATES, [
      siteId,
      wanted,
      beginningsOf(wanted),
    ])) {
      if (candidate.foundSiteSpace !== null && visible && !visible.has(candidate.foundSiteSpace)) continue;
      const target = await this.follow(candidate, wanted);
      if (target && !('path' in target && target.path.toLowerCase() === wanted)) return { redirect: candidate, target };
    }
    return undefined;
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
  private async follow(candidate: Candidate, wanted: string): Promise<RedirectTarget | undefined> {
    if (candidate.url !== null) return { url: candidate.url };
    const { place, spaceId, foundSiteSpace: siteSpaceId, organizationId, pageId } = candidate;
    if (place === null || spaceId === null || siteSpaceId === null) return undefined;
    const space = { id: spaceId, organizationId };
    const at = (path: string, id: string): RedirectTarget => ({
      path: [place, path].filter((part) => part !== '').join('/'),
      siteSpaceId,
      pageId: id,
    });
    if (pageId !== null) {
      const path = await this.places.pathOf(space, pageId);
      return path === undefined ? undefined : at(path, pageId);
    }
    const below = candidate.automatic ? wanted.slice(candidate.path.length).replace(/^\//, '') : '';
    if (below === '') return { path: place, siteSpaceId };
    const page = await this.places.pageAt(space, below);
    return page && at(page.path, page.id);
  }

  private async get(siteId: string, id: string): Promise<RedirectRow> {
    const row = await this.database.one<RedirectRow & Record<string, unknown>>(
      `SELECT ${COLUMNS} FROM site_redirect r WHERE r.site_id = $1 AND r.id = $2 AND NOT r.automatic`,
      [siteId, id],
    );
    if (!row) throw notFound('Redirect');
    return row;
  }

  private async requireFree(site: SiteForCaller, path: string): Promise<void> {
    const other = await this.database.one(
      'SELECT id FROM site_redirect WHERE site_id = $1 AND path = $2 AND NOT automatic',
      [site.id, path],
    );
    if (other)
      throw new DomainError('conflict', 'source: has a redirect already', [
        { path: 'source', message: 'has a redirect already' },
      ]);
  }

  /** Throws `conflict` if so many more exceed the limit of a site. */
  async requireRoom(site: SiteForCaller, more: number): Promise<void> {
    const row = await this.database.one<{ count: number }>(
      'SELECT count(*)::int AS count FROM site_redirect WHERE site_id = $1 AND NOT automatic',
      [site.id],
    );
    if ((row?.count ?? 0) + more > MAX_REDIRECTS)
      throw new DomainError('conflict', `A site holds at most ${MAX_REDIRECTS} redirects`);
  }

  /** The destination in a body; throws `invalid` for one that does not exist or that the caller cannot see. */
  private async destinationOf(
    caller: Caller,
    site: SiteForCaller,
    { kind, siteSectionId, siteSpaceId, pageId, url }: RedirectDestination,
  ): Promise<Destination> {
    const nothing = { sectionId: null, siteSpaceId: null, pageId: null, url: null };
    if (kind === 'external') {
      if (url === undefined) throw invalid('destination.url', 'is required');
      if (this.urls.isWithin(site, url))
        throw invalid('destination.url', 'is an address of the site itself: name the section, site space or page');
      return { ...nothing, url };
    }
    if (kind === 'site-section') {
      if (siteSectionId === undefined) throw invalid('destination.siteSectionId', 'is required');
      const known = await this.database.one('SELECT id FROM site_section WHERE site_id = $1 AND id = $2', [
        site.id,
        siteSectionId,
      ]);
      if (!known) throw invalid('destination.siteSectionId', 'is not a section of this site');
      return { ...nothing, sectionId: siteSectionId };
    }
    if (siteSpaceId === undefined) throw invalid('destination.siteSpaceId', 'is required');
    const siteSpace = await this.structures.findSiteSpace(caller.userId, site.id, siteSpaceId);
    if (!siteSpace) throw invalid('destination.siteSpaceId', 'is not a site space of this site');
    if (kind === 'site-space') return { ...nothing, siteSpaceId };
    if (pageId === undefined) throw invalid('destination.pageId', 'is required');
    if ((await this.places.pathOf({ id: siteSpace.id, organizationId: site.organizationId }, pageId)) === undefined)
      throw invalid('destination.pageId', 'is not a page of that site space');
    return { ...nothing, siteSpaceId, pageId };
  }
}

/** The comparable path of a source; throws `invalid` for one that cannot be requested. */
function pathOfSource(source: string): string {
  const path = comparablePath(source);
  if (path === undefined || path === '') throw invalid('source', 'cannot be decoded');
  return path;
}

function sameDestination(one: Destination, other: Destination): boolean {
  return (
    one.sectionId === other.sectionId &&
    one.siteSpaceId === other.siteSpaceId &&
    one.pageId === other.pageId &&
    one.url === other.url
  );
}
