import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import type { SitePlan } from './domain/site-plan.js';
import { SiteDefaults } from './site-defaults.js';
import type { SiteForCaller } from './sites.schema.js';
import { structureEvents } from './structure-events.js';
import {
  structureChanges,
  goneParts,
  type PartChange,
  type Gone,
  type SiteParts,
  type SiteSpaceFacts,
} from './structure-changes.js';
import { SiteStructures } from './structure.service.js';

const SITE_SPACES = `SELECT ss.id, ss.section_id AS "sectionId", ss.space_id AS "shownId", CASE WHEN s.deleted_at IS NULL THEN ss.space_id END AS "spaceId", s.title, ss.path,
    ss.condition, ss.draft, ss.position FROM site_space ss JOIN space s ON s.id = ss.space_id WHERE ss.site_id = $1 ORDER BY ss.position, ss.id`;

const WRITE_GROUPS = `INSERT INTO site_section_group AS t (id, site_id, parent_id, title, icon, draft, position, file_key, created_at)
  SELECT r.id, $1, r."parentId", r.title, r.icon, r.draft, r.position, r.key, $3
    FROM jsonb_to_recordset($2::jsonb) AS r (id text, "parentId" text, title text, icon text, draft boolean, position text, key text)
  ON CONFLICT (id) DO UPDATE SET parent_id = excluded.parent_id, title = excluded.title, icon = excluded.icon, draft = excluded.draft,
    position = excluded.position, file_key = excluded.file_key, version = t.version + 1`;
const WRITE_SECTIONS = `INSERT INTO site_section AS t (id, site_id, group_id, title, description, icon, path, condition, position, file_key, created_at)
  SELECT r.id, $1, r."groupId", r.title, r.description, r.icon, r.path, r.condition, r.position, r.key, $3
    FROM jsonb_to_recordset($2::jsonb) AS r (id text, "groupId" text, title text, description text, icon text, path text, condition text, position text, key text)
  ON CONFLICT (id) DO UPDATE SET group_id = excluded.group_id, title = excluded.title, description = excluded.description, icon = excluded.icon,
    path = excluded.path, condition = excluded.condition, position = excluded.position, file_key = excluded.file_key, version = t.version + 1`;
const WRITE_LINKS = `INSERT INTO site_external_link AS t (id, site_id, group_id, title, description, icon, url, condition, draft, position, file_key, created_at)
  SELECT r.id, $1, r."groupId", r.title, r.description, r.icon, r.url, r.condition, r.draft, r.position, r.key, $3
    FROM jsonb_to_recordset($2::jsonb) AS r (id text, "groupId" text, title text, description text, icon text, url text, condition text, draft boolean, position text, key text)
  ON CONFLICT (id) DO UPDATE SET group_id = excluded.group_id, title = excluded.title, description = excluded.description, icon = excluded.icon,
    url = excluded.url, condition = excluded.condition, draft = excluded.draft, position = excluded.position, file_key = excluded.file_key, version = t.version + 1`;
const WRITE_SITE_SPACES = `INSERT INTO site_space AS t (id, organization_id, site_id, section_id, space_id, path, condition, draft, position, file_key, created_at)
  SELECT r.id, $4, $1, r."sectionId", r."spaceId", r.path, r.condition, r.draft, r.position, r.key, $3
    FROM jsonb_to_recordset($2::jsonb) AS r (id text, "sectionId" text, "spaceId" text, path text, condition text, draft boolean, position text, key text)
  ON CONFLICT (id) DO UPDATE SET section_id = excluded.section_id, space_id = excluded.space_id, path = excluded.path, condition = excluded.condition,
    draft = excluded.draft, position = excluded.position, file_key = excluded.file_key, version = t.version + 1`;
/** A path that no other part can have meanwhile: paths may be exchanged. */
const FREE_SECTION_PATHS = `UPDATE site_section SET path = '~' || id WHERE site_id = $1 AND id = ANY ($2::text[])`;
const FREE_SITE_SPACE_PATHS = `UPDATE site_space SET path = '~' || id WHERE site_id = $1 AND id = ANY ($2::text[])`;
const CHOOSE_SITE_SPACES = `UPDATE site_section t SET default_site_space_id = r.chosen, version = t.version + 1
    FROM unnest($2::text[], $3::text[]) AS r (id, chosen)
   WHERE t.site_id = $1 AND t.id = r.id AND t.default_site_space_id IS DISTINCT FROM r.chosen RETURNING t.id`;
