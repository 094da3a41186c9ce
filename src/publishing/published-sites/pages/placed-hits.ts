import { Injectable } from '@nestjs/common';
import type { RankedHit } from '../../../authoring/search/ranked-hits.js';
import { pagePath, type SiteRequest } from './site-place.js';
import { SpaceTrees } from './space-trees.js';

/** Gives found pages their addresses on a site. */
@Injectable()
export class PlacedHits {
  constructor(private readonly trees: SpaceTrees) {}

  /** The hits on pages that the visitor sees, with their addresses below `origin`. */
  async of(site: SiteRequest, hits: readonly RankedHit[], origin = ''): Promise<RankedHit[]> {
    const found: RankedHit[] = [];
    for (const hit of hits) {
      const row = site.visit.rows.siteSpaces.find(({ id }) => id === hit.space);
      const { tree } = row ? await this.trees.of(site.visit, row) : {};
      const page = tree?.byId.get(hit.page.id);
      if (!row || !tree || !page) continue;
      const href = origin + pagePath(site, row, tree, page);
      const sections = hit.page.sections.map((section) => ({
        ...section,
        urls: { app: section.id === hit.page.id ? href : `${href}#${encodeURIComponent(section.id)}` },
      }));
      found.push({ ...hit, page: { ...hit.page, sections, urls: { app: href } } });
    }
    return found;
  }
}
