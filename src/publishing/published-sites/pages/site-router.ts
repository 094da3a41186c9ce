import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../kernel/common/errors.js';
import { ContentReader } from '../../../authoring/content/content-reader.js';
import type { ContentRef } from '../../../formats/document/types.js';
import { redirectPath } from '../../../authoring/content/page-redirects.js';
import { RateLimit } from '../../../kernel/platform/rate-limit/rate-limit.js';
import { resolveSitePath, type ResolvedSitePath } from '../domain/resolve-site-path.js';
import { SiteRedirects } from '../../sites/redirects.service.js';
import type { SiteSectionRow, SiteSpaceRow } from '../../sites/structure.schema.js';
import { redirect, textResponse, type HttpResponse } from './http-response.js';
import { Discovery } from './discovery.js';
import { encodedPath } from './domain/location.js';
import { addressBelow } from './domain/site-paths.js';
import { firstDocument, type TreePage } from './domain/space-tree.js';
import { SystemPages } from './system-pages.js';
import { PageContents } from './page-contents.js';
import { cachingOf, PageRenderings } from './page-renderings.js';
import { ReaderCounts, type ClientInfo } from './reader-counts.js';
import { ReferenceLookup } from './reference-lookup.js';
import { SearchPage } from './search-page.js';
import { PDF_PATH, SitePdfs } from './site-pdfs.js';
import { isOpenToAgents, pagePath, type SitePlace, type SiteRequest } from './site-place.js';
import { SpaceTrees, type KnownTree } from './space-trees.js';

/** A resource that a reader requests from a site. */
export interface RequestedResource {
  /** Path within the site, decoded, without slashes at its ends. */
  readonly path: string;
  /** The path of the address as received, which may have other spellings. */
  readonly rawPath: string;
  readonly query: URLSearchParams;
  /** True if data are requested instead of a page. */
  readonly asData: boolean;
  /** True if only the headers of the response are requested. */
  readonly isHead: boolean;
  readonly reader: ClientInfo;
}

const FEEDBACK = '~feedback';
const RATINGS = ['good', 'ok', 'bad'] as const;
const SITEMAP_PART = /^sitemap-([1-9]\d{0,5})\.xml$/;

/** Routes the addresses of a published site. */
@Injectable()
export class SiteRouter {
  constructor(
    private readonly trees: SpaceTrees,
    private readonly renderings: PageRenderings,
    private readonly contents: PageContents,
    private readonly references: ReferenceLookup,
    private readonly reader: ContentReader,
    private readonly discovery: Discovery,
    private readonly own: SystemPages,
    private readonly searches: SearchPage,
    private readonly pdfs: SitePdfs,
    private readonly readers: ReaderCounts,
    private readonly redirects: SiteRedirects,
    private readonly limit: RateLimit,
  ) {}

