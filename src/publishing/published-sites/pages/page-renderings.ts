import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Addresses } from '../../../kernel/common/addresses.js';
import { Clock } from '../../../kernel/common/clock.js';
import type { UsedVersions } from '../../../authoring/content/computed-pages.js';
import { wholeLayout } from '../../../authoring/content/domain/page-attributes.js';
import type { ContentRef, FileOrUrlRef } from '../../../formats/document/types.js';
import { hourBucket } from '../../../kernel/platform/storage/file-urls.js';
import type { SiteSpaceRow } from '../../sites/structure.schema.js';
import type { HttpResponse } from './http-response.js';
import { navigationPages, type NavigationPage, type OmittedPages } from './domain/navigation.js';
import { addressBelow, MCP_PATH, siteSpacePath } from './domain/site-paths.js';
import {
  pageAncestors,
  neighbours,
  pathInSpace,
  shortTitle,
  type SpaceTree,
  type TreePage,
} from './domain/space-tree.js';
import { EditLinks } from './edit-links.js';
import { PageShells } from './page-shells.js';
import { HTML_MEDIA_TYPE, HtmlBody } from './html-body.js';
import { article } from './layout/article.js';
import { pageDocument } from './layout/page-document.js';
import type { PageShell, Head, Link, NavigationEntry, PageView } from './layout/view.js';
import { PageContents } from './page-contents.js';
import { ReferenceLookup, type References } from './reference-lookup.js';
import { pdfAddress } from './site-pdfs.js';
import { SiteAssets } from './site-assets.js';
import { dependsOnVisitor, isListed, isOpenToAgents, pagePath, type SitePlace } from './site-place.js';
import { SpaceTrees, type KnownTree } from './space-trees.js';
import { webAddress } from '../../../kernel/common/web-address.js';

const CACHE_BYTES = 96 * 1024 ** 2;
/** Milliseconds for which a page is cached whose code could not be highlighted in time. */
const PROVISIONAL = 30_000;

interface Kept {
  readonly answer: HttpResponse;
  /** The used state of other spaces, as in `References.used`. */
  readonly used: ReadonlyMap<string, string>;
  readonly specifications: UsedVersions;
  /** The hour of the signed addresses in it. */
  readonly bucket: number | undefined;
  /** True if rendering it again may improve it. */
  readonly isProvisional: boolean;
}

type Cover =
  | { readonly ref?: FileOrUrlRef; readonly refDark?: FileOrUrlRef; readonly yPos?: number; readonly height?: number }
  | undefined;

