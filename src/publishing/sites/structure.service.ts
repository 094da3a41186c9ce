import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/common/database.js';
import { notFound } from '../../kernel/common/errors.js';
import { Pages, type Page, type PageRequest } from '../../kernel/common/page.js';
import { liveStructure } from './domain/structure.js';
import type { ExternalLinkRow } from './external-links.schema.js';
import type { SectionGroupRow, SiteSectionRow, SiteSpaceRow, StructureRows } from './structure.schema.js';
import { Registry } from '../../kernel/platform/manifest/registry.js';
import { PUBLISHED_JOIN, spaceColumns } from '../../workspace/spaces/space-columns.js';

/** Tells whether a site space is the default, served or in a section that is a draft. */
const IS_DEFAULT =
  'coalesce(way.is_default, ss.id = section.default_site_space_id AND NOT ss.draft AND s.deleted_at IS NULL, false)';

/** Columns of a site space and its space, whose columns are given, for the user `$1`. */
const siteSpaceColumns = (
  ofSpace: string,
): string => `ss.id AS "siteSpaceId", ss.path AS "siteSpacePath", ss.version AS "siteSpaceVersion", ss.section_id AS "sectionId",
  ss.draft, ss.condition, ss.customization AS overrides, ${IS_DEFAULT} AS "isDefault",
  CASE WHEN way.published THEN way.path END AS route,
  hidden_pages($1, s.id) AS "hiddenPages", ${ofSpace}`;

/**
 * The site spaces of site `$2` whose space the user `$1` may see; those in the trash only with the permission to
 * restore them.
 */
const SITE_SPACES = `FROM space_access($1, ARRAY(SELECT space_id FROM site_space WHERE site_id = $2)) a
  JOIN space s ON s.id = a.space_id
  JOIN site_space ss ON ss.space_id = s.id AND ss.site_id = $2
  LEFT JOIN site_section section ON section.id = ss.section_id
  LEFT JOIN site_route way ON way.site_space_id = ss.id
  ${PUBLISHED_JOIN}
  WHERE a.role > 'none' AND (s.deleted_at IS NULL OR a.role >= 'create')`;
const SITE_SPACE_ORDER = [
  { expression: `coalesce(section.position, '')`, type: 'text' },
  { expression: `coalesce(section.id, '')`, type: 'text' },
  { expression: 'ss.position', type: 'text' },
  { expression: 'ss.id', type: 'text' },
] as const;
const IN_ORDER = `ORDER BY ${SITE_SPACE_ORDER.map(({ expression }) => expression).join(', ')}`;

const SECTION_COLUMNS = `section.id, section.title, section.description, section.icon, section.draft, section.path, section.condition, section.group_id AS "groupId",
  section.position, section.version, section.id = coalesce(front.section_id, site.default_section_id) AS "isDefault",
  CASE WHEN site.published AND EXISTS (SELECT FROM site_route way WHERE way.section_id = section.id)
       THEN site_root(site.basename, site.hostname, site.proxy) || CASE WHEN section.id = front.section_id THEN '' ELSE '/' || section.path END END AS route`;
const SECTIONS = `FROM site_section section JOIN site ON site.id = section.site_id JOIN site_front front ON front.site_id = site.id
  WHERE section.site_id = $1`;
const GROUP_COLUMNS = 'g.id, g.title, g.icon, g.draft, g.parent_id AS "parentId", g.position, g.version';
const LINKS = `SELECT l.id, l.title, l.description, l.icon, l.url, l.draft, l.condition, l.group_id AS "groupId", l.position, l.version
  FROM site_external_link l WHERE l.site_id = $1`;
const GROUPS = 'FROM site_section_group g WHERE g.site_id = $1';

