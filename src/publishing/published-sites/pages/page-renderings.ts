import { readerNoteOf } from '../../../authoring/content/domain/reader-note.js';
import { Injectable } from '@nestjs/common';
import { Addresses } from '../../../kernel/common/addresses.js';
import { wholeLayout } from '../../../authoring/content/domain/page-attributes.js';
import type { WrittenReferences } from '../../../authoring/content/relative-links.js';
import { presentTag } from '../../../authoring/content/present-content.js';
import { PLAYER_ORIGINS } from '../../../formats/html/embed-providers.js';
import type { ShownContent } from '../../../formats/html/rendered-content-cache.js';
import type { ContentRef, FileOrUrlRef } from '../../../formats/document/types.js';
import type { PageActionName } from '../../sites/domain/page-actions.js';
import type { SiteSpaceRow } from '../../sites/structure.schema.js';
import { PublishedVersions, type ReadingMoment } from '../published-versions.js';
import type { HttpResponse } from './http-response.js';
import { counterpartOf, type SpacePages } from './domain/counterparts.js';
import { navigationPages, type NavigationPage, type OmittedPages } from './domain/navigation.js';
import { addressBelow, askPath, FEEDBACK_PATH, MCP_PATH, siteSpacePath } from './domain/site-paths.js';
import {
  pageAncestors,
  neighbours,
  pathInSpace,
  shortTitle,
  tagsOfPage,
  type SpaceTree,
  type TreePage,
} from './domain/space-tree.js';
import { isForRobots, metaRefsOf, pageHead } from './page-head.js';
import { PageShells } from './page-shells.js';
import { KeptPages } from './kept-pages.js';
import { cachingOfPage } from './page-caching.js';
import { article } from './layout/article.js';
import { pageDocument } from './layout/page-document.js';
import type { PageShell, Head, Link, NavigationEntry, PageAction, PageView } from './layout/view.js';
import { PageContents } from './page-contents.js';
import { ReferenceLookup, type References } from './reference-lookup.js';
import { hasPdf, pdfAddress } from './site-pdfs.js';
import { ShownVerifications } from './shown-verifications.js';
import { isListed, isOpenToAgents, pagePath, type SitePlace } from './site-place.js';
import { SourceLinks } from './source-links.js';
import { SpaceTrees, type KnownTree } from './space-trees.js';
import type { PageToKeep } from './stored-page.js';

type Cover =
  | { readonly ref?: FileOrUrlRef; readonly refDark?: FileOrUrlRef; readonly yPos?: number; readonly height?: number }
  | undefined;

/** Renders pages of published sites as complete responses. */
@Injectable()
export class PageRenderings {
  private readonly making = new Map<string, { readonly read: ReadingMoment; readonly page: Promise<PageToKeep> }>();

  constructor(
    private readonly trees: SpaceTrees,
    private readonly frames: PageShells,
    private readonly contents: PageContents,
    private readonly references: ReferenceLookup,
    private readonly sources: SourceLinks,
    private readonly verifications: ShownVerifications,
    private readonly kept: KeptPages,
    private readonly versions: PublishedVersions,
    private readonly addresses: Addresses,
  ) {}

  /**
   * Renders and keeps a page; concurrent requests share the work unless something has changed since it began, or nobody
   * tells of changes (PUBLISHED_DELAY_SECONDS=0).
   */
  async render(place: SitePlace, known: KnownTree, page: TreePage): Promise<HttpResponse> {
    const pathname = pathInSpace(known.tree, page);
    const key = `${place.row.revisionId} ${this.kept.keyOf(place, pathname)}`;
    const read = this.versions.momentOf(place.visit);
    const begun = this.making.get(key);
    if (begun && this.versions.isKnownUnchanged(place.visit.site.organizationId, begun.read))
      return (await begun.page).answer;
    const making = { read, page: this.make(place, known, page) };
    this.making.set(key, making);
    try {
      const made = await making.page;
      this.kept.keep(place, pathname, made, read);
      return made.answer;
    } finally {
      if (this.making.get(key) === making) this.making.delete(key);
    }
  }