  /** Resources for programs; undefined for the address of a page. */
  private async forPrograms(site: SiteRequest, { path, reader }: RequestedResource): Promise<HttpResponse | undefined> {
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
        if (!isOpenToAgents(site.visit)) return undefined;
        await this.limit.admitReader(reader.ip, 'heavy');
        return this.discovery.llmsFull(site);
      default:
        return undefined;
    }
  }

  /** Responds to a GET. */
  async get(site: SiteRequest, wanted: RequestedResource): Promise<HttpResponse> {
    if (wanted.path !== '~search' && wanted.path !== FEEDBACK) return this.page(site, wanted);
    await this.limit.admitReader(wanted.reader.ip);
    if (wanted.path === '~search') return this.search(site, wanted);
    return this.own.thanks(
      site,
      (await this.pageById(site, wanted.query.get('page') ?? ''))?.href ?? addressBelow(site.base, ''),
    );
  }

  /** Receives the feedback of a reader on a page; undefined if there is no such form. */
  async post(site: SiteRequest, wanted: RequestedResource, form: URLSearchParams): Promise<HttpResponse | undefined> {
    if (wanted.path !== FEEDBACK) return undefined;
    await this.limit.admitReader(wanted.reader.ip);
    const rating = RATINGS.find((each) => each === form.get('rating'));
    const found = await this.pageById(site, form.get('page') ?? '');
    if (!rating || !found) throw new DomainError('invalid', 'A rating of a page of this site is needed');
    this.readers.rated(
      found.place,
      found.id,
      { rating, comment: (form.get('comment') ?? '').trim() },
      found.href,
      wanted.reader,
    );
    if (wanted.asData)
      return {
        status: 200,
        headers: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' },
        body: JSON.stringify({ message: this.own.words(site).thanks }),
      };
    return redirect(
      `${addressBelow(site.base, '')}/${FEEDBACK}?page=${encodeURIComponent(found.id)}`.replace('//', '/'),
      {},
      303,
    );
  }

  private async search(
    site: SiteRequest,
    { query, asData, rawPath, reader }: RequestedResource,
  ): Promise<HttpResponse> {
    const text = query.get('q') ?? '';
    const found = resolveSitePath(site.visit.rows, '');
    if (found && text.trim() !== '')
      this.readers.searched({ ...site, row: found.siteSpace, section: found.section }, text.trim(), rawPath, reader);
    return this.searches.answer(site, query, asData);
  }

  /** A page of any space of the site that the visitor can see. */
  private async pageById(
    site: SiteRequest,
    id: string,
  ): Promise<{ readonly place: SitePlace; readonly id: string; readonly href: string } | undefined> {
    for (const row of id === '' ? [] : site.visit.rows.siteSpaces) {
      const { tree } = await this.trees.of(site.visit, row);
      const page = tree.byId.get(id);
      const section = site.visit.rows.sections.find((each) => each.id === row.sectionId);
      if (page) return { place: { ...site, row, section }, id, href: pagePath(site, row, tree, page) };
    }
    return undefined;
  }

  /** The page at an address, a redirect to its current address, or a not-found page. */
  private async page(site: SiteRequest, wanted: RequestedResource): Promise<HttpResponse> {
    const found = resolveSitePath(site.visit.rows, wanted.path);
    if (!found)
      return (await this.forPrograms(site, wanted)) ?? (await this.moved(site, wanted)) ?? this.notFound(site, wanted);
    const place: SitePlace = { ...site, row: found.siteSpace, section: found.section };
    const canonical = addressBelow(site.base + encodedPath(found.basePath), found.pathname);
    if (canonical === wanted.rawPath) {
      const known = await this.renderings.known(place, found.pathname);
      if (known) return this.counted(place, known, wanted);
    }
    if (found.pathname === PDF_PATH) return (await this.pdfs.answer(place, wanted)) ?? this.notFound(site, wanted);
    const ofPrograms = await this.forPrograms(site, wanted);
    if (ofPrograms) return ofPrograms;
    const tree = await this.trees.of(site.visit, place.row);
    const page =
      found.pathname === ''
        ? tree.tree.first
        : (tree.tree.byPath.get(found.pathname) ?? tree.tree.byPath.get(redirectPath(found.pathname)));
    return (
      (page && (await this.at(place, tree, page, wanted))) ??
      (await this.elsewhere(place, tree, found, wanted)) ??
      this.notFound(site, wanted)
    );
  }

  /** The resource at the path of a page; undefined if there is none. */
  private async at(
    place: SitePlace,
    known: KnownTree,
    page: TreePage,
    wanted: RequestedResource,
  ): Promise<HttpResponse | undefined> {
    const { rawPath, query, reader } = wanted;
    if (page.item.type === 'link') {
      const target = page.item.props['target'] as ContentRef;
      const { href } = (await this.references.of(place, [target])).link(target);
      return href === undefined ? undefined : redirect(href);
    }
    const shown = page.item.type === 'group' ? firstDocument(page) : page;
    if (!shown) return undefined;
    const address = pagePath(place, place.row, known.tree, shown);
    if (address !== rawPath) return redirect(address + search(query));
    await this.limit.admitReader(reader.ip);
    return this.counted(place, await this.renderings.render(place, known, shown), wanted);
  }

  private counted(place: SitePlace, answer: HttpResponse, { rawPath, reader }: RequestedResource): HttpResponse {
    if (answer.page !== undefined) this.readers.viewed(place, answer.page, rawPath, reader);
    return answer;
  }

  /** The redirect of an address without a page. */
  private async elsewhere(
    place: SitePlace,
    known: KnownTree,
    found: ResolvedSitePath<SiteSectionRow, SiteSpaceRow>,
    wanted: RequestedResource,
  ): Promise<HttpResponse | undefined> {
    const { tree, point } = known;
    const asked = redirectPath(found.pathname);
    const inMarkdown = asked.endsWith('.md') && isOpenToAgents(place.visit) ? asked.slice(0, -'.md'.length) : undefined;
    if (inMarkdown !== undefined) {
      const page =
        tree.byPath.get(inMarkdown) ??
        (inMarkdown === '' || (inMarkdown === 'index' && tree.first) ? tree.first : undefined);
      if (page?.item.type === 'document') return this.markdown(place, page, wanted);
    }
    const root = addressBelow(place.base + encodedPath(found.basePath), '');
    if (wanted.query.get('fallback') === 'true') return redirect(root);
    const successor = await this.reader.successorOf(point, inMarkdown ?? asked);
    const page = successor === undefined ? undefined : tree.byId.get(successor);
    const shown = page && firstDocument(page);
    if (shown)
      return redirect(
        inMarkdown === undefined
          ? pagePath(place, place.row, tree, shown) + search(wanted.query)
          : `${addressBelow(place.base + encodedPath(found.basePath), shown.path)}.md`,
      );
    return this.moved(place, wanted);
  }

  /** The target of a redirect of the site. */
  private async moved(site: SiteRequest, { path, query }: RequestedResource): Promise<HttpResponse | undefined> {
    const { rows } = site.visit;
    const target =
      path === ''
        ? undefined
        : await this.redirects.resolve(
            site.visit.site.id,
            encodedPath(path),
            new Set(rows.siteSpaces.map(({ siteSpaceId }) => siteSpaceId)),
          );
    if (!target) return undefined;
    if ('url' in target) return redirect(target.url);
    const row = rows.siteSpaces.find(({ siteSpaceId }) => siteSpaceId === target.siteSpaceId);
    if (target.pageId === undefined) return redirect(addressBelow(site.base, target.path) + search(query));
    if (!row) return undefined;
    const { tree } = await this.trees.of(site.visit, row);
    const page = tree.byId.get(target.pageId);
    return page && redirect(pagePath(site, row, tree, firstDocument(page) ?? page) + search(query));
  }

  private async notFound(site: SiteRequest, { path, reader }: RequestedResource): Promise<HttpResponse> {
    await this.limit.admitReader(reader.ip);
    return this.own.notFound(site, path);
  }

  private async markdown(place: SitePlace, page: TreePage, { reader }: RequestedResource): Promise<HttpResponse> {
    await this.limit.admitReader(reader.ip);
    const [text = ''] = await this.contents.markdown(place, [page]);
    return textResponse(text, 'text/markdown', { ...cachingOf(place), 'X-Robots-Tag': 'noindex' });
  }
}

function search(query: URLSearchParams): string {
  return query.size === 0 ? '' : `?${query.toString()}`;
}
