import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/common/database.js';
import { DomainError, invalid } from '../../kernel/common/errors.js';
import { pathFault } from '../../kernel/common/site-path.js';
import { freeSlug } from '../../authoring/content/domain/slug.js';
import type { SiteForCaller } from './sites.schema.js';

/** Paths in use, regardless of case. */
export class TakenPaths {
  private readonly paths: Set<string>;

  constructor(paths: Iterable<string>) {
    this.paths = new Set([...paths].map((path) => path.toLowerCase()));
  }

  has(path: string): boolean {
    return this.paths.has(path.toLowerCase());
  }

  add(path: string): void {
    this.paths.add(path.toLowerCase());
  }
}

/**
 * Keeps the paths below a site unique. The default section has no slug of its own, so the paths of its site spaces are
 * beside those of the other sections; all other paths are distinct already. All of it runs under the site's lock.
 */
@Injectable()
export class SitePaths {
  constructor(private readonly database: Database) {}

  /** The paths that a site space of a section (null: of the root) cannot have. */
  async takenBesideSiteSpace(site: SiteForCaller, sectionId: string | null, except?: string): Promise<TakenPaths> {
    const rows = await this.database.query<{ path: string }>(
      `SELECT path FROM site_space WHERE site_id = $1 AND section_id IS NOT DISTINCT FROM $2 AND id IS DISTINCT FROM $3
        UNION ALL SELECT path FROM site_section WHERE site_id = $1 AND id <> $2 AND $2 = $4`,
      [site.id, sectionId, except ?? null, site.defaultSectionId],
    );
    return new TakenPaths(rows.map(({ path }) => path));
  }

  /** The paths that a section cannot have. */
  async takenBesideSection(site: SiteForCaller, except?: string): Promise<TakenPaths> {
    const rows = await this.database.query<{ path: string }>(
      `SELECT path FROM site_section WHERE site_id = $1 AND id IS DISTINCT FROM $2
        UNION ALL SELECT path FROM site_space WHERE site_id = $1 AND section_id = $3 AND section_id IS DISTINCT FROM $2`,
      [site.id, except ?? null, site.defaultSectionId],
    );
    return new TakenPaths(rows.map(({ path }) => path));
  }

  /** Throws `invalid` for an invalid path, `conflict` for one that is taken. */
  require(path: string, taken: TakenPaths): void {
    const fault = pathFault(path);
    if (fault !== undefined) throw invalid('path', fault);
    if (taken.has(path)) throw new DomainError('conflict', 'path: is taken', [{ path: 'path', message: 'is taken' }]);
  }

  /**
   * After a change of the default section: gives its site spaces other paths if those of the other sections are equal.
   */
  async settleFront(siteId: string): Promise<void> {
    const rows = await this.database.query<{ id: string | null; path: string; collides: boolean }>(
      `SELECT ss.id, ss.path, EXISTS (SELECT FROM site_section other WHERE other.site_id = $1 AND other.id <> ss.section_id AND lower(other.path) = lower(ss.path)) AS collides
         FROM site_space ss JOIN site ON site.id = ss.site_id AND site.default_section_id = ss.section_id WHERE ss.site_id = $1
        UNION ALL SELECT NULL, section.path, false FROM site_section section WHERE section.site_id = $1`,
      [siteId],
    );
    const taken = new TakenPaths(rows.map(({ path }) => path));
    const renamed = rows.flatMap(({ id, path, collides }) => {
      if (!collides || id === null) return [];
      const free = freeSlug(path, taken);
      taken.add(free);
      return [{ id, path: free }];
    });
    if (renamed.length === 0) return;
    await this.database.execute(
      `UPDATE site_space SET path = row.path, version = version + 1 FROM unnest($2::text[], $3::text[]) AS row (id, path)
        WHERE site_space.site_id = $1 AND site_space.id = row.id`,
      [siteId, renamed.map(({ id }) => id), renamed.map(({ path }) => path)],
    );
  }
}