/** Reads the structure of sites; every list comes from one query, including spaces. */
@Injectable()
export class SiteStructures {
  private readonly columns: string;

  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
    registry: Registry,
  ) {
    this.columns = siteSpaceColumns(spaceColumns(registry));
  }

  /** The whole structure as the user may see it. */
  async rows(userId: string, siteId: string): Promise<StructureRows> {
    // One after another: a POST with an idempotency key reads its response in its transaction, which has one
    // connection.
    return {
      groups: await this.groups(siteId),
      sections: await this.sections(siteId),
      links: await this.externalLinks(siteId),
      siteSpaces: await this.siteSpaces(userId, siteId),
    };
  }

  /** The structure as the user may see it, without drafts: what the site consists of for its readers. */
  async live(userId: string, siteId: string): Promise<StructureRows> {
    return liveStructure(await this.rows(userId, siteId));
  }

  listSections(siteId: string, request: PageRequest): Promise<Page<SiteSectionRow>> {
    return this.pages.list<SiteSectionRow>(request, {
      scope: ['site-sections', siteId],
      select: SECTION_COLUMNS,
      from: SECTIONS,
      values: [siteId],
      order: [
        { expression: 'section.position', type: 'text' },
        { expression: 'section.id', type: 'text' },
      ],
      direction: 'asc',
    });
  }

  listSiteSpaces(
    userId: string,
    siteId: string,
    request: PageRequest & { readonly default?: boolean },
  ): Promise<Page<SiteSpaceRow>> {
    return this.pages.list<SiteSpaceRow>(request, {
      scope: ['site-spaces', userId, siteId, request.default ?? null],
      select: this.columns,
      from: `${SITE_SPACES} AND ($3::boolean IS NULL OR ${IS_DEFAULT} = $3)`,
      values: [userId, siteId, request.default ?? null],
      order: SITE_SPACE_ORDER,
      direction: 'asc',
    });
  }

  listGroups(siteId: string, request: PageRequest): Promise<Page<SectionGroupRow>> {
    return this.pages.list<SectionGroupRow>(request, {
      scope: ['site-section-groups', siteId],
      select: GROUP_COLUMNS,
      from: GROUPS,
      values: [siteId],
      order: [
        { expression: 'g.position', type: 'text' },
        { expression: 'g.id', type: 'text' },
      ],
      direction: 'asc',
    });
  }

  /** The site spaces of the given sections only, or of the whole site. */
  siteSpaces(userId: string, siteId: string, sections?: readonly string[]): Promise<SiteSpaceRow[]> {
    return this.database.query<SiteSpaceRow>(
      `SELECT ${this.columns} ${SITE_SPACES} AND ($3::text[] IS NULL OR ss.section_id = ANY ($3)) ${IN_ORDER}`,
      [userId, siteId, sections ?? null],
    );
  }

  /** The site space, if it exists and the user may see its space. */
  findSiteSpace(userId: string, siteId: string, id: string): Promise<SiteSpaceRow | undefined> {
    return this.database.one<SiteSpaceRow>(`SELECT ${this.columns} ${SITE_SPACES} AND ss.id = $3`, [
      userId,
      siteId,
      id,
    ]);
  }

  /** Throws `notFound` for one that is absent or has a space that the user may not see. */
  async siteSpace(userId: string, siteId: string, id: string): Promise<SiteSpaceRow> {
    const row = await this.findSiteSpace(userId, siteId, id);
    if (!row) throw notFound('Site space');
    return row;
  }

  async section(siteId: string, id: string): Promise<SiteSectionRow> {
    const row = await this.database.one<SiteSectionRow>(`SELECT ${SECTION_COLUMNS} ${SECTIONS} AND section.id = $2`, [
      siteId,
      id,
    ]);
    if (!row) throw notFound('Site section');
    return row;
  }

  async group(siteId: string, id: string): Promise<SectionGroupRow> {
    const row = await this.database.one<SectionGroupRow>(`SELECT ${GROUP_COLUMNS} ${GROUPS} AND g.id = $2`, [
      siteId,
      id,
    ]);
    if (!row) throw notFound('Site section group');
    return row;
  }

  async externalLink(siteId: string, id: string): Promise<ExternalLinkRow> {
    const row = await this.database.one<ExternalLinkRow>(`${LINKS} AND l.id = $2`, [siteId, id]);
    if (!row) throw notFound('Site external link');
    return row;
  }

  externalLinks(siteId: string): Promise<ExternalLinkRow[]> {
    return this.database.query<ExternalLinkRow>(`${LINKS} ORDER BY l.position, l.id`, [siteId]);
  }

  /** The keys that parts of a site have in the file that they were imported from, by id. */
  async fileKeys(siteId: string): Promise<ReadonlyMap<string, string>> {
    const rows = await this.database.query<{ id: string; key: string }>(
      `SELECT id, file_key AS key FROM site_section_group WHERE site_id = $1 AND file_key IS NOT NULL
        UNION ALL SELECT id, file_key FROM site_section WHERE site_id = $1 AND file_key IS NOT NULL
        UNION ALL SELECT id, file_key FROM site_external_link WHERE site_id = $1 AND file_key IS NOT NULL
        UNION ALL SELECT id, file_key FROM site_space WHERE site_id = $1 AND file_key IS NOT NULL`,
      [siteId],
    );
    return new Map(rows.map(({ id, key }) => [id, key]));
  }

  sections(siteId: string): Promise<SiteSectionRow[]> {
    return this.database.query<SiteSectionRow>(
      `SELECT ${SECTION_COLUMNS} ${SECTIONS} ORDER BY section.position, section.id`,
      [siteId],
    );
  }

  groups(siteId: string): Promise<SectionGroupRow[]> {
    return this.database.query<SectionGroupRow>(`SELECT ${GROUP_COLUMNS} ${GROUPS} ORDER BY g.position, g.id`, [
      siteId,
    ]);
  }
}
