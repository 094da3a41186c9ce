import { setTimeout } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { resumed } from '../../../../kernel/common/context.js';
import type { SiteSpaceRow } from '../../../sites/structure.schema.js';
import { cardAddress, CARDS_PATH } from '../card-facts.js';
import { SEARCH_PATH, siteSpacePath } from '../domain/site-paths.js';
import { pathInSpace, type TreePage } from '../domain/space-tree.js';
import { HtmlBody, NONCE_MARK } from '../html-body.js';
import { hashSource, staticPolicy, type HttpResponse } from '../http-response.js';
import { PageContents } from '../page-contents.js';
import { PageRenderings } from '../page-renderings.js';
import { placeOfPage } from '../search-page.js';
import { isOpenToAgents, pagePath, type SitePlace, type SiteRequest } from '../site-place.js';
import { SocialCards } from '../social-cards.js';
import { SpaceTrees, type KnownTree } from '../space-trees.js';
import { SystemPages } from '../system-pages.js';
import { readStaticHtml, type PageSection } from './domain/static-html.js';
import { isReservedOnWindows, pageFile } from './domain/static-paths.js';
import { StaticAssets } from './static-assets.js';
import { StaticPdfs, type WrittenPdfs } from './static-pdfs.js';
import { requestFor } from './static-request.js';
import type { StaticTarget } from './static-target.js';
import { StaticTexts } from './static-texts.js';

/** Pages that are rendered at once. */
const AT_ONCE = 8;
/** Attempts at a page of which a part could not be made in time, and the milliseconds between them. */
const ATTEMPTS = 5;
const BETWEEN_ATTEMPTS = 2000;

export const SEARCH_FILE = pageFile(SEARCH_PATH);
/** The page that web servers and hosts show where there is none. */
export const NOT_FOUND_FILE = '404.html';

/** A page with the path of its file. */
interface PlannedPage {
  readonly page: TreePage;
  readonly file: string;
}

/** Writes the pages of a static site, each with its Markdown, its card and its part of the search. */
@Injectable()
export class StaticPages {
  constructor(
    private readonly trees: SpaceTrees,
    private readonly renderings: PageRenderings,
    private readonly contents: PageContents,
    private readonly cards: SocialCards,
    private readonly own: SystemPages,
    private readonly assets: StaticAssets,
    private readonly pdfs: StaticPdfs,
    private readonly texts: StaticTexts,
  ) {}

  /** The pages of each site space, whose paths are kept for them. */
  async plan(target: StaticTarget): Promise<ReadonlyMap<SiteSpaceRow, readonly PlannedPage[]>> {
    const { site, folder, problems } = target;
    const planned = new Map<SiteSpaceRow, PlannedPage[]>();
    for (const row of site.visit.rows.siteSpaces) {
      const { tree } = await this.trees.of(site.visit, row);
      const pages: PlannedPage[] = [];
      for (const page of tree.documents) {
        const path = [placeOf(target, row), pathInSpace(tree, page)].filter((part) => part !== '').join('/');
        const file = pageFile(path);
        if (!folder.claim(file))
          problems.push(`/${path}: no file can have the name of this page, or another one has it`);
        else {
          if (isReservedOnWindows(path)) problems.push(`/${path}: Windows cannot have a file of this name`);
          pages.push({ page, file });
        }
      }
      planned.set(row, pages);
    }
    return planned;
  }

  /** The number of PDFs that pages of a plan offer. */
  countPdfs(target: StaticTarget, plan: ReadonlyMap<SiteSpaceRow, readonly PlannedPage[]>): number {
    return target.hasPdfs ? this.pdfs.count(target.site.visit, plan) : 0;
  }

  /** Writes the PDFs and the pages of a plan, and those of the site itself: the search, and what is said where no page is. */
  async write(target: StaticTarget, plan: ReadonlyMap<SiteSpaceRow, readonly PlannedPage[]>): Promise<WrittenPdfs> {
    if (!target.hasPdfs) {
      await this.writePages(target, plan);
      return { addresses: new Set(), folders: [] };
    }
    const pdfs = await this.pdfs.write(target, plan);
    await this.writePages({ ...target, site: { ...target.site, pdfs: pdfs.addresses } }, plan);
    return pdfs;
  }

  /** The number of pages that conditions hide from readers of whom nothing is known. */
  async hidden({ visit }: SiteRequest): Promise<number> {
    let count = 0;
    for (const row of visit.rows.siteSpaces) count += (await this.trees.of(visit, row)).hiddenPages;
    return count;
  }