/** Pages of published sites as complete responses, cached as long as all their inputs are unchanged. */
@Injectable()
export class PageRenderings {
  private readonly kept = new LRUCache<string, Kept>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ answer }, key) =>
      (answer.body instanceof HtmlBody ? answer.body.size : 0) + 2 * key.length + 1000,
  });
  private readonly making = new Map<string, Promise<Kept>>();

  constructor(
    private readonly trees: SpaceTrees,
    private readonly frames: PageShells,
    private readonly contents: PageContents,
    private readonly references: ReferenceLookup,
    private readonly edits: EditLinks,
    private readonly assets: SiteAssets,
    private readonly addresses: Addresses,
    private readonly clock: Clock,
  ) {}

  /** A cached page that is still current. Costs no statement, unless it uses specifications. */
  async known(place: SitePlace, pathname: string): Promise<HttpResponse | undefined> {
    const kept = this.kept.get(this.keyOf(place, pathname));
    if (!kept || (kept.bucket !== undefined && kept.bucket !== hourBucket(this.clock.now()))) return undefined;
    if (!(await this.references.areCurrent(place.visit, kept.used))) return undefined;
    return (await this.trees.areCurrent(place.visit, place.row, kept.specifications)) ? kept.answer : undefined;
  }

  /** Renders and caches a page; concurrent requests share the work. */
  async render(place: SitePlace, known: KnownTree, page: TreePage): Promise<HttpResponse> {
    const key = this.keyOf(place, pathInSpace(known.tree, page));
    const making = this.making.get(key) ?? this.make(place, known, page).finally(() => this.making.delete(key));
    this.making.set(key, making);
    const made = await making;
    this.kept.set(key, made, made.isProvisional ? { ttl: PROVISIONAL } : {});
    return made.answer;
  }

  /** The sidebar of a space, as shown on one of its pages or without one. */
  async navigation(
    place: SitePlace,
    tree: SpaceTree,
    current?: TreePage,
  ): Promise<{ readonly entries: NavigationEntry[]; readonly references: References }> {
    const list = navigationPages(tree, current);
    const references = await this.references.of(place, targetsIn(list), { isSiteWide: true });
    return { entries: list.map((entry) => navigationEntry(entry, place, tree, references)), references };
  }

  private keyOf({ visit, row, base, origin }: SitePlace, pathname: string): string {
    return JSON.stringify([
      visit.site.id,
      visit.stamp,
      row.siteSpaceId,
      row.revisionId,
      base,
      origin,
      visit.claimsKey,
      visit.shareKey !== undefined,
      this.assets.version,
      pathname,
    ]);
  }

  private async make(place: SitePlace, known: KnownTree, page: TreePage): Promise<Kept> {
    const { tree } = known;
    const pathname = pathInSpace(tree, page);
    const { frame, used: ofFrame } = await this.frames.of(place, pathname);
    const { item } = page;
    const cover = item.props['cover'] as Cover;
    const meta = item.props['metaLinks'] as { canonical?: ContentRef; alternates?: ContentRef[] } | undefined;
    const read = (await this.contents.read(place, [page], { keep: false })).get(item.id);
    if (!read) throw new Error('the page was not read');
    const { words, content, references, specifications } = await this.contents.html(
      place,
      page,
      read.document,
      frame.settings,
      [cover?.ref, cover?.refDark, meta?.canonical, ...(meta?.alternates ?? [])].filter((ref) => ref !== undefined),
    );
    const navigation = await this.navigation(place, tree, page);
    const address = this.addressOf(place, place.row, tree, page);
    const markdown = `${place.origin}${addressBelow(place.base + siteSpacePath(place.visit.rows, place.row), page.path)}.md`;
    const coverView = coverOf(cover, page, references);
    const alternates = await this.alternates(place, pathname, address);
    const description = (item.props['description'] as string | undefined) ?? words;
    const head: Head = {
      ...headOf(place, page, description),
      canonical: (meta?.canonical && absolute(references.link(meta.canonical).href, place.origin)) ?? address,
      ...(isOpenToAgents(place.visit) && { markdown }),
      alternates: [...alternates.links, ...elsewhere(meta?.alternates ?? [], place, references)],
      hasCode: content.html.includes('<code'),
      ...(coverView && { image: absolute(coverView.src, place.origin) ?? coverView.src }),
    };
    const view: PageView = {
      ...viewOf(place, tree, page, frame),
      content: content.html,
      // A title that was changed since takes precedence.
      ...(content.heading?.title === item.title && { heading: content.heading }),
      outline: content.outline,
      ...(coverView && { cover: coverView }),
      actions: await this.actions(place, page, frame, markdown),
      ...(isOpenToAgents(place.visit) && frame.settings.pageActions.markdown && { markdown }),
    };
    const document = pageDocument({
      frame,
      head,
      ...(view.layout.tableOfContents && { navigation: navigation.entries }),
      main: article(view, frame),
      fileOrigins: [new URL(this.addresses.public).origin],
    });
    return {
      answer: {
        status: 200,
        headers: { 'Content-Type': HTML_MEDIA_TYPE, ...cachingOf(place) },
        ...document,
        page: item.id,
      },
      used: new Map([...ofFrame, ...references.used, ...navigation.references.used, ...alternates.used]),
      specifications: new Map([...known.used, ...read.specifications, ...specifications]),
      bucket: references.bucket,
      isProvisional: content.isProvisional,
    };
  }

  /** The actions on a page beside reading it. */
  private async actions(
    place: SitePlace,
    page: TreePage,
    { settings, words }: PageShell,
    markdown: string,
  ): Promise<Link[]> {
    const question = encodeURIComponent(`Read ${markdown} so that I can ask questions about it.`);
    const isOpen = isOpenToAgents(place.visit);
    const openIn = (name: string): string => words.openIn.replace('{name}', name);
    const edit = settings.git.showEditLink ? await this.edits.of(place, page) : undefined;
    return [
      ...(isOpen && settings.pageActions.markdown
        ? [{ title: words.viewMarkdown, href: new URL(markdown).pathname }]
        : []),
      ...(isOpen && settings.pageActions.mcp
        ? [{ title: 'MCP', href: addressBelow(place.base, MCP_PATH), isForPeople: true }]
        : []),
      // Other services can only read public content.
      ...(isOpen && settings.pageActions.externalAI && isListed(place.visit)
        ? [
            { title: openIn('ChatGPT'), href: `https://chatgpt.com/?hints=search&q=${question}`, isExternal: true },
            { title: openIn('Claude'), href: `https://claude.ai/new?q=${question}`, isExternal: true },
          ]
        : []),
      ...(settings.pdf.enabled
        ? [
            { title: words.pdfOfPage, href: pdfAddress(place, page), isForPeople: true },
            { title: words.pdfOfAll, href: pdfAddress(place), isForPeople: true },
          ]
        : []),
      ...(edit === undefined ? [] : [{ title: words.editPage, href: edit, isExternal: true }]),
    ];
  }

  /**
   * The canonical address of a page, whatever address the reader used: a site with a host of its own is also served
   * below the installation's.
   */
  private addressOf(place: SitePlace, row: SiteSpaceRow, tree: SpaceTree, page: TreePage): string {
    if (row.route === null) return `${place.origin}${pagePath(place, row, tree, page)}`;
    return this.addresses.published(addressBelow(encodeURI(row.route), pathInSpace(tree, page)));
  }

  /** The same page in the other languages of its section, and the revisions that were used. */
  private async alternates(
    place: SitePlace,
    pathname: string,
    address: string,
  ): Promise<{ readonly links: Head['alternates']; readonly used: ReadonlyMap<string, string> }> {
    const { visit, row } = place;
    const others = visit.rows.siteSpaces.filter(
      (each) => each.sectionId === row.sectionId && each.language !== null && each.language !== row.language,
    );
    if (row.language === null || others.length === 0) return { links: [], used: new Map() };
    const found = [{ language: row.language, href: address }];
    for (const other of others) {
      const { tree } = await this.trees.of(visit, other);
      const page = pathname === '' ? tree.first : tree.byPath.get(pathname);
      if (page && other.language !== null)
        found.push({ language: other.language, href: this.addressOf(place, other, tree, page) });
    }
    return {
      links: found.length > 1 ? found : [],
      used: new Map(others.map(({ id, revisionId }) => [id, revisionId])),
    };
  }
}

