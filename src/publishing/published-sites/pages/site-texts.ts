import { Injectable } from '@nestjs/common';
import { Cache } from '../../../kernel/common/cache.js';
import type { SiteSpaceRow } from '../../sites/structure.schema.js';
import type { TreePage } from './domain/space-tree.js';
import { pagePath, type SiteRequest } from './site-place.js';
import { SpaceTrees } from './space-trees.js';
import { TextBody } from './text-body.js';

/** Texts about all pages of a site, written once while they stay the same. */
@Injectable()
export class SiteTexts {
  private readonly kept = new Cache<TextBody>({ share: 8, weigh: ({ size }) => size });
  private readonly making = new Map<string, Promise<TextBody>>();

  constructor(private readonly trees: SpaceTrees) {}

  /** Returns a cached text as long as it is current; concurrent requests share the work. */
  async once(site: SiteRequest, name: string, write: () => Promise<string>): Promise<TextBody> {
    const key = await this.keyOf(site, name);
    let body = this.kept.get(key);
    if (!body) {
      const making =
        this.making.get(key) ??
        write()
          .then((text) => new TextBody(text))
          .finally(() => this.making.delete(key));
      this.making.set(key, making);
      body = await making;
      this.kept.set(key, body);
    }
    return body;
  }

  /**
   * A key of all inputs of a text: the site, the part that the visitor sees, and the pages of those spaces. Claims are
   * included if conditions of pages use them.
   */
  private async keyOf(site: SiteRequest, name: string): Promise<string> {
    const { visit, base, origin, isStatic } = site;
    const spaces: unknown[] = [];
    for (const row of visit.rows.siteSpaces) {
      const { used, isConditional } = await this.trees.of(visit, row);
      spaces.push([row.siteSpaceId, row.revisionId, [...used], isConditional ? visit.claimsKey : '']);
    }
    return JSON.stringify([
      visit.site.id,
      visit.stamp,
      base,
      origin,
      isStatic,
      name,
      visit.rows.sections.map(({ id }) => id),
      spaces,
    ]);
  }

  /** Pages without the given flag: `noIndex` is for assistants, `noRobotsIndex` for search engines. */
  async documents(site: SiteRequest, row: SiteSpaceRow, excluding: 'noIndex' | 'noRobotsIndex'): Promise<TreePage[]> {
    const { tree } = await this.trees.of(site.visit, row);
    return tree.documents.filter(({ item }) => item.props[excluding] !== true && item.slug !== null);
  }

  /** The pages of a site that search engines may list, with their addresses. */
  async listed(site: SiteRequest): Promise<{ readonly page: TreePage; readonly url: string }[]> {
    const found: { page: TreePage; url: string }[] = [];
    for (const row of site.visit.rows.siteSpaces) {
      const { tree } = await this.trees.of(site.visit, row);
      for (const page of await this.documents(site, row, 'noRobotsIndex'))
        if (!page.isHidden) found.push({ page, url: `${site.origin}${pagePath(site, row, tree, page)}` });
    }
    return found;
  }
}
