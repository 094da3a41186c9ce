import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { RateLimit } from '../../../kernel/platform/rate-limit/rate-limit.js';
import type { SiteSpaceRow } from '../../sites/structure.schema.js';
import { textResponse, type HttpResponse } from './http-response.js';
import { AI_CRAWLERS } from './domain/ai-crawlers.js';
import { addressBelow, siteSpacePath } from './domain/site-paths.js';
import { shortTitle, type TreePage } from './domain/space-tree.js';
import { PageContents } from './page-contents.js';
import { cachingOf } from './page-renderings.js';
import type { RequestedResource } from './requested-resource.js';
import { isListed, isOpenToAgents, pagePath, type SitePlace, type SiteRequest } from './site-place.js';
import { SpaceTrees } from './space-trees.js';
import { TextBody } from './text-body.js';
import { VisitorAccess } from '../visitor-access.service.js';

/** Maximum number of addresses in one sitemap; more are divided among several. */
const ADDRESSES_IN_MAP = 5_000;
/** Maximum number of pages in `llms.txt`. */
const LINKS = 20_000;
/** Maximum length of `llms-full.txt` in characters. */
const FULL_TEXT = 32 * 1024 ** 2;
const PAGES_AT_ONCE = 25;
const CACHE_BYTES = 32 * 1024 ** 2;
const SITEMAP_PART = /^sitemap-([1-9]\d{0,5})\.xml$/;
const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';