/**
 * Pages are revalidated at each request, so that a merge is visible at once; shared caches must not store pages that
 * differ between readers.
 */
export function cachingOf({ visit }: Pick<SitePlace, 'visit'>): Record<string, string> {
  return dependsOnVisitor(visit)
    ? { 'Cache-Control': 'private, no-cache', Vary: 'Accept, Cookie, Accept-Encoding' }
    : { 'Cache-Control': 'public, no-cache', Vary: 'Accept, Accept-Encoding' };
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
    breadcrumbs: pageAncestors(page).map(linkOf),
    layout: { ...layout, pagination: layout.pagination && frame.settings.pagination.enabled },
    ...(previous && { previous: linkOf(previous) }),
    ...(next && { next: linkOf(next) }),
    updatedAt: item.updatedAt,
    ...(frame.settings.feedback.enabled && { feedback: { action: `${place.base}/~feedback`, page: item.id } }),
  };
}

/** Metadata of the page itself for its head. */
function headOf({ visit }: SitePlace, { item, isHidden }: TreePage, description: string) {
  const isIndexed = isListed(visit) && item.props['noRobotsIndex'] !== true && !isHidden;
  return { title: item.title, ...(description !== '' && { description }), isIndexed };
}

function coverOf(cover: Cover, page: TreePage, references: References): PageView['cover'] {
  const { cover: isShown, coverSize } = wholeLayout(page.item.props['layout']);
  const image = cover?.ref && isShown ? references.image(cover.ref) : undefined;
  const dark = cover?.refDark && references.image(cover.refDark);
  if (!cover || !image) return undefined;
  return {
    src: image.src,
    ...(dark && { srcDark: dark.src }),
    alt: '',
    size: coverSize === 'full' ? 'full' : 'hero',
    yPos: cover.yPos ?? 0,
    ...(cover.height !== undefined && { height: cover.height }),
  };
}

/** Places that the author of a page names as its other forms, in the language of their site space. */
function elsewhere(
  targets: readonly ContentRef[],
  { visit, row, origin }: SitePlace,
  references: References,
): { language?: string; href: string }[] {
  return targets.flatMap((ref) => {
    const href = absolute(references.link(ref).href, origin);
    const space = 'space' in ref ? ref.space : undefined;
    const language = visit.rows.siteSpaces.find(({ id }) => id === space && id !== row.id)?.language ?? undefined;
    return href === undefined ? [] : [{ href, ...(language !== undefined && { language }) }];
  });
}

function targetsIn(entries: readonly (NavigationPage | OmittedPages)[]): ContentRef[] {
  return entries
    .filter((entry) => 'page' in entry)
    .flatMap(({ page, children }) => [
      ...(page.item.type === 'link' ? [page.item.props['target'] as ContentRef] : []),
      ...targetsIn(children),
    ]);
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
  const leads = page.item.type === 'link' && target ? references.link(target) : undefined;
  const href = leads ? leads.href : page.item.type === 'document' ? pagePath(place, place.row, tree, page) : undefined;
  return {
    kind: page.item.type === 'group' ? 'group' : page.item.type === 'link' ? 'link' : 'page',
    title,
    ...(href !== undefined && { href }),
    ...(leads?.isExternal === true && { isExternal: true }),
    ...(icon !== undefined && { icon }),
    ...(emoji !== undefined && { emoji }),
    isCurrent,
    isOpen,
    children: children.map((child) => navigationEntry(child, place, tree, references)),
    hasMore,
  };
}

function absolute(href: string | undefined, origin: string): string | undefined {
  return href === undefined ? undefined : webAddress(href, origin)?.href;
}
