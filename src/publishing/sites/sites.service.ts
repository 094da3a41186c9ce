import { Injectable } from '@nestjs/common';
import { allows } from '../../kernel/access/permissions.js';
import { Clock } from '../../kernel/common/clock.js';
import { requireMatch, type Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, invalid, notFound } from '../../kernel/common/errors.js';
import { newId } from '../../kernel/common/ids.js';
import { spacedKeys } from '../../kernel/common/order-key.js';
import { Pages, type Page } from '../../kernel/common/page.js';
import { freeSlug, slugOf } from '../../authoring/content/domain/slug.js';
import { Jobs } from '../../kernel/platform/jobs/jobs.js';
import { changesOf, fieldsGiven } from '../../kernel/platform/audit-changes.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { FormerPlaces } from './former-places.js';
import { CustomHostnames } from './hostnames/custom-hostnames.service.js';
import { SiteDefaults } from './site-defaults.js';
import { basenameFault, basenameOf, RESERVED_BASENAMES } from './domain/paths.js';
import type { SiteAddress } from './site-address.js';
import { SITE_COLUMNS, SITE_COLUMNS_AS_SEEN, SiteLock, type PlacedSpace } from './site-lock.js';
import { Site } from './site.entity.js';
import type { CreateSite, SiteAsSeen, SiteForCaller, SitesQuery, UpdateSite } from './sites.schema.js';

const FALLBACK_TITLE = 'Documentation';
const MAX_BASENAME_ATTEMPTS = 10;

/** Sites of the organization `$2` that the user `$1` may see, with the four filters. */
const LIST = `FROM site JOIN member m ON m.organization_id = site.organization_id AND m.user_id = $1 AND NOT m.disabled
  WHERE site.organization_id = $2
    AND (m.role > 'none' OR site.created_by = $1
      OR EXISTS (SELECT FROM site_member_grant g WHERE g.site_id = site.id AND g.user_id = $1 AND g.role > 'none')
      OR EXISTS (SELECT FROM site_team_grant g JOIN team_member t ON t.organization_id = g.organization_id AND t.team_id = g.team_id
                  WHERE g.site_id = site.id AND t.user_id = $1 AND g.role > 'none'))
    AND ($3::text IS NULL OR EXISTS (
      SELECT FROM site_space ss JOIN space_access($1, ARRAY[$3::text]) a ON a.space_id = ss.space_id JOIN space s ON s.id = ss.space_id AND s.deleted_at IS NULL
       WHERE ss.site_id = site.id AND a.role > 'none'))
    AND ($4::text IS NULL OR position(lower($4) IN lower(site.title)) > 0)
    AND ($5::boolean IS NULL OR site.published = $5)
    AND ($6::text[] IS NULL OR site.type = ANY ($6))`;