/** Files by which programs find the pages of a site. */
@Injectable()
export class Discovery {
  private readonly kept = new LRUCache<string, TextBody>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ size }, key) => size + 2 * key.length,
  });
  private readonly making = new Map<string, Promise<TextBody>>();

  constructor(
    private readonly trees: SpaceTrees,
    private readonly contents: PageContents,
    private readonly visits: VisitorAccess,
    private readonly limit: RateLimit,
  ) {}

  /** What programs ask for; undefined for the address of a page. */
  async answer(site: SiteRequest, { path, reader }: RequestedResource): Promise<HttpResponse | undefined> {
    const part = SITEMAP_PART.exec(path)?.[1];
    if (part !== undefined) return this.sitemapPart(site, Number(part));
    switch (path) {
      case 'robots.txt':
        return this.robots(site);
      case 'sitemap.xml':
        return this.sitemap(site);
      case 'llms.txt':
        return this.llms(site);
      case 'llms-full.txt':
        if (!isOpenToAgents(site.visit)) return undefined;
        await this.limit.admitReader(reader.ip, 'heavy');
        return this.llmsFull(site);
      default:
        return undefined;
    }
  }

  private robots(site: SiteRequest): HttpResponse {
    const map = `${site.origin}${addressBelow(site.base, 'sitemap.xml')}`;
    const agents = isOpenToAgents(site.visit)
      ? ''
      : `${AI_CRAWLERS.map((name) => `User-agent: ${name}\n`).join('')}Disallow: /\n\n`;
    return textResponse(
      isListed(site.visit) ? `${agents}User-agent: *\nAllow: /\nSitemap: ${map}\n` : 'User-agent: *\nDisallow: /\n',
      'text/plain',
      cachingOf(site),
    );
  }

  /** The map of a site, or where it is large a list of maps; undefined for a site that search engines may not list. */
  private async sitemap(site: SiteRequest): Promise<HttpResponse | undefined> {
    if (!isListed(site.visit)) return undefined;
    const xml = await this.once(site, 'sitemap.xml', async () => {
      const entries = await this.indexed(site);
      return entries.length <= ADDRESSES_IN_MAP ? mapOf(entries) : this.listOfMaps(site, entries.length);
    });
    return textResponse(xml, 'application/xml', cachingOf(site));
  }

  /** One of several maps, counted from 1. */
  private async sitemapPart(site: SiteRequest, number: number): Promise<HttpResponse | undefined> {
    if (!isListed(site.visit)) return undefined;
    const start = (number - 1) * ADDRESSES_IN_MAP;
    if (start >= (await this.countOf(site))) return undefined;
    const xml = await this.once(site, `sitemap-${number}.xml`, async () =>
      mapOf((await this.indexed(site)).slice(start, start + ADDRESSES_IN_MAP)),
    );
    return xml.plain.includes('<url>') ? textResponse(xml, 'application/xml', cachingOf(site)) : undefined;
  }

  /** The pages of a site with their descriptions, as links to their Markdown (llmstxt.org); undefined for a site that agents may not read. */
  private async llms(site: SiteRequest): Promise<HttpResponse | undefined> {
    if (!isOpenToAgents(site.visit)) return undefined;
    return textResponse(await this.once(site, 'llms.txt', () => this.links(site)), 'text/plain', cachingOf(site));
  }

  private async links(site: SiteRequest): Promise<string> {
    const parts = [`# ${line(site.visit.site.title)}\n`];
    let left = LINKS;
    for (const row of site.visit.rows.siteSpaces) {
      const pages = (await this.documents(site, row, 'noIndex')).slice(0, left);
      left -= pages.length;
      if (pages.length === 0) continue;
      const base = `${site.origin}${site.base}${siteSpacePath(site.visit.rows, row)}`;
      parts.push(`\n## ${line(headingOf(site, row))}\n\n`);
      for (const page of pages) {
        const description = page.item.props['description'];
        parts.push(
          `- [${line(shortTitle(page)).replace(/[[\]]/g, '\\$&')}](${addressBelow(base, page.path)}.md)${typeof description === 'string' && description !== '' ? `: ${line(description)}` : ''}\n`,
        );
      }
    }
    return parts.join('');
  }

  /** All pages of a site as Markdown, concatenated; written while it is read, as long as the reader has access. */
  llmsFull(site: SiteRequest): HttpResponse {
    return {
      status: 200,
      headers: { 'Content-Type': 'text/plain; charset=utf-8', ...cachingOf(site) },
      body: Readable.from(this.fullText(site), { objectMode: false }),
    };
  }

  /** Returns a cached text as long as it is current; concurrent requests share the work. */
  private async once(site: SiteRequest, name: string, write: () => Promise<string>): Promise<TextBody> {
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
    const { visit, base, origin } = site;
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
      name,
      visit.rows.sections.map(({ id }) => id),
      spaces,
    ]);
  }

  /** An upper bound of the pages of a site in a sitemap. */
  private async countOf({ visit }: SiteRequest): Promise<number> {
    let count = 0;
    for (const row of visit.rows.siteSpaces) count += (await this.trees.of(visit, row)).tree.documents.length;
    return count;
  }

  private async *fullText(site: SiteRequest): AsyncGenerator<string> {
    let left = FULL_TEXT;
    for (const row of site.visit.rows.siteSpaces) {
      const place: SitePlace = { ...site, row, section: undefined };
      const pages = await this.documents(site, row, 'noIndex');
      for (let start = 0; start < pages.length; start += PAGES_AT_ONCE) {
        if (!(await this.isStillOpen(place))) return;
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

  /** Tells whether an admitted reader still has access to this space of the site. */
  private async isStillOpen({ visit, row }: SitePlace): Promise<boolean> {
    const now = await this.visits.enterAgain(visit.grant);
    return (
      now !== undefined &&
      isOpenToAgents(now) &&
      now.rows.siteSpaces.some(({ siteSpaceId }) => siteSpaceId === row.siteSpaceId)
    );
  }

  /** Pages without the given flag: `noIndex` is for assistants, `noRobotsIndex` for search engines. */
  private async documents(
    site: SiteRequest,
    row: SiteSpaceRow,
    excluding: 'noIndex' | 'noRobotsIndex',
  ): Promise<TreePage[]> {
    const { tree } = await this.trees.of(site.visit, row);
    return tree.documents.filter(({ item }) => item.props[excluding] !== true && item.slug !== null);
  }

  private async indexed(site: SiteRequest): Promise<{ address: string; changed: Date }[]> {
    const found: { address: string; changed: Date }[] = [];
    for (const row of site.visit.rows.siteSpaces) {
      const { tree } = await this.trees.of(site.visit, row);
      for (const page of await this.documents(site, row, 'noRobotsIndex')) {
        if (page.isHidden) continue;
        found.push({ address: `${site.origin}${pagePath(site, row, tree, page)}`, changed: page.item.updatedAt });
      }
    }
    return found;
  }

  private listOfMaps({ origin, base }: SiteRequest, count: number): string {
    const maps = Array.from(
      { length: Math.ceil(count / ADDRESSES_IN_MAP) },
      (_, index) =>
        `<sitemap><loc>${escaped(`${origin}${addressBelow(base, `sitemap-${index + 1}.xml`)}`)}</loc></sitemap>`,
    );
    return `<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex xmlns="${NAMESPACE}">${maps.join('')}</sitemapindex>\n`;
  }
}

function mapOf(entries: readonly { readonly address: string; readonly changed: Date }[]): string {
  const urls = entries.map(
    ({ address, changed }) => `<url><loc>${escaped(address)}</loc><lastmod>${changed.toISOString()}</lastmod></url>`,
  );
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