  /** The sidebar of a space, as shown on one of its pages or without one. */
  async navigation(
    place: SitePlace,
    tree: SpaceTree,
    current?: TreePage,
  ): Promise<{ readonly entries: NavigationEntry[]; readonly references: References }> {
    const list = navigationPages(tree, current);
    const written = targetsIn(list);
    const targets = written.flatMap((each) => each.references);
    const references = await this.references.of(place, targets, { isSiteWide: true, written });
    return { entries: list.map((entry) => navigationEntry(entry, place, tree, references)), references };
  }

  /** Renders a page, and keeps nothing. */
  async make(place: SitePlace, known: KnownTree, page: TreePage): Promise<PageToKeep> {
    const { tree } = known;
    const pathname = pathInSpace(tree, page);
    const { frame, used: ofFrame } = await this.frames.of(place, pathname);
    const cover = page.item.props['cover'] as Cover;
    const read = (await this.contents.read(place, [page], { keep: false })).get(page.item.id);
    if (!read) throw new Error('the page was not read');
    const { words, content, references, specifications } = await this.contents.html(
      place,
      page,
      read.document,
      frame.settings,
      [cover?.ref, cover?.refDark, ...metaRefsOf(page)].filter((ref) => ref !== undefined),
    );
    const navigation = await this.navigation(place, tree, page);
    const address = this.addressOf(place, place.row, tree, page);
    const markdown = `${place.origin}${addressBelow(place.base + siteSpacePath(place.visit.rows, place.row), page.path)}.md`;
    const coverView = coverOf(cover, page, references);
    const translations = await this.alternates(place, known, page, address);
    const view = viewOf(place, tree, page, frame);
    const verification = await this.verifications.of(place, page, frame);
    const head = pageHead({
      place,
      frame,
      tree,
      page,
      document: read.document,
      html: content.html,
      words,
      breadcrumbs: view.breadcrumbs,
      cover: coverView,
      references,
      address,
      markdown,
      translations: translations.links,
    });
    const shown = shownPage(view, content, {
      cover: coverView,
      verification: verification?.shown,
      actions: await this.actions(place, page, frame, { address, markdown }),
    });
    const document = pageDocument({
      frame,
      head,
      ...(view.layout.tableOfContents && { navigation: navigation.entries }),
      main: article(shown, frame),
      fileOrigins: place.isStatic ? [] : [new URL(this.addresses.public).origin],
      apiSources: content.apiSources ?? [],
      players: PLAYER_ORIGINS.filter((origin) => content.html.includes(`data-player="${origin}/`)),
    });
    return toKeep(place, page.item.id, document, {
      used: new Map([...ofFrame, ...references.used, ...navigation.references.used, ...translations.used]),
      specifications: new Map([...known.used, ...read.specifications, ...specifications]),
      verification,
      bucket: references.bucket,
      isProvisional: content.isProvisional,
    });
  }

  /** The actions on a page beside reading it, in the order of the settings. */
  private async actions(
    place: SitePlace,
    page: TreePage,
    frame: PageShell,
    { address, markdown }: { readonly address: string; readonly markdown: string },
  ): Promise<PageAction[]> {
    if (!wholeLayout(page.item.props['layout']).actions) return [];
    const { settings, words, siteSpace } = frame;
    const question = encodeURIComponent(`Read ${markdown} so that I can ask questions about it.`);
    const isOpen = isOpenToAgents(place.visit);
    const openIn = (name: string): string => words.openIn.replace('{name}', name);
    const { items } = settings.pageActions;
    const { edit, report } = await this.sources.of(place, page, frame, address);
    const linksOf: Readonly<Record<PageActionName, readonly PageAction[]>> = {
      assistant: [{ title: words.ask, href: askPath(place.base, siteSpace), isForPeople: true }],
      markdown: isOpen
        ? [
            { title: words.copyPage, copies: markdown },
            { title: words.viewMarkdown, href: new URL(markdown).pathname },
          ]
        : [],
      mcp: isOpen ? [{ title: 'MCP', href: addressBelow(place.base, MCP_PATH), isForPeople: true }] : [],
      // Other services can only read public content.
      'external-ai':
        isOpen && isListed(place.visit)
          ? [
              { title: openIn('ChatGPT'), href: `https://chatgpt.com/?hints=search&q=${question}`, isExternal: true },
              { title: openIn('Claude'), href: `https://claude.ai/new?q=${question}`, isExternal: true },
            ]
          : [],
      pdf: [
        { title: words.pdfOfPage, href: pdfAddress(place, page), isForPeople: true },
        { title: words.pdfOfAll, href: pdfAddress(place), isForPeople: true },
      ].filter(({ href }) => hasPdf(place, href)),
      git: edit,
    };
    return [...items.flatMap((item) => linksOf[item]), ...report];
  }

