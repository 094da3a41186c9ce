import { Injectable } from '@nestjs/common';
import { PageRedirectResolver } from '../../../authoring/content/page-redirect-resolver.js';
import { redirectPath } from '../../../authoring/content/page-redirects.js';
import type { ContentRef } from '../../../formats/document/types.js';
import { RateLimit } from '../../../kernel/platform/rate-limit/rate-limit.js';
import type { SiteSectionRow, SiteSpaceRow } from '../../sites/structure.schema.js';
import type { ResolvedSitePath } from '../domain/resolve-site-path.js';
import { counterpartOf, type SpacePages } from './domain/counterparts.js';
import { encodedPath } from './domain/location.js';
import { pageAtFormerAddress } from './domain/former-addresses.js';
import { addressBelow } from './domain/site-paths.js';
import { firstDocument, pathInSpace, type SpaceTree, type TreePage } from './domain/space-tree.js';
import { redirect, textResponse, type HttpResponse } from './http-response.js';
import { KeptPages } from './kept-pages.js';
import { PageContents } from './page-contents.js';
import { cachingOf } from './page-caching.js';
import { linkIn, PageRenderings } from './page-renderings.js';
import { PublicAnswers } from './public-answers.js';
import { ReaderCounts } from './reader-counts.js';
import { ReferenceLookup } from './reference-lookup.js';
import { searchOf, type RequestedResource } from './requested-resource.js';
import { isForEverybody, isOpenToAgents, pagePath, type SitePlace } from './site-place.js';
import { SpaceTrees, type KnownTree } from './space-trees.js';

type FoundPath = ResolvedSitePath<SiteSectionRow, SiteSpaceRow>;

/** Finds what a path of a published space leads to: a page, its Markdown, or where the page is now. */
@Injectable()
export class PageRouter {
  constructor(
    private readonly trees: SpaceTrees,
    private readonly renderings: PageRenderings,
    private readonly kept: KeptPages,
    private readonly contents: PageContents,
    private readonly references: ReferenceLookup,
    private readonly redirects: PageRedirectResolver,
    private readonly readers: ReaderCounts,
    private readonly answers: PublicAnswers,
    private readonly limit: RateLimit,
  ) {}

  /** A page that was rendered before. */
  async known(place: SitePlace, pathname: string, wanted: RequestedResource): Promise<HttpResponse | undefined> {
    if (wanted.asMarkdown) return undefined;
    const known = await this.kept.current(place, pathname);
    return known && this.counted(place, pathname, known, wanted);
  }

  /** Makes a page if it is not there, for readers to come; undefined where no page stands. */
  async prepare(place: SitePlace, pathname: string): Promise<HttpResponse | undefined> {
    const kept = await this.kept.current(place, pathname);
    if (kept) return kept;
    const known = await this.trees.of(place.visit, place.row);
    const page = pathname === '' ? known.tree.first : known.tree.byPath.get(pathname);
    return page?.item.type === 'document' ? this.renderings.render(place, known, page) : undefined;
  }

  /** The page at a path, or a redirect to where it is now; undefined where there is none. */
  async answer(place: SitePlace, found: FoundPath, wanted: RequestedResource): Promise<HttpResponse | undefined> {
    const tree = await this.trees.of(place.visit, place.row);
    const page =
      found.pathname === ''
        ? tree.tree.first
        : (tree.tree.byPath.get(found.pathname) ?? tree.tree.byPath.get(redirectPath(found.pathname)));
    return (page && (await this.at(place, tree, page, wanted))) ?? this.elsewhere(place, tree, found, wanted);
  }

  /** The answer at the place of a page; undefined where nothing stands. */
  private async at(
    place: SitePlace,
    known: KnownTree,
    page: TreePage,
    wanted: RequestedResource,
  ): Promise<HttpResponse | undefined> {
    const { rawPath, query, reader } = wanted;
    if (page.item.type === 'link') {
      const target = page.item.props['target'] as ContentRef;
      const { href } = (await this.references.of(place, [target], { written: [linkIn(page)] })).link(target, page);
      return href === undefined ? undefined : redirect(href);
    }
    const shown = page.item.type === 'group' ? firstDocument(page) : page;
    if (!shown) return undefined;
    const address = pagePath(place, place.row, known.tree, shown);
    if (address !== rawPath) return redirect(address + searchOf(query));
    if (wanted.asMarkdown && isOpenToAgents(place.visit)) return this.markdown(place, shown, wanted);
    await this.limit.admitReader(reader.ip);
    const answer = await this.renderings.render(place, known, shown);
    return this.counted(place, pathInSpace(known.tree, shown), answer, wanted);
  }

  private counted(
    place: SitePlace,
    pathname: string,
    answer: HttpResponse,
    { rawPath, plainKey, reader }: RequestedResource,
  ): HttpResponse {
    if (answer.page !== undefined) this.readers.viewed(place, answer.page, rawPath, reader);
    if (plainKey !== undefined) this.answers.remember(plainKey, place, pathname, rawPath, answer);
    return answer;
  }

  /** The answer to an address at which no page stands now. */
  private async elsewhere(
    place: SitePlace,
    known: KnownTree,
    found: FoundPath,
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
    if (wanted.query.get('fallback') === 'true') {
      const same = await this.counterpart(place, tree, asked);
      return redirect(same ? pagePath(place, place.row, tree, same) : root);
    }
    const successor = await this.redirects.resolve(point, inMarkdown ?? asked);
    const page = successor === undefined ? pageAtFormerAddress(tree, inMarkdown ?? asked) : tree.byId.get(successor);
    const shown = page && firstDocument(page);
    if (shown)
      return redirect(
        inMarkdown === undefined
          ? pagePath(place, place.row, tree, shown) + searchOf(wanted.query)
          : `${addressBelow(place.base + encodedPath(found.basePath), shown.path)}.md`,
        {},
        // The next version of a specification may put its pages back.
        successor !== undefined && isForEverybody(place.visit) ? 308 : 307,
      );
    return undefined;
  }

  /** The page of this space that says the same as the one at a path of another site space beside it. */
  private async counterpart(place: SitePlace, tree: SpaceTree, path: string): Promise<TreePage | undefined> {
    const { visit, row } = place;
    const others = visit.rows.siteSpaces.filter((each) => each.sectionId === row.sectionId && each.id !== row.id);
    const all: SpacePages[] = [];
    for (const other of others) all.push({ spaceId: other.id, tree: (await this.trees.of(visit, other)).tree });
    for (const other of all) {
      const page = other.tree.byPath.get(path);
      const same = page && counterpartOf(page, other, { spaceId: row.id, tree }, all);
      if (same?.item.type === 'document') return same;
    }
    return undefined;
  }

  private async markdown(place: SitePlace, page: TreePage, { reader }: RequestedResource): Promise<HttpResponse> {
    await this.limit.admitReader(reader.ip);
    const [text = ''] = await this.contents.markdown(place, [page]);
    return textResponse(text, 'text/markdown', { ...cachingOf(place), 'X-Robots-Tag': 'noindex' });
  }
}
