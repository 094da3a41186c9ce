import { Injectable } from '@nestjs/common';
import { ContentReader } from '../../content/content-reader.js';
import type { ContentRef } from '../../content/domain/document/types.js';
import { redirectPath } from '../../content/page-redirects.js';
import { placeOf, type Place } from '../domain/place.js';
import type { SectionRow, SiteSpaceRow } from '../../sites/structure.schema.js';
import { redirect, textAnswer, type Answer } from './answers.js';
import { Discovery } from './discovery.js';
import { encodedPath } from './domain/location.js';
import { addressBelow } from './domain/site-paths.js';
import { firstDocument, type TreePage } from './domain/tree.js';
import { OwnPages } from './own-pages.js';
import { PageContents } from './page-contents.js';
import { cachingOf, PageRenderings } from './page-renderings.js';
import { ReferenceLookup } from './references.js';
import { pagePath, type SitePlace, type SiteRequest } from './site-place.js';
import { SpaceTrees, type KnownTree } from './space-trees.js';

/** What a reader asks of a site. */
export interface Wanted {
  /** Below the site, decoded, without slashes at its ends. */
  readonly path: string;
  /** The path of the address as it came, which may lead to the same in other ways. */
  readonly rawPath: string;
  readonly query: URLSearchParams;
}

const SITEMAP_PART = /^sitemap-([1-9]\d{0,5})\.xml$/;

/** Finds what an address of a published site leads to. */
@Injectable()
export class SiteRouter {
  constructor(
    private readonly trees: SpaceTrees,
    private readonly renderings: PageRenderings,
    private readonly contents: PageContents,
    private readonly references: ReferenceLookup,
    private readonly reader: ContentReader,
    private readonly discovery: Discovery,
    private readonly own: OwnPages,
  ) {}

  /** What programs ask for; undefined for the address of a page. */
  async forPrograms(site: SiteRequest, path: string): Promise<Answer | undefined> {
    const part = SITEMAP_PART.exec(path)?.[1];
    if (part !== undefined) return this.discovery.sitemapPart(site, Number(part));
    switch (path) {
      case 'robots.txt':
        return this.discovery.robots(site);
      case 'sitemap.xml':
        return this.discovery.sitemap(site);
      case 'llms.txt':
        return this.discovery.llms(site);
      case 'llms-full.txt':
        return this.discovery.llmsFull(site);
      default:
        return undefined;
    }
  }

  /** The page at an address, a redirect to where it is now, or a page that says that there is none. */
  async page(site: SiteRequest, wanted: Wanted): Promise<Answer> {
    const found = placeOf(site.visit.rows, wanted.path);
    if (!found) return (await this.forPrograms(site, wanted.path)) ?? (await this.moved(site, wanted)) ?? this.own.notFound(site, wanted.path);
    const place: SitePlace = { ...site, row: found.siteSpace, section: found.section };
    const canonical = addressBelow(site.base + encodedPath(found.basePath), found.pathname);
    if (canonical === wanted.rawPath) {
      const known = await this.renderings.known(place, found.pathname);
      if (known) return known;
    }
    const ofPrograms = await this.forPrograms(site, wanted.path);
    if (ofPrograms) return ofPrograms;
    const tree = await this.trees.of(site.visit, place.row);
    const page = found.pathname === '' ? tree.tree.first : (tree.tree.byPath.get(found.pathname) ?? tree.tree.byPath.get(redirectPath(found.pathname)));
    return (page && (await this.at(place, tree, page, wanted))) ?? (await this.elsewhere(place, tree, found, wanted)) ?? this.own.notFound(site, wanted.path);
  }

  /** What stands at the place of a page; undefined where nothing does. */
  private async at(place: SitePlace, known: KnownTree, page: TreePage, { rawPath, query }: Wanted): Promise<Answer | undefined> {
    if (page.item.type === 'link') {
      const target = page.item.props['target'] as ContentRef;
      const { href } = (await this.references.of(place, [target])).link(target);
      return href === undefined ? undefined : redirect(href);
    }
    const shown = page.item.type === 'group' ? firstDocument(page) : page;
    if (!shown) return undefined;
    const address = pagePath(place, place.row, known.tree, shown);
    return address === rawPath ? this.renderings.render(place, known, shown) : redirect(address + search(query));
  }

  /** What an address leads to at which no page stands now. */
  private async elsewhere(place: SitePlace, known: KnownTree, found: Place<SectionRow, SiteSpaceRow>, wanted: Wanted): Promise<Answer | undefined> {
    const { tree, point } = known;
    const asked = redirectPath(found.pathname);
    const inMarkdown = asked.endsWith('.md') ? asked.slice(0, -'.md'.length) : undefined;
    if (inMarkdown !== undefined) {
      const page = tree.byPath.get(inMarkdown) ?? (inMarkdown === '' || (inMarkdown === 'index' && tree.first) ? tree.first : undefined);
      if (page?.item.type === 'document') return this.markdown(place, page);
    }
    const root = addressBelow(place.base + encodedPath(found.basePath), '');
    if (wanted.query.get('fallback') === 'true') return redirect(root);
    const successor = await this.reader.successorOf(point, inMarkdown ?? asked);
    const page = successor === undefined ? undefined : tree.byId.get(successor);
    const shown = page && firstDocument(page);
    if (shown) return redirect(inMarkdown === undefined ? pagePath(place, place.row, tree, shown) + search(wanted.query) : `${addressBelow(place.base + encodedPath(found.basePath), shown.path)}.md`);
    return this.moved(place, wanted);
  }

  /** Where a redirect of the site leads. */
  private async moved(_site: SiteRequest, _wanted: Wanted): Promise<Answer | undefined> {
    return undefined;
  }

  private async markdown(place: SitePlace, page: TreePage): Promise<Answer> {
    const [text = ''] = await this.contents.markdown(place, [page]);
    return textAnswer(text, 'text/markdown', { ...cachingOf(place), 'X-Robots-Tag': 'noindex' });
  }
}

function search(query: URLSearchParams): string {
  return query.size === 0 ? '' : `?${query.toString()}`;
}