@Injectable()
export class Sites {
  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly lock: SiteLock,
    private readonly defaults: SiteDefaults,
    private readonly formerPlaces: FormerPlaces,
    private readonly jobs: Jobs,
    private readonly hostnames: CustomHostnames,
  ) {}

  /** Lists the sites of an organization that the caller may see, newest first. */
  list(caller: Caller, organizationId: string, query: SitesQuery): Promise<Page<SiteAsSeen>> {
    const filters = [query.space ?? null, query.title ?? null, query.published ?? null, query.type ?? null];
    return this.pages.list<SiteAsSeen>(query, {
      scope: ['sites', caller.userId, organizationId, ...filters],
      select: SITE_COLUMNS_AS_SEEN,
      from: LIST,
      values: [caller.userId, organizationId, ...filters],
      order: [
        { expression: 'site.created_at', type: 'timestamptz' },
        { expression: 'site.id', type: 'text' },
      ],
      direction: 'desc',
    });
  }

  async get(id: string): Promise<SiteForCaller> {
    const site = await this.database.one<SiteForCaller>(`SELECT ${SITE_COLUMNS} FROM site WHERE site.id = $1`, [id]);
    if (!site) throw notFound('Site');
    return site;
  }

  /** A site as the caller sees it. */
  async view(caller: Caller, id: string): Promise<SiteAsSeen> {
    const site = await this.database.one<SiteAsSeen>(`SELECT ${SITE_COLUMNS_AS_SEEN} FROM site WHERE site.id = $2`, [
      caller.userId,
      id,
    ]);
    if (!site) throw notFound('Site');
    return site;
  }

  /** Creates an unpublished site of the given spaces; its creator has the role admin on it. */
  async create(caller: Caller, organizationId: string, facts: CreateSite): Promise<SiteAsSeen> {
    const id = await this.database.transaction(async () => {
      const role = await this.lock.holdMembership(caller, organizationId);
      if (role === undefined) throw notFound('Organization');
      if (!allows('organization:createContent', role))
        throw new DomainError('forbidden', 'Requires the permission organization:createContent');
      const named = (facts.spaces ?? []).map((space, index) => ({ id: space, path: `spaces.${index}` }));
      const spaces = await this.lock.placeable(caller, organizationId, named);
      const title = facts.title ?? [spaces[0]?.title ?? ''].find((given) => given.length >= 2) ?? FALLBACK_TITLE;
      const siteId = await this.insert(caller, organizationId, { ...facts, title });
      await this.insertSpaces(organizationId, siteId, spaces);
      await this.outbox.record({
        type: 'site_created',
        organizationId,
        target: siteId,
        payload: { spaceIds: spaces.map((space) => space.id) },
      });
      return siteId;
    });
    return this.view(caller, id);
  }

  /** Changes settings; absent fields keep their value. */
  async update(caller: Caller, address: SiteAddress, changes: UpdateSite): Promise<SiteAsSeen> {
    await this.lock.restructure(caller, address, async (site) => {
      requireMatch(site.version);
      if (changes.basename !== undefined) await this.requireFreeBasename(site, changes.basename);
      if (typeof changes.proxy === 'string') await this.requireFree(site, 'proxy', changes.proxy);
      const defaults = await this.defaults.choose(site, changes);
      const before = { ...site, hostname: site.claimedHostname };
      const next = settingsOf(before, changes);
      const settingsChanged = Object.entries(next).some(
        ([name, value]) => before[name as keyof SiteForCaller] !== value,
      );
      if (!settingsChanged && !defaults) return;
      await this.database.of(Site).update(
        { id: site.id },
        {
          title: next.title,
          visibility: next.visibility,
          basename: next.basename,
          adaptiveContent: next.adaptiveContent,
          agentsContext: next.agentsContext,
          unansweredQuestions: next.unansweredQuestions,
          proxy: next.proxy,
          hostname: await this.hostnames.claim(site, next.hostname),
          updatedAt: this.clock.now(),
        },
      );
      if (next.basename.toLowerCase() !== site.basename.toLowerCase())
        await this.formerPlaces.keepBasename(site, site.basename);
      await this.outbox.record({
        type: 'site_updated',
        organizationId: site.organizationId,
        target: site.id,
        payload: { fields: fieldsGiven(changes) },
        audit: { changes: changesOf(before, next, SETTINGS) },
      });
    });
    return this.view(caller, address.id);
  }

  /**
   * Removes a site with its structure and customization, and gradually the events of its readers; spaces and their
   * content stay.
   */
  async remove(caller: Caller, address: SiteAddress): Promise<void> {
    await this.lock.hold(caller, address, 'site:admin', async (site) => {
      await this.database.of(Site).delete({ id: site.id });
      await this.jobs.enqueue('insights.forget', { site: site.id });
      await this.outbox.record({
        type: 'site_deleted',
        organizationId: site.organizationId,
        target: site.id,
        payload: { basename: site.basename },
        audit: { label: site.title },
      });
    });
  }

  /** Publishes or unpublishes a site; everything else about it stays. */
  async setPublished(caller: Caller, address: SiteAddress, published: boolean): Promise<SiteAsSeen> {
    await this.lock.hold(caller, address, 'site:publish', async (site) => {
      requireMatch(site.version);
      if (site.published === published) return;
      await this.database.of(Site).update({ id: site.id }, { published, updatedAt: this.clock.now() });
      await this.outbox.record({
        type: published ? 'site_published' : 'site_unpublished',
        organizationId: site.organizationId,
        target: site.id,
      });
    });
    return this.view(caller, address.id);
  }

  private async insert(caller: Caller, organizationId: string, facts: CreateSite & { title: string }): Promise<string> {
    const id = newId();
    const now = this.clock.now();
    for (let attempt = 0; attempt < MAX_BASENAME_ATTEMPTS; attempt++) {
      const made = await this.database.execute(
        `INSERT INTO site (id, organization_id, type, title, basename, visibility, customization, created_by, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, '{}', $7, $8, $8) ON CONFLICT ((lower(basename))) DO NOTHING`,
        [
          id,
          organizationId,
          facts.type ?? 'basic',
          facts.title,
          await this.freeBasename(facts.title),
          facts.visibility ?? 'public',
          caller.userId,
          now,
        ],
      );
      if (made > 0) return id;
    }
    throw new DomainError('conflict', 'Too many sites with this name are being created at once; please try again');
  }

  private async freeBasename(title: string): Promise<string> {
    const wanted = basenameOf(slugOf(title));
    // Several sites with the same title that are created at once get their names one after another.
    await this.database.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`basename ${wanted}`]);
    const rows = await this.database.query<{ name: string }>(
      `SELECT lower(basename) AS name FROM site WHERE lower(basename) = $1 OR lower(basename) LIKE $1 || '-%'`,
      [wanted],
    );
    const taken = new Set(rows.map(({ name }) => name));
    return freeSlug(wanted, { has: (name) => taken.has(name) || RESERVED_BASENAMES.has(name) });
  }

  private async insertSpaces(organizationId: string, siteId: string, spaces: readonly PlacedSpace[]): Promise<void> {
    if (spaces.length === 0) return;
    const paths = new Set<string>();
    for (const space of spaces) paths.add(freeSlug(slugOf(space.title), paths));
    const ids = spaces.map(() => newId());
    await this.database.execute(
      `INSERT INTO site_space (id, organization_id, site_id, space_id, path, position, created_at)
       SELECT row.id, $1, $2, row.space_id, row.path, row.position, $7
         FROM unnest($3::text[], $4::text[], $5::text[], $6::text[]) AS row (id, space_id, path, position)`,
      [
        organizationId,
        siteId,
        ids,
        spaces.map(({ id }) => id),
        [...paths],
        spacedKeys(spaces.length),
        this.clock.now(),
      ],
    );
    await this.database.execute('UPDATE site SET default_site_space_id = $2 WHERE id = $1', [siteId, ids[0]]);
  }

  private async requireFreeBasename(site: SiteForCaller, basename: string): Promise<void> {
    const fault = basenameFault(basename);
    if (fault !== undefined) throw invalid('basename', fault);
    await this.requireFree(site, 'basename', basename);
  }

  /** Unique in the installation: if two sites had one address, readers of one would get the other. */
  private async requireFree(site: SiteForCaller, field: 'basename' | 'proxy', value: string): Promise<void> {
    const other = await this.database.one(`SELECT id FROM site WHERE lower(${field}) = lower($1) AND id <> $2`, [
      value,
      site.id,
    ]);
    if (other) throw new DomainError('conflict', `${field}: is taken`, [{ path: field, message: 'is taken' }]);
  }
}

/** The settings of a site, all of which the audit log records. */
const SETTINGS = [
  'title',
  'visibility',
  'basename',
  'adaptiveContent',
  'agentsContext',
  'unansweredQuestions',
  'proxy',
  'hostname',
] as const;

function settingsOf(site: SiteForCaller, changes: UpdateSite): Pick<SiteForCaller, (typeof SETTINGS)[number]> {
  return {
    title: changes.title ?? site.title,
    visibility: changes.visibility ?? site.visibility,
    basename: changes.basename ?? site.basename,
    adaptiveContent: changes.adaptiveContent?.enabled ?? site.adaptiveContent,
    agentsContext: changes.agentsContext ?? site.agentsContext,
    unansweredQuestions: changes.unansweredQuestions ?? site.unansweredQuestions,
    proxy: changes.proxy === undefined ? site.proxy : changes.proxy,
    hostname: changes.hostname === undefined ? site.hostname : changes.hostname,
  };
}
