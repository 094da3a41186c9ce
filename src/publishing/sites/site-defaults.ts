import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/common/database.js';
import { DomainError, invalid } from '../../kernel/common/errors.js';
import { SitePaths } from './site-paths.js';
import type { SiteForCaller, UpdateSite } from './sites.schema.js';
import type { SiteSectionRow, SiteSpaceRow } from './structure.schema.js';

/** Maintains the defaults at the root of a site and of its sections; runs under the site's lock. */
@Injectable()
export class SiteDefaults {
  constructor(
    private readonly database: Database,
    private readonly paths: SitePaths,
  ) {}

  /** Applies the defaults in a change of a site, the section first; true if any differs from before. */
  async choose(
    site: SiteForCaller,
    { defaultSiteSection, defaultSiteSpace }: Pick<UpdateSite, 'defaultSiteSection' | 'defaultSiteSpace'>,
  ): Promise<boolean> {
    const sectionId = defaultSiteSection ?? site.defaultSectionId;
    if (defaultSiteSection !== undefined) {
      const known = await this.database.one<{ draft: boolean }>(
        'SELECT draft OR (group_id IS NOT NULL AND is_in_draft_group(site_id, group_id)) AS draft FROM site_section WHERE site_id = $1 AND id = $2',
        [site.id, defaultSiteSection],
      );
      if (!known) throw invalid('defaultSiteSection', 'is not a section of this site');
      if (known.draft) throw invalid('defaultSiteSection', 'is a draft');
    }
    const sectionChanged = sectionId !== site.defaultSectionId;
    if (sectionChanged) await this.setSection(site.id, sectionId);
    const spaceChanged =
      defaultSiteSpace !== undefined && (await this.chooseSiteSpace(site.id, sectionId, defaultSiteSpace));
    return sectionChanged || spaceChanged;
  }

  /**
   * Makes a site space the default of its section (null: of the root); throws `invalid` if it does not exist or is in
   * the trash.
   */
  async chooseSiteSpace(siteId: string, sectionId: string | null, siteSpaceId: string): Promise<boolean> {
    const known = await this.database.one<{ draft: boolean }>(
      `SELECT ss.draft FROM site_space ss JOIN space s ON s.id = ss.space_id AND s.deleted_at IS NULL
        WHERE ss.site_id = $1 AND ss.id = $2 AND ss.section_id IS NOT DISTINCT FROM $3`,
      [siteId, siteSpaceId, sectionId],
    );
    if (!known)
      throw invalid(
        'defaultSiteSpace',
        sectionId === null ? 'is not a site space at the root of this site' : 'is not a site space of that section',
      );
    if (known.draft) throw invalid('defaultSiteSpace', 'is a draft');
    return this.setSiteSpace(siteId, sectionId, siteSpaceId);
  }

  /** Throws `conflict` if a section that is to be a draft is the default of its site. */
  requireOtherSection(site: SiteForCaller, { id, isDefault }: Pick<SiteSectionRow, 'id' | 'isDefault'>): void {
    if (isDefault || id === site.defaultSectionId) throw noDraft('the default section of a site');
  }

  /** Throws `conflict` if a site space that is to be a draft is the default of its section, or of the root. */
  async requireOtherSiteSpace(siteId: string, { siteSpaceId, isDefault }: SiteSpaceRow): Promise<void> {
    const chosen = await this.database.one(
      `SELECT FROM site_space ss JOIN site ON site.id = ss.site_id LEFT JOIN site_section section ON section.id = ss.section_id
        WHERE ss.site_id = $1 AND ss.id = $2
          AND ss.id = CASE WHEN ss.section_id IS NULL THEN site.default_site_space_id ELSE section.default_site_space_id END`,
      [siteId, siteSpaceId],
    );
    if (isDefault || chosen) throw noDraft('the default site space of a section, or of a site,');
  }

  /** Throws `conflict` if the default section is now in a group that is a draft; `path` is the field that did it. */
  async requireLiveSection(siteId: string, path: string): Promise<void> {
    const hidden = await this.database.one(
      `SELECT FROM site JOIN site_section section ON section.site_id = site.id AND section.id = site.default_section_id
        WHERE site.id = $1 AND section.group_id IS NOT NULL AND is_in_draft_group(site.id, section.group_id)`,
      [siteId],
    );
    if (hidden) throw noDraft('the section group of the default section', path);
  }

  /**
   * Writes the default section (null: there is none), and keeps its site spaces' paths distinct from the other
   * sections'.
   */
  async setSection(siteId: string, sectionId: string | null): Promise<void> {
    await this.database.execute('UPDATE site SET default_section_id = $2 WHERE id = $1', [siteId, sectionId]);
    await this.paths.settleFront(siteId);
  }

  /** Replaces a site space that was the default of a section, or of the root; null leaves none. */
  async replaceSiteSpace(siteId: string, sectionId: string | null, gone: string, next: string | null): Promise<void> {
    await (sectionId === null
      ? this.database.execute(
          'UPDATE site SET default_site_space_id = $3 WHERE id = $1 AND default_site_space_id = $2',
          [siteId, gone, next],
        )
      : this.database.execute(
          'UPDATE site_section SET default_site_space_id = $4, version = version + 1 WHERE site_id = $1 AND id = $2 AND default_site_space_id = $3',
          [siteId, sectionId, gone, next],
        ));
  }

  /** Writes the default site space of a section, or of the root; true if it differs from before. */
  async setSiteSpace(siteId: string, sectionId: string | null, siteSpaceId: string | null): Promise<boolean> {
    const changed =
      sectionId === null
        ? await this.database.execute(
            'UPDATE site SET default_site_space_id = $2 WHERE id = $1 AND default_site_space_id IS DISTINCT FROM $2',
            [siteId, siteSpaceId],
          )
        : await this.database.execute(
            `UPDATE site_section SET default_site_space_id = $3, version = version + 1
              WHERE site_id = $1 AND id = $2 AND default_site_space_id IS DISTINCT FROM $3`,
            [siteId, sectionId, siteSpaceId],
          );
    return changed > 0;
  }
}

/** The default is what readers get at the root, so it has to be live. */
export function noDraft(what: string, path = 'draft'): DomainError {
  const message = `${what} cannot be a draft`;
  return new DomainError('conflict', `${path}: ${message}`, [{ path, message }]);
}