  private async writePages(
    target: StaticTarget,
    plan: ReadonlyMap<SiteSpaceRow, readonly PlannedPage[]>,
  ): Promise<void> {
    const { site } = target;
    const integrity = await this.assets.integrity(site.base);
    for (const [row, pages] of plan) {
      const section = site.visit.rows.sections.find(({ id }) => id === row.sectionId);
      const place: SitePlace = { ...site, row, section };
      const known = await this.trees.of(site.visit, row);
      for (let start = 0; start < pages.length; start += AT_ONCE) {
        const batch = pages.slice(start, start + AT_ONCE);
        const sections = await Promise.all(
          batch.map((planned) => this.writePage(target, place, known, planned, integrity)),
        );
        // In the order of the pages, so that the index of the same site is the same.
        for (const [index, { page }] of batch.entries())
          await this.addToIndex(target, place, known, page, sections[index] ?? []);
        if (isOpenToAgents(site.visit)) await this.writeMarkdown(target, place, batch);
      }
    }
    const search = await this.own.show(site, '', ({ words }) => ({ status: 200, title: words.search, content: [] }));
    const notFound = await this.own.notFound(site, NOT_FOUND_FILE);
    await target.folder.write(SEARCH_FILE, (await this.finish(target, search, integrity)).text);
    await target.folder.write(NOT_FOUND_FILE, (await this.finish(target, notFound, integrity)).text);
  }

  private async writePage(
    target: StaticTarget,
    place: SitePlace,
    known: KnownTree,
    { page, file }: PlannedPage,
    integrity: string,
  ): Promise<readonly PageSection[]> {
    const { text, sections } = await this.finish(target, await this.rendered(place, known, page), integrity);
    await target.folder.write(file, text);
    await this.writeCard(target, place, page, text);
    target.onPage();
    return sections;
  }

  private async rendered(place: SitePlace, known: KnownTree, page: TreePage): Promise<HttpResponse> {
    for (let attempt = 1; ; attempt++) {
      const { answer, isProvisional } = await this.renderings.make(place, known, page);
      if (!isProvisional || attempt === ATTEMPTS) return answer;
      await setTimeout(BETWEEN_ATTEMPTS);
      resumed();
    }
  }

  /** A page as a file, with all that it loads written beside it. */
  private async finish(
    target: StaticTarget,
    { body, policy }: HttpResponse,
    integrity: string,
  ): Promise<{ readonly text: string; readonly sections: readonly PageSection[] }> {
    if (!(body instanceof HtmlBody) || !policy) throw new Error('the page was not rendered');
    const { site, files } = target;
    const page = readStaticHtml(Buffer.concat(body.plain(NONCE_MARK)).toString());
    const html = page.write(await files.at(page.files), site.origin);
    await this.assets.write(target, page.assets);
    for (const address of page.assets) await this.texts.feed(target, address);
    // The style sheet of the site is the first; it names its fonts.
    const style = hashSource(/<style>([^]*?)<\/style>/.exec(html)?.[1] ?? '');
    const scripts = [integrity, /data-integrity="([^"]+)"/.exec(html)?.[1] ?? ''].map((hash) => `'${hash}'`);
    const content = staticPolicy({ ...policy, styles: [style] }, scripts);
    const first = `<script nonce="${NONCE_MARK}"`;
    const head =
      `<meta http-equiv="Content-Security-Policy" content="${content}">` +
      `<meta name="referrer" content="no-referrer"><script integrity="${integrity}"`;
    if (!html.includes(first)) throw new Error('the page has another beginning');
    return {
      text: html.replace(first, () => head).replaceAll(` nonce="${NONCE_MARK}"`, ''),
      sections: page.sections,
    };
  }

  private async addToIndex(
    { site, index }: StaticTarget,
    place: SitePlace,
    { tree }: KnownTree,
    page: TreePage,
    sections: readonly PageSection[],
  ): Promise<void> {
    if (page.isHidden) return;
    const { description } = page.item.props;
    await index.add({
      siteSpace: place.row.siteSpaceId,
      id: page.item.id,
      href: pagePath(site, place.row, tree, page),
      title: page.item.title,
      place: placeOfPage(site, place.row, page),
      description: typeof description === 'string' ? description : '',
      sections,
    });
  }

  private async writeMarkdown(target: StaticTarget, place: SitePlace, pages: readonly PlannedPage[]): Promise<void> {
    const texts = await this.contents.markdown(
      place,
      pages.map(({ page }) => page),
    );
    for (const [index, { page }] of pages.entries()) {
      const file = `${[placeOf(target, place.row), page.path].filter((part) => part !== '').join('/')}.md`;
      if (page.path !== '' && target.folder.claim(file))
        await target.folder.write(file, await this.texts.withFiles(target, texts[index] ?? ''));
    }
  }

  /** Writes the card of a page that names it; its address changes with all that it shows. */
  private async writeCard(
    { site, folder }: StaticTarget,
    place: SitePlace,
    page: TreePage,
    html: string,
  ): Promise<void> {
    const address = cardAddress(place, page);
    const file = decodeURIComponent(address.slice(site.origin.length + site.base.length + 1));
    if (!html.includes(address) || !folder.claim(file) || (await folder.isThere(file))) return;
    const { body } = (await this.cards.answer(place, `${CARDS_PATH}/${page.item.id}`, requestFor(site, file))) ?? {};
    if (Buffer.isBuffer(body)) await folder.write(file, body);
    else folder.release(file);
  }
}

/** The path of a site space within its site, decoded. */
function placeOf({ site: { visit } }: StaticTarget, row: SiteSpaceRow): string {
  return decodeURIComponent(siteSpacePath(visit.rows, row)).slice(1);
}