  /**
   * The canonical address of a page, whatever address the reader used: a site with a host of its own is also served
   * below the installation's.
   */
  private addressOf(place: SitePlace, row: SiteSpaceRow, tree: SpaceTree, page: TreePage): string {
    if (row.route === null || place.isStatic) return `${place.origin}${pagePath(place, row, tree, page)}`;
    return this.addresses.published(addressBelow(encodeURI(row.route), pathInSpace(tree, page)));
  }

  /**
   * The same page in the other languages of its section, for search engines, and the revisions that were used. Of several
   * site spaces in one language the first counts: search engines want each page named by all that it names.
   */
  private async alternates(
    place: SitePlace,
    { tree }: KnownTree,
    own: TreePage,
    address: string,
  ): Promise<{ readonly links: Head['alternates']; readonly used: ReadonlyMap<string, string> }> {
    const { visit, row } = place;
    const languages = oneOfEachLanguage(visit.rows.siteSpaces.filter((each) => each.sectionId === row.sectionId));
    const others = languages.filter(({ siteSpaceId }) => siteSpaceId !== row.siteSpaceId);
    if (languages.length === others.length || others.length === 0 || !isForRobots(own))
      return { links: [], used: new Map() };
    const pages: SpacePages[] = [];
    for (const other of others) pages.push({ spaceId: other.id, tree: (await this.trees.of(visit, other)).tree });
    const found = [{ language: row.language ?? '', href: address }];
    for (const [index, each] of pages.entries()) {
      const page = counterpartOf(own, { spaceId: row.id, tree }, each, pages);
      const other = others[index];
      if (page?.item.type === 'document' && isForRobots(page) && other)
        found.push({ language: other.language ?? '', href: this.addressOf(place, other, each.tree, page) });
    }
    const main = languages.find(({ isDefault }) => isDefault)?.language;
    const forOthers = found.find(({ language }) => language === main) ?? found[0];
    return {
      links: found.length > 1 && forOthers ? [...found, { language: 'x-default', href: forOthers.href }] : [],
      used: new Map(others.map(({ id, revisionId }) => [id, revisionId])),
    };
  }
}

/** The first site space in each language, where one is the default one that. */
function oneOfEachLanguage(rows: readonly SiteSpaceRow[]): SiteSpaceRow[] {
  const first = new Map<string, SiteSpaceRow>();
  for (const row of rows)
    if (row.language !== null && (row.isDefault || !first.has(row.language))) first.set(row.language, row);
  return [...first.values()];
}

/** A page with its headers, and all that it follows from. */
function toKeep(
  place: SitePlace,
  page: string,
  document: Pick<HttpResponse, 'body' | 'policy'>,
  follows: Omit<PageToKeep, 'answer'>,
): PageToKeep {
  return { answer: { status: 200, ...document, page, ...cachingOfPage(place, page, follows) }, ...follows };
}

