import { Injectable } from '@nestjs/common';
import type { SearchHit } from '../../../authoring/search/search.schema.js';
import { DomainError } from '../../../kernel/common/errors.js';
import { RateLimit } from '../../../kernel/platform/rate-limit/rate-limit.js';
import type { SiteSpaceRow } from '../../sites/structure.schema.js';
import { searchedBy, SiteSearch } from '../search/site-search.service.js';
import { resolveSitePath } from '../domain/resolve-site-path.js';
import type { HttpResponse } from './http-response.js';
import { customizationOf } from '../../sites/sites.schema.js';
import { ASK_PATH, siteSpacePath } from './domain/site-paths.js';
import { pageAncestors, shortTitle, type TreePage } from './domain/space-tree.js';
import type { Words } from '../../../formats/html/languages/language.js';
import { element } from './layout/elements.js';
import { ReaderCounts, type ClientInfo } from './reader-counts.js';
import type { RequestedResource } from './requested-resource.js';
import { SystemPages } from './system-pages.js';
import { pagePath, type SiteRequest } from './site-place.js';
import { SpaceTrees } from './space-trees.js';

const MAX_QUERY = 200;
const HITS_OF_SCRIPT = 20;
const SECTIONS_OF_SCRIPT = 3;

/** A page or a part of one that was found. */
interface Hit {
  readonly space: string;
  readonly page: string;
  readonly href: string;
  readonly title: string;
  /** The section of the site and the ancestors of the page. */
  readonly place?: string;
  readonly text?: string;
  readonly isSection: boolean;
}

/** Searches a site for its readers: as a page, or as data for the script that searches while typing. */
@Injectable()
export class SearchPage {
  constructor(
    private readonly search: SiteSearch,
    private readonly trees: SpaceTrees,
    private readonly own: SystemPages,
    private readonly readers: ReaderCounts,
    private readonly limit: RateLimit,
  ) {}

  /**
   * The hits of the query `q`, which may be empty; those of the site space `from` come first, and there are no others with
   * `in=from`.
   */
  async answer(
    site: SiteRequest,
    { query, asData, isHead, rawPath, reader }: RequestedResource,
  ): Promise<HttpResponse> {
    await this.limit.admitReader(reader.ip);
    const text = (query.get('q') ?? '').trim();
    this.count(site, text, rawPath, reader);
    const wanted = text.slice(0, MAX_QUERY);
    const { rows } = site.visit;
    const current = rows.siteSpaces.find(({ siteSpaceId }) => siteSpaceId === query.get('from'));
    const isOnly = current !== undefined && query.get('in') === 'from';
    const hits = wanted === '' ? [] : await this.find(site, wanted, current, isOnly);
    const scopes =
      wanted === '' || !current || rows.siteSpaces.length < 2
        ? []
        : scopesOf(site, this.own.words(site), wanted, current, isOnly);
    if (!isHead) this.readers.asked(site, text, { isUnanswered: hits.length === 0, isTyped: asData }, reader);
    if (asData) {
      const words = this.own.words(site);
      const isAnswering = wanted !== '' && customizationOf(site.visit.site).ai.mode !== 'none';
      return dataOf(
        hits,
        wanted,
        words,
        isAnswering ? { href: askAddress(site.base, wanted, current), title: words.ask } : undefined,
        scopes.find(({ isCurrent }) => !isCurrent),
      );
    }
    return this.own.show(site, current ? siteSpacePath(rows, current) : '', (frame) => ({
      status: 200,
      title: wanted === '' ? frame.words.search : `${frame.words.results}: ${wanted}`,
      content: [
        wanted !== '' &&
          customizationOf(site.visit.site).ai.mode !== 'none' &&
          askAbout(site, frame.words, wanted, current),
        scopes.length > 0 && scopeChoice(scopes, frame.words.search),
        hits.length === 0
          ? element('p.lead', wanted === '' ? frame.words.searchFor : frame.words.noResults)
          : results(hits),
      ],
      search: { query: wanted, isScoped: isOnly },
    }));
  }

  /** Takes which result of a search a reader opened. Throws `invalid` for a page that is not there. */
  async opened(site: SiteRequest, { reader }: RequestedResource, form: URLSearchParams): Promise<HttpResponse> {
    await this.limit.admitReader(reader.ip);
    const row = site.visit.rows.siteSpaces.find(({ id }) => id === form.get('space'));
    const page = row && (await this.trees.of(site.visit, row)).tree.byId.get(form.get('page') ?? '');
    if (!page) throw new DomainError('invalid', 'A page of this site is needed');
    this.readers.opened(site, form.get('q') ?? '', { space: row.id, page: page.item.id }, reader);
    return { status: 204, headers: { 'Cache-Control': 'no-store' } };
  }

  private count(site: SiteRequest, text: string, url: string, reader: ClientInfo): void {
    const found = resolveSitePath(site.visit.rows, '');
    if (found && text !== '')
      this.readers.searched({ ...site, row: found.siteSpace, section: found.section }, text, url, reader);
  }

