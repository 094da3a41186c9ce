import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { requireMatch, type Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, invalid, notFound } from '../../kernel/common/errors.js';
import { newId } from '../../kernel/common/ids.js';
import { Pages, type ListStatement, type Page } from '../../kernel/common/page.js';
import { fieldsGiven, isUnchanged } from '../../kernel/platform/audit-changes.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { comparablePath, readSource, type SourceKey } from './domain/redirects.js';
import { RedirectDestinations } from './redirect-destinations.js';
import {
  REDIRECT_COLUMNS,
  type CreateRedirect,
  type RedirectRow,
  type RedirectsQuery,
  type UpdateRedirect,
} from './redirects.schema.js';
import type { SiteAddress } from './site-address.js';
import { SiteLock } from './site-lock.js';
import { SiteRedirect } from './site-redirect.entity.js';
import type { SiteForCaller } from './sites.schema.js';

/** Maximum number of redirects of a site, without automatic ones. */
export const MAX_REDIRECTS = 10_000;

type Order = Pick<ListStatement, 'order' | 'direction'>;
const latest = (expression: string): Order => ({
  order: [
    { expression, type: 'timestamptz' },
    { expression: 'r.id', type: 'text' },
  ],
  direction: 'desc',
});
const ORDERS = {
  createdAt: latest('r.created_at'),
  updatedAt: latest('coalesce(r.updated_at, r.created_at)'),
  source: {
    order: [
      { expression: 'r.path', type: 'text' },
      { expression: 'r.id', type: 'text' },
    ],
    direction: 'asc',
  },
} as const satisfies Record<string, Order>;

/** The explicit redirects of sites. */
@Injectable()
export class SiteRedirects {
  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly lock: SiteLock,
    private readonly destinations: RedirectDestinations,
  ) {}

  /** Lists the live redirects, or the drafts. */
  list(
    siteId: string,
    { search, draft = false, orderBy = 'createdAt', ...request }: RedirectsQuery,
  ): Promise<Page<RedirectRow>> {
    const before = search?.replace(/\*$/, '');
    const wanted = before === undefined ? null : (comparablePath(before) ?? before.toLowerCase());
    return this.pages.list<RedirectRow & Record<string, unknown>>(request, {
      scope: ['site-redirects', siteId, wanted, draft, orderBy],
      select: REDIRECT_COLUMNS,
      from: `FROM site_redirect r
        WHERE r.site_id = $1 AND NOT r.automatic AND ($2::text IS NULL OR position($2 IN r.path) > 0) AND r.draft = $3`,
      values: [siteId, wanted, draft],
      ...ORDERS[orderBy],
    });
  }

  async create(caller: Caller, address: SiteAddress, facts: CreateRedirect): Promise<RedirectRow> {
    const { source, draft = false, captureWildcard = false, permanent = false, destination } = facts;
    return this.lock.hold(caller, address, 'site:manageRedirects', async (site) => {
      const key = requireKey(source, captureWildcard);
      await this.requireFree(site, key, draft);
      await this.requireRoom(site, 1);
      const to = await this.destinations.one(caller, site, destination);
      const id = newId();
      await this.database.of(SiteRedirect).insert({
        id,
        organizationId: site.organizationId,
        siteId: site.id,
        automatic: false,
        source,
        path: key.path,
        wildcard: key.wildcard,
        captureWildcard,
        draft,
        permanent,
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

  /** Changes a redirect; absent fields keep their value. */
  async update(caller: Caller, address: SiteAddress, id: string, changes: UpdateRedirect): Promise<RedirectRow> {
    return this.lock.hold(caller, address, 'site:manageRedirects', async (site) => {
      const row = await this.get(site.id, id);
      requireMatch(row.version);
      const to =
        changes.destination === undefined ? row : await this.destinations.one(caller, site, changes.destination);
      const next = {
        source: changes.source ?? row.source,
        draft: changes.draft ?? row.draft,
        captureWildcard: changes.captureWildcard ?? row.captureWildcard,
        permanent: changes.permanent ?? row.permanent,
        sectionId: to.sectionId,
        siteSpaceId: to.siteSpaceId,
        pageId: to.pageId,
        url: to.url,
      };
      if (isUnchanged(row, next)) return row;
      const key = requireKey(next.source, next.captureWildcard);
      await this.requireFree(site, key, next.draft, id);
      await this.database.of(SiteRedirect).update(
        { siteId: site.id, id },
        {
          source: next.source,
          path: key.path,
          wildcard: key.wildcard,
          captureWildcard: next.captureWildcard,
          draft: next.draft,
          permanent: next.permanent,
          sectionId: next.sectionId,
          siteSpaceId: next.siteSpaceId,
          pageId: next.pageId,
          url: next.url,
          updatedAt: this.clock.now(),
        },
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
    await this.lock.hold(caller, address, 'site:manageRedirects', async (site) => {
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

  private async get(siteId: string, id: string): Promise<RedirectRow> {
    const row = await this.database.one<RedirectRow & Record<string, unknown>>(
      `SELECT ${REDIRECT_COLUMNS} FROM site_redirect r WHERE r.site_id = $1 AND r.id = $2 AND NOT r.automatic`,
      [siteId, id],
    );
    if (!row) throw notFound('Redirect');
    return row;
  }

  /** Throws `conflict` where another redirect, or for a draft another draft, begins at the same paths. */
  private async requireFree(
    site: SiteForCaller,
    { path, wildcard }: SourceKey,
    draft: boolean,
    except?: string,
  ): Promise<void> {
    const other = await this.database.one(
      'SELECT id FROM site_redirect WHERE site_id = $1 AND path = $2 AND wildcard = $3 AND draft = $4 AND NOT automatic AND id IS DISTINCT FROM $5',
      [site.id, path, wildcard, draft, except ?? null],
    );
    const message = draft ? 'has a draft already' : 'has a redirect already';
    if (other) throw new DomainError('conflict', `source: ${message}`, [{ path: 'source', message }]);
  }

  /** Throws `conflict` if so many more exceed the limit of a site. */
  async requireRoom(site: SiteForCaller, more: number): Promise<void> {
    if ((await this.count(site.id)) + more > MAX_REDIRECTS)
      throw new DomainError('conflict', `A site holds at most ${MAX_REDIRECTS} redirects`);
  }

  /** The number of explicit redirects of a site, drafts included. */
  async count(siteId: string): Promise<number> {
    const row = await this.database.one<{ count: number }>(
      'SELECT count(*)::int AS count FROM site_redirect WHERE site_id = $1 AND NOT automatic',
      [siteId],
    );
    return row?.count ?? 0;
  }
}

/** The key of a source; throws `invalid` for one that cannot be requested, or where there is nothing to capture. */
function requireKey(source: string, captureWildcard: boolean): SourceKey {
  const reading = readSource(source, captureWildcard);
  if ('key' in reading) return reading.key;
  throw invalid(reading.fault.path, reading.fault.message);
}
