import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { requireMatch, type Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { invalid } from '../../kernel/common/errors.js';
import { newId } from '../../kernel/common/ids.js';
import { freeSlug, slugOf } from '../../authoring/content/domain/slug.js';
import { changesOf, fieldsGiven, isUnchanged } from '../../kernel/platform/audit-changes.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { successor } from './domain/structure.js';
import { Positions, type Placed } from './positions.js';
import { noDraft, SiteDefaults } from './site-defaults.js';
import type { SiteAddress } from './site-address.js';
import { SiteLock, type PlacedSpace } from './site-lock.js';
import { SitePaths } from './site-paths.js';
import { SiteSpace } from './site-space.entity.js';
import type { SiteForCaller } from './sites.schema.js';
import { SiteStructures } from './structure.service.js';
import type { MoveSiteSpace } from './structure-moves.schema.js';
import type { AddSiteSpace, SiteSpaceRow, UpdateSiteSpace } from './structure.schema.js';

/** The spaces of sites. */
@Injectable()
export class SiteSpaces {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly lock: SiteLock,
    private readonly paths: SitePaths,
    private readonly defaults: SiteDefaults,
    private readonly positions: Positions,
    private readonly structures: SiteStructures,
  ) {}

  /** Adds a space at the end of a section; the first one there becomes its default. */
  async add(caller: Caller, address: SiteAddress, { spaceId, sectionId, draft }: AddSiteSpace): Promise<SiteSpaceRow> {
    const id = await this.lock.restructure(caller, address, async (site) => {
      if (sectionId !== undefined) await this.requireSection(site, sectionId);
      const spaces = await this.lock.placeable(caller, site.organizationId, [{ id: spaceId, path: 'spaceId' }]);
      const [added = ''] = await this.insert(site, sectionId ?? site.defaultSectionId, spaces, draft);
      return added;
    });
    return this.structures.siteSpace(caller.userId, address.id, id);
  }

  /** Adds spaces that the caller may add, inside the change of a site, and returns their ids. */
  async insert(
    site: SiteForCaller,
    sectionId: string | null,
    spaces: readonly PlacedSpace[],
    draft = false,
  ): Promise<string[]> {
    const siblings = await this.positions.siteSpaces(site.id, sectionId);
    if (draft && siblings.length === 0) throw noDraft('the default site space of a section, or of a site,');
    const taken = await this.paths.takenBesideSiteSpace(site, sectionId);
    const rows = this.positions.append(siblings, spaces.length).map((position, index) => {
      const { id: space = '', title = '' } = spaces[index] ?? {};
      const path = freeSlug(slugOf(title), taken);
      taken.add(path);
      return { id: newId(), space, path, position };
    });
    await this.database.execute(
      `INSERT INTO site_space (id, organization_id, site_id, section_id, space_id, path, position, draft, created_at)
       SELECT row.id, $1, $2, $3, row.space_id, row.path, row.position, $9, $8
         FROM unnest($4::text[], $5::text[], $6::text[], $7::text[]) AS row (id, space_id, path, position)`,
      [
        site.organizationId,
        site.id,
        sectionId,
        rows.map(({ id }) => id),
        rows.map(({ space }) => space),
        rows.map(({ path }) => path),
        rows.map(({ position }) => position),
        this.clock.now(),
        draft,
      ],
    );
    if (siblings.length === 0) await this.defaults.setSiteSpace(site.id, sectionId, rows[0]?.id ?? null);
    for (const row of rows)
      await this.outbox.record({
        type: 'site_space_added',
        organizationId: site.organizationId,
        spaceId: row.space,
        target: row.id,
        payload: { siteId: site.id },
      });
    return rows.map(({ id }) => id);
  }

  async update(caller: Caller, address: SiteAddress, id: string, changes: UpdateSiteSpace): Promise<SiteSpaceRow> {
    await this.lock.restructure(caller, address, async (site) => {
      const row = await this.structures.siteSpace(caller.userId, site.id, id);
      requireMatch(row.siteSpaceVersion);
      const path = changes.path ?? row.siteSpacePath;
      if (path !== row.siteSpacePath)
        this.paths.require(path, await this.paths.takenBesideSiteSpace(site, row.sectionId, id));
      const spaceId = changes.spaceId ?? row.id;
      if (spaceId !== row.id)
        await this.lock.placeable(caller, site.organizationId, [{ id: spaceId, path: 'spaceId' }]);
      const condition = changes.condition === undefined ? row.condition : changes.condition;
      const draft = changes.draft ?? row.draft;
      if (draft && !row.draft) await this.defaults.requireOtherSiteSpace(site.id, row);
      const before = { path: row.siteSpacePath, spaceId: row.id, condition: row.condition, draft: row.draft };
      if (isUnchanged(before, { path, spaceId, condition, draft })) return;
      await this.database.of(SiteSpace).update({ siteId: site.id, id }, { path, spaceId, condition, draft });
      await this.outbox.record({
        type: 'site_space_updated',
        organizationId: site.organizationId,
        spaceId,
        target: id,
        payload: { siteId: site.id, fields: fieldsGiven(changes) },
        audit: {
          changes: changesOf(before, { path, spaceId, condition, draft }, ['path', 'spaceId', 'condition', 'draft']),
        },
      });
    });
    return this.structures.siteSpace(caller.userId, address.id, id);
  }

  /** Removes a space from the site; its content stays. The next in order replaces it as the default. */
  async remove(caller: Caller, address: SiteAddress, id: string): Promise<void> {
    await this.lock.restructure(caller, address, async (site) => {
      const row = await this.database.one<{ sectionId: string | null; spaceId: string; isDefault: boolean }>(
        `SELECT ss.section_id AS "sectionId", ss.space_id AS "spaceId",
                ss.id = coalesce(section.default_site_space_id, site.default_site_space_id) AS "isDefault"
           FROM site_space ss JOIN site ON site.id = ss.site_id LEFT JOIN site_section section ON section.id = ss.section_id
          WHERE ss.site_id = $1 AND ss.id = $2`,
        [site.id, id],
      );
      const visible = row && (await this.lock.visible(caller, site.organizationId, [row.spaceId]));
      if (!row || !visible?.[0]) return;
      const siblings = await this.positions.siteSpaces(site.id, row.sectionId);
      await this.database.of(SiteSpace).delete({ siteId: site.id, id });
      if (row.isDefault) await this.defaults.setSiteSpace(site.id, row.sectionId, successor(siblings, id)?.id ?? null);
      await this.outbox.record({
        type: 'site_space_removed',
        organizationId: site.organizationId,
        spaceId: row.spaceId,
        target: id,
        payload: { siteId: site.id },
      });
    });
  }

  /** Moves a site space among those of its section. */
  async move(caller: Caller, address: SiteAddress, id: string, { position }: MoveSiteSpace): Promise<SiteSpaceRow> {
    await this.lock.hold(caller, address, 'site:admin', async (site) => {
      const row = await this.structures.siteSpace(caller.userId, site.id, id);
      const others: readonly Placed[] = await this.positions.siteSpaces(site.id, row.sectionId, id);
      const key = await this.positions.place(
        site.id,
        others,
        movePositionOf(position?.before?.siteSpace, position?.after?.siteSpace),
      );
      await this.database.of(SiteSpace).update({ siteId: site.id, id }, { position: key });
      await this.outbox.record({
        type: 'site_space_moved',
        organizationId: site.organizationId,
        spaceId: row.id,
        target: id,
        payload: { siteId: site.id },
      });
    });
    return this.structures.siteSpace(caller.userId, address.id, id);
  }

  private async requireSection(site: SiteForCaller, sectionId: string): Promise<void> {
    const section = await this.database.one('SELECT id FROM site_section WHERE site_id = $1 AND id = $2', [
      site.id,
      sectionId,
    ]);
    if (!section) throw invalid('sectionId', 'is not a section of this site');
  }
}

/** The anchors in a body, without absent ones. */
export function movePositionOf(
  before: string | undefined,
  after: string | undefined,
): { before?: string; after?: string } {
  return { ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
}