  private async find(
    site: SiteRequest,
    query: string,
    current: SiteSpaceRow | undefined,
    isOnly: boolean,
  ): Promise<Hit[]> {
    const found = await this.search.find(
      searchedBy(site.visit),
      query,
      current && isOnly
        ? { mode: 'specific', siteSpaceIds: [current.siteSpaceId], path: 'from' }
        : { mode: 'default', ...(current && { currentSiteSpace: current.siteSpaceId }), path: 'from' },
      { limit: HITS_OF_SCRIPT },
    );
    const hits: Hit[] = [];
    for (const { siteSpace, hit } of found.items)
      for (const page of hit.pages) hits.push(...(await this.hitsOf(site, siteSpace, page)));
    return hits;
  }

  /** A page with its parts; nothing for one that the visitor cannot see. */
  private async hitsOf(site: SiteRequest, row: SiteSpaceRow, found: SearchHit): Promise<Hit[]> {
    const { tree } = await this.trees.of(site.visit, row);
    const page = tree.byId.get(found.id);
    if (!page) return [];
    const href = pagePath(site, row, tree, page);
    const place = placeOfPage(site, row, page);
    const opening = found.sections?.find(({ id }) => id === found.id);
    const parts = (found.sections ?? []).filter((part) => part !== opening);
    const where = { space: row.id, page: found.id };
    return [
      {
        ...where,
        href,
        title: page.item.title,
        ...(place !== '' && { place }),
        ...(opening && opening.body !== '' && { text: opening.body }),
        isSection: false,
      },
      ...parts.slice(0, SECTIONS_OF_SCRIPT).map((part) => ({
        ...where,
        href: `${href}#${encodeURIComponent(part.id)}`,
        title: part.title,
        ...(part.body !== '' && { text: part.body }),
        isSection: true,
      })),
    ];
  }
}

/** The place of a page, as results say it: the section of the site and the ancestors of the page. */
export function placeOfPage({ visit: { rows } }: SiteRequest, row: SiteSpaceRow, page: TreePage): string {
  const section = rows.sections.find(({ id }) => id === row.sectionId);
  const isAlone = rows.siteSpaces.length === 1;
  return [...(isAlone ? [] : [section?.title ?? row.title]), ...pageAncestors(page).map(shortTitle)].join(' › ');
}

/** Leads to the answer to what was searched for. */
function askAbout({ base }: SiteRequest, words: Words, query: string, current: SiteSpaceRow | undefined) {
  return element('p.search-ask', [
    element(
      'a.button.button-secondary',
      { href: askAddress(base, query, current), rel: ['nofollow'] },
      `${words.ask}: ${query}`,
    ),
  ]);
}

function askAddress(base: string, query: string, current: SiteSpaceRow | undefined): string {
  const parameters = new URLSearchParams({ q: query });
  if (current) parameters.set('from', current.siteSpaceId);
  return `${base}/${ASK_PATH}?${parameters.toString()}`;
}

/** One choice of where a query is looked for. */
interface Scope {
  readonly href: string;
  readonly title: string;
  readonly isCurrent: boolean;
}

/** Everywhere in the site, or only in the site space from which a reader searches. */
function scopesOf(
  { base, visit }: SiteRequest,
  words: Words,
  query: string,
  current: SiteSpaceRow,
  isOnly: boolean,
): readonly Scope[] {
  const address = (more: Readonly<Record<string, string>>): string =>
    `${base}/~search?${new URLSearchParams({ q: query, from: current.siteSpaceId, ...more }).toString()}`;
  const section = visit.rows.sections.find(({ id }) => id === current.sectionId);
  const isWhole = visit.rows.siteSpaces.filter(({ sectionId }) => sectionId === current.sectionId).length === 1;
  const name = section && isWhole ? section.title : [section?.title, current.title].filter(Boolean).join(' › ');
  return [
    { href: address({}), title: words.everywhere, isCurrent: !isOnly },
    { href: address({ in: 'from' }), title: words.onlyIn.replace('{name}', () => name), isCurrent: isOnly },
  ];
}

function scopeChoice(scopes: readonly Scope[], label: string) {
  return element('nav.scopes', { ariaLabel: label }, [
    element(
      'ul',
      scopes.map(({ href, title, isCurrent }) =>
        element('li', [element('a', { href, rel: ['nofollow'], ariaCurrent: isCurrent ? 'true' : undefined }, title)]),
      ),
    ),
  ]);
}

function results(hits: readonly Hit[]) {
  const pages: Hit[][] = [];
  for (const hit of hits) {
    if (hit.isSection) pages.at(-1)?.push(hit);
    else pages.push([hit]);
  }
  return element(
    'ul.results',
    pages.map((parts) =>
      element(
        'li',
        parts.map((hit) =>
          element(
            'a',
            {
              href: hit.href,
              className: hit.isSection ? ['hit', 'hit-section'] : ['hit'],
              // So the page tells which search led to it.
              referrerPolicy: 'same-origin',
            },
            [
              hit.place !== undefined && element('span.hit-place', hit.place),
              element('span.hit-title', hit.title),
              hit.text !== undefined && element('span.hit-text', hit.text),
            ],
          ),
        ),
      ),
    ),
  );
}

function dataOf(
  hits: readonly Hit[],
  query: string,
  words: Words,
  ask: { readonly href: string; readonly title: string } | undefined,
  scope: Scope | undefined,
): HttpResponse {
  const marked = query.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 1);
  return {
    status: 200,
    headers: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'private, no-store' },
    body: JSON.stringify({
      hits,
      words: marked,
      message: words.noResults,
      ...(ask && { ask }),
      ...(scope && { scope: { href: scope.href, title: scope.title } }),
    }),
  };
}
