import { Injectable } from '@nestjs/common';
import { redirect, textResponse, type HttpResponse } from './http-response.js';
import { AgentTexts } from './agent-texts.js';
import { AI_CRAWLERS } from './domain/ai-crawlers.js';
import { addressBelow } from './domain/site-paths.js';
import { Feeds } from './feeds.js';
import { emojiPicture } from './layout/favicon.js';
import { PageShells } from './page-shells.js';
import { cachingOf } from './page-caching.js';
import type { RequestedResource } from './requested-resource.js';
import { isListed, isOpenToAgents, type SiteRequest } from './site-place.js';
import { SiteTexts } from './site-texts.js';
import { SpaceTrees } from './space-trees.js';

/** Maximum number of addresses in one sitemap; more are divided among several. */
const ADDRESSES_IN_MAP = 5_000;
const SITEMAP_PART = /^sitemap-([1-9]\d{0,5})\.xml$/;
const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';

/** Files by which programs find the pages of a site. */
@Injectable()
export class Discovery {
  constructor(
    private readonly trees: SpaceTrees,
    private readonly texts: SiteTexts,
    private readonly agents: AgentTexts,
    private readonly feeds: Feeds,
    private readonly frames: PageShells,
  ) {}

  /** The answer to what programs ask for; undefined for the address of a page. */
  async answer(site: SiteRequest, { path, reader }: RequestedResource): Promise<HttpResponse | undefined> {
    const part = SITEMAP_PART.exec(path)?.[1];
    if (part !== undefined) return this.sitemapPart(site, Number(part));
    switch (path) {
      case 'robots.txt':
        return this.robots(site);
      case 'favicon.ico':
        return this.favicon(site);
      case 'sitemap.xml':
        return this.sitemap(site);
      default:
        return (await this.feeds.answer(site, path)) ?? this.agents.answer(site, path, reader);
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

  /** The picture that browsers and programs ask for where they have not read a page. */
  private async favicon(site: SiteRequest): Promise<HttpResponse | undefined> {
    const [row] = site.visit.rows.siteSpaces;
    if (!row) return undefined;
    const { favicon } = (await this.frames.of({ ...site, row, section: undefined }, '')).frame.settings;
    return 'icon' in favicon
      ? redirect(favicon.icon.light, {}, 302)
      : textResponse(emojiPicture(favicon), 'image/svg+xml', cachingOf(site));
  }

  /** The map of a site, or where it is large a list of maps; undefined for a site that search engines may not list. */
  private async sitemap(site: SiteRequest): Promise<HttpResponse | undefined> {
    if (!isListed(site.visit)) return undefined;
    const xml = await this.texts.once(site, 'sitemap.xml', async () => {
      const entries = await this.texts.listed(site);
      return entries.length <= ADDRESSES_IN_MAP ? mapOf(entries) : this.listOfMaps(site, entries.length);
    });
    return textResponse(xml, 'application/xml', cachingOf(site));
  }

  /** One of several maps, counted from 1. */
  private async sitemapPart(site: SiteRequest, number: number): Promise<HttpResponse | undefined> {
    if (!isListed(site.visit)) return undefined;
    const start = (number - 1) * ADDRESSES_IN_MAP;
    if (start >= (await this.countOf(site))) return undefined;
    const xml = await this.texts.once(site, `sitemap-${number}.xml`, async () =>
      mapOf((await this.texts.listed(site)).slice(start, start + ADDRESSES_IN_MAP)),
    );
    return xml.plain.includes('<url>') ? textResponse(xml, 'application/xml', cachingOf(site)) : undefined;
  }

  /** An upper bound of the pages of a site in a sitemap. */
  private async countOf({ visit }: SiteRequest): Promise<number> {
    let count = 0;
    for (const row of visit.rows.siteSpaces) count += (await this.trees.of(visit, row)).tree.documents.length;
    return count;
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

function mapOf(entries: Awaited<ReturnType<SiteTexts['listed']>>): string {
  const urls = entries.map(
    ({ page, url }) => `<url><loc>${escaped(url)}</loc><lastmod>${page.item.updatedAt.toISOString()}</lastmod></url>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="${NAMESPACE}">\n${urls.join('\n')}\n</urlset>\n`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