function viewOf(
  place: SitePlace,
  tree: SpaceTree,
  page: TreePage,
  frame: PageShell,
): Omit<PageView, 'content' | 'heading' | 'outline' | 'actions'> {
  const { item } = page;
  const { icon, emoji, description } = item.props as { icon?: string; emoji?: string; description?: string };
  const layout = wholeLayout(item.props['layout']);
  const note = readerNoteOf(item.props);
  const linkOf = (other: TreePage): Link => ({
    title: shortTitle(other),
    ...(other.item.type === 'document' && { href: pagePath(place, place.row, tree, other) }),
  });
  const { previous, next } = neighbours(tree, page);
  return {
    title: item.title,
    ...(icon !== undefined && { icon }),
    ...(emoji !== undefined && { emoji }),
    ...(description !== undefined && { description }),
    ...(note && { note }),
    breadcrumbs: pageAncestors(page).map(linkOf),
    tags: layout.tags ? tagsOfPage(tree, page).map(({ tag }) => presentTag(tag)) : [],
    layout: { ...layout, pagination: layout.pagination && frame.settings.pagination.enabled },
    ...(previous && { previous: linkOf(previous) }),
    ...(next && { next: linkOf(next) }),
    updatedAt: item.updatedAt,
    ...(frame.settings.feedback.enabled && {
      feedback: {
        action: addressBelow(place.base, FEEDBACK_PATH),
        page: item.id,
        position: frame.settings.feedback.position,
      },
    }),
  };
}

/** A page with what was rendered for it. */
function shownPage(
  view: ReturnType<typeof viewOf>,
  content: ShownContent,
  {
    cover,
    verification,
    actions,
  }: { readonly [Part in 'cover' | 'verification']: PageView[Part] | undefined } & Pick<PageView, 'actions'>,
): PageView {
  return {
    ...view,
    content: content.html,
    // A title that was changed since takes precedence.
    ...(content.heading?.title === view.title && { heading: content.heading }),
    outline: content.outline,
    ...(cover && { cover }),
    ...(verification && { verification }),
    actions,
  };
}

function coverOf(cover: Cover, page: TreePage, references: References): PageView['cover'] {
  const { cover: isShown, coverSize, coverMask } = wholeLayout(page.item.props['layout']);
  const image = cover?.ref && isShown ? references.image(cover.ref) : undefined;
  const dark = cover?.refDark && references.image(cover.refDark);
  if (!cover || !image) return undefined;
  return {
    light: image,
    ...(dark && { dark }),
    alt: '',
    size: coverSize,
    mask: coverMask,
    yPos: cover.yPos ?? 0,
    ...(cover.height !== undefined && { height: cover.height }),
  };
}

/** The target of a page that is only a link. */
export function linkIn({ item, parent }: TreePage): WrittenReferences {
  return { references: [item.props['target'] as ContentRef], directory: parent?.path ?? '' };
}

function targetsIn(entries: readonly (NavigationPage | OmittedPages)[]): WrittenReferences[] {
  return entries
    .filter((entry) => 'page' in entry)
    .flatMap(({ page, children }) => [...(page.item.type === 'link' ? [linkIn(page)] : []), ...targetsIn(children)]);
}

function navigationEntry(
  entry: NavigationPage | OmittedPages,
  place: SitePlace,
  tree: SpaceTree,
  references: References,
): NavigationEntry {
  if ('count' in entry)
    return {
      kind: 'more',
      count: entry.count,
      ...(entry.nearest && { href: pagePath(place, place.row, tree, entry.nearest) }),
    };
  const { page, title, isCurrent, isOpen, children, hasMore } = entry;
  const { icon, emoji, target } = page.item.props as { icon?: string; emoji?: string; target?: ContentRef };
  const tag = tagsOfPage(tree, page).find(({ isPrimary }) => isPrimary)?.tag;
  const leads = page.item.type === 'link' && target ? references.link(target, page) : undefined;
  const href = leads ? leads.href : page.item.type === 'document' ? pagePath(place, place.row, tree, page) : undefined;
  return {
    kind: page.item.type === 'group' ? 'group' : page.item.type === 'link' ? 'link' : 'page',
    title,
    ...(href !== undefined && { href }),
    ...(leads?.isExternal === true && { isExternal: true }),
    ...(icon !== undefined && { icon }),
    ...(emoji !== undefined && { emoji }),
    ...(tag && { tag: presentTag(tag) }),
    isCurrent,
    isOpen,
    children: children.map((child) => navigationEntry(child, place, tree, references)),
    hasMore,
  };
}