const REMOVE_SITE_SPACES = 'DELETE FROM site_space WHERE site_id = $1 AND id = ANY ($2::text[])';
const REMOVE_SECTIONS = 'DELETE FROM site_section WHERE site_id = $1 AND id = ANY ($2::text[])';
const REMOVE_LINKS = 'DELETE FROM site_external_link WHERE site_id = $1 AND id = ANY ($2::text[])';
const REMOVE_GROUPS = 'DELETE FROM site_section_group WHERE site_id = $1 AND id = ANY ($2::text[])';

/** Makes the structure of a site equal to a plan, under the lock of the site. */
@Injectable()
export class SiteStructureWriter {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly structures: SiteStructures,
    private readonly defaults: SiteDefaults,
  ) {}

  async parts(siteId: string): Promise<SiteParts> {
    return {
      groups: await this.structures.groups(siteId),
      sections: await this.structures.sections(siteId),
      links: await this.structures.externalLinks(siteId),
      siteSpaces: await this.database.query<SiteSpaceFacts & Record<string, unknown>>(SITE_SPACES, [siteId]),
      keys: await this.structures.fileKeys(siteId),
    };
  }

  /** Writes what differs, and removes the parts that the plan lacks. */
  async write(site: SiteForCaller, plan: SitePlan, before: SiteParts): Promise<void> {
    const changes = structureChanges(plan, before);
    const { groups, sections, links, siteSpaces } = changes;
    const gone = goneParts(plan, before);
    await this.freePaths(site.id, [...sections, ...siteSpaces], gone);
    const now = this.clock.now();
    const values = (rows: readonly PartChange[]) => [site.id, JSON.stringify(rows.map(({ row }) => row)), now];
    if (groups.length > 0) await this.database.execute(WRITE_GROUPS, values(groups));
    if (sections.length > 0) await this.database.execute(WRITE_SECTIONS, values(sections));
    if (links.length > 0) await this.database.execute(WRITE_LINKS, values(links));
    if (siteSpaces.length > 0)
      await this.database.execute(WRITE_SITE_SPACES, [...values(siteSpaces), site.organizationId]);
    const chosen = await this.chooseDefaults(site, plan);
    await this.remove(site.id, gone);
    for (const event of structureEvents(site, { ...changes, chosen, gone })) await this.outbox.record(event);
  }

  private async freePaths(siteId: string, written: readonly PartChange[], gone: Gone): Promise<void> {
    const leaving = written.flatMap(({ row: { id }, before, fields }) =>
      before && ['path', 'sectionId'].some((name) => fields.includes(name)) ? [id] : [],
    );
    const idsOf = (rows: readonly { readonly id: string }[]) => [...leaving, ...rows.map(({ id }) => id)];
    await this.database.execute(FREE_SECTION_PATHS, [siteId, idsOf(gone.sections)]);
    await this.database.execute(FREE_SITE_SPACE_PATHS, [siteId, idsOf(gone.siteSpaces)]);
  }

  /** The sections that have another default than before. */
  private async chooseDefaults(site: SiteForCaller, plan: SitePlan): Promise<ReadonlySet<string>> {
    if (plan.defaultSectionId !== site.defaultSectionId) await this.defaults.setSection(site.id, plan.defaultSectionId);
    await this.defaults.setSiteSpace(site.id, null, plan.defaultSiteSpaceId);
    const rows = await this.database.query<{ id: string }>(CHOOSE_SITE_SPACES, [
      site.id,
      plan.sections.map(({ id }) => id),
      plan.sections.map(({ defaultSiteSpaceId }) => defaultSiteSpaceId),
    ]);
    return new Set(rows.map(({ id }) => id));
  }

  private async remove(siteId: string, gone: Gone): Promise<void> {
    const values = (rows: readonly { readonly id: string }[]) => [siteId, rows.map(({ id }) => id)];
    if (gone.siteSpaces.length > 0) await this.database.execute(REMOVE_SITE_SPACES, values(gone.siteSpaces));
    if (gone.sections.length > 0) await this.database.execute(REMOVE_SECTIONS, values(gone.sections));
    if (gone.links.length > 0) await this.database.execute(REMOVE_LINKS, values(gone.links));
    if (gone.groups.length > 0) await this.database.execute(REMOVE_GROUPS, values(gone.groups));
  }
}
