import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { SiteSpaceRow } from '../../sites/structure.schema.js';
import { textAnswer, type Answer } from './answers.js';
import { addressBelow, siteSpacePath } from './domain/site-paths.js';
import { shortTitle, type TreePage } from './domain/tree.js';
import { PageContents } from './page-contents.js';
import { cachingOf } from './page-renderings.js';
import { isListed, pagePath, type SitePlace, type SiteRequest } from './site-place.js';
import { SpaceTrees } from './space-trees.js';

/** Addresses in one map of a site; more are divided among several. */
const ADDRESSES_IN_MAP = 5_000;
/** Pages that `llms.txt` names. */
const LINKS = 20_000;
/** Characters of `llms-full.txt`. */
const FULL_TEXT = 32 * 1024 ** 2;
const PAGES_AT_ONCE = 25;
const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';

/** What programs read to find the pages of a site. */
@Injectable()
export class Discovery {
  constructor(
    private readonly trees: SpaceTrees,
    private readonly contents: PageContents,
  ) {}

  robots(site: SiteRequest): Answer {
    const map = `${site.origin}${addressBelow(site.base, 'sitemap.xml')}`;
    return textAnswer(isListed(site.visit) ? `User-agent: *\nAllow: /\nSitemap: ${map}\n` : 'User-agent: *\nDisallow: /\n', 'text/plain', cachingOf(site));
  }

  /** The map of a site, or where it is large a list of maps; undefined for a site that search engines may not list. */
  async sitemap(site: SiteRequest): Promise<Answer | undefined> {
    if (!isListed(site.visit)) return undefined;
    const entries = await this.indexed(site);
    const xml = entries.length <= ADDRESSES_IN_MAP ? mapOf(entries) : this.listOfMaps(site, entries.length);
    return textAnswer(xml, 'application/xml', cachingOf(site));
  }

  /** One of several maps, counted from 1. */
  async sitemapPart(site: SiteRequest, number: number): Promise<Answer | undefined> {
    if (!isListed(site.visit)) return undefined;
    const part = (await this.indexed(site)).slice((number - 1) * ADDRESSES_IN_MAP, number * ADDRESSES_IN_MAP);
    return part.length === 0 ? undefined : textAnswer(mapOf(part), 'application/xml', cachingOf(site));
  }

  /** The pages of a site with their descriptions, as links to their Markdown (llmstxt.org). */
  async llms(site: SiteRequest): Promise<Answer> {
    const parts = [`# ${line(site.visit.site.title)}\n`];
    let left = LINKS;
    for (const row of site.visit.rows.siteSpaces) {
      const pages = (await this.documents(site, row)).slice(0, left);
      left -= pages.length;
      if (pages.length === 0) continue;
      const base = `${site.origin}${site.base}${siteSpacePath(site.visit.rows, row)}`;
      parts.push(`\n## ${line(headingOf(site, row))}\n\n`);
      for (const page of pages) {
        const description = page.item.props['description'];
        parts.push(`- [${line(shortTitle(page)).replace(/[[\]]/g, '\\$&')}](${addressBelow(base, page.path)}.md)${typeof description === 'string' && description !== '' ? `: ${line(description)}` : ''}\n`);
      }
    }
    return textAnswer(parts.join(''), 'text/plain', cachingOf(site));
  }

  /** All pages of a site as Markdown, one behind the other; written while it is read. */
  llmsFull(site: SiteRequest): Answer {
    return { status: 200, headers: { 'Content-Type': 'text/plain; charset=utf-8', ...cachingOf(site) }, body: Readable.from(this.fullText(site), { objectMode: false }) };
  }

  private async *fullText(site: SiteRequest): AsyncGenerator<string> {
    let left = FULL_TEXT;
    for (const row of site.visit.rows.siteSpaces) {
      const place: SitePlace = { ...site, row, section: undefined };
      const pages = await this.documents(site, row);
      for (let start = 0; start < pages.length; start += PAGES_AT_ONCE) {
        for (const text of await this.contents.markdown(place, pages.slice(start, start + PAGES_AT_ONCE))) {
          left -= text.length;
          if (left < 0) {
            yield '\n(There is more than this file holds: llms.txt names every page.)\n';
            return;
          }
          yield `${text}\n\n`;
        }
      }
    }
  }

  private async documents(site: SiteRequest, row: SiteSpaceRow): Promise<TreePage[]> {
    const { tree } = await this.trees.of(site.visit, row);
    return tree.documents.filter(({ item }) => item.props['noIndex'] !== true && item.slug !== null);
  }

  private async indexed(site: SiteRequest): Promise<{ address: string; changed: Date }[]> {
    const found: { address: string; changed: Date }[] = [];
    for (const row of site.visit.rows.siteSpaces) {
      const { tree } = await this.trees.of(site.visit, row);
      for (const page of await this.documents(site, row)) {
        if (page.isHidden || page.item.props['noRobotsIndex'] === true) continue;
        found.push({ address: `${site.origin}${pagePath(site, row, tree, page)}`, changed: page.item.updatedAt });
      }
    }
    return found;
  }

  private listOfMaps({ origin, base }: SiteRequest, count: number): string {
    const maps = Array.from({ length: Math.ceil(count / ADDRESSES_IN_MAP) }, (_, index) => `<sitemap><loc>${escaped(`${origin}${addressBelow(base, `sitemap-${index + 1}.xml`)}`)}</loc></sitemap>`);
    return `<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex xmlns="${NAMESPACE}">${maps.join('')}</sitemapindex>\n`;
  }
}

function mapOf(entries: readonly { readonly address: string; readonly changed: Date }[]): string {
  const urls = entries.map(({ address, changed }) => `<url><loc>${escaped(address)}</loc><lastmod>${changed.toISOString()}</lastmod></url>`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="${NAMESPACE}">\n${urls.join('\n')}\n</urlset>\n`;
}

function headingOf({ visit: { rows } }: SiteRequest, row: SiteSpaceRow): string {
  const section = rows.sections.find(({ id }) => id === row.sectionId);
  const isAlone = rows.siteSpaces.filter(({ sectionId }) => sectionId === row.sectionId).length === 1;
  return section ? (isAlone ? section.title : `${section.title}: ${row.title}`) : row.title;
}

function line(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
