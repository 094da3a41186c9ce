import type { Addresses } from '../../kernel/common/addresses.js';
import { withoutUndefined } from '../../formats/document/without-undefined.js';
import { safeAddress } from '../../kernel/common/safe-address.js';
import type { TagLook } from './domain/content-change.js';
import type { Item } from './domain/content-item.js';
import { wholeCover, wholeLayout } from './domain/page-attributes.js';
import { ancestorsOf, indexPages } from './domain/page-paths.js';
import { PageTree, type PageNode } from './domain/page-tree.js';
import type { FileUrls } from '../../kernel/platform/storage/file-urls.js';
import type { FileBody, PageBody, ReusableContentBody, TagBody } from './content.schema.js';

/** The presentation of content: the address of its place in the application, and the requested form. */
export interface ContentView {
  /** Address of the space, change request or revision in the application. */
  readonly app: string;
  readonly metadata: boolean;
}

/** The address in the application of a space, of one of its change requests, or of one of its revisions. */
export function appAddress(
  addresses: Addresses,
  space: { readonly organizationId: string; readonly id: string },
  within?: { readonly number: number } | { readonly revision: string },
): string {
  const base = `/o/${space.organizationId}/s/${space.id}`;
  if (within === undefined) return addresses.app(base);
  return addresses.app(
    'number' in within ? `${base}/~/changes/${within.number}` : `${base}/~/revisions/${within.revision}`,
  );
}

/** Characters of the longest address that clients must accept; longer ones also fail in browsers and proxies. */
const MAX_ADDRESS_LENGTH = 2048;

/** The address of a page, or of an anchor on it, by its path; by its id if that would be too long. */
export function pageUrl(view: Pick<ContentView, 'app'>, path: string, id: string, anchor = ''): string {
  const fragment = anchor === '' ? '' : `#${encodeURIComponent(anchor)}`;
  const address = `${view.app}/${path.split('/').map(encodeURIComponent).join('/')}${fragment}`;
  if (address.length <= MAX_ADDRESS_LENGTH) return address;
  const byId = `${view.app}/~/pages/${id}`;
  return byId.length + fragment.length <= MAX_ADDRESS_LENGTH ? `${byId}${fragment}` : byId;
}

/** All pages as trees, from the root down; with the tags that are among the items. */
export function presentTree(items: Iterable<Item>, view: ContentView): PageBody[] {
  return presentNodes(PageTree.of(items).roots, '', view);
}

/** One page with its subpages; `items` contains the page, its ancestors, its descendants and their tags. */
export function presentPageAlone(page: Item, items: readonly Item[], view: ContentView): PageBody {
  const above = ancestorsOf(page, indexPages(items))
    .flatMap((each) => each.slug ?? [])
    .join('/');
  return presentNode(PageTree.of(items).nodeOf(page), above, view);
}

/** The path of a page, by the path of the page above it. */
export function pathBelow({ slug }: Item, above: string): string {
  if (slug === null) return above;
  return above === '' ? slug : `${above}/${slug}`;
}

function presentNodes(nodes: readonly PageNode[], above: string, view: ContentView): PageBody[] {
  return nodes.map((node) => presentNode(node, above, view));
}

/** A page with its subpages, by the path of the page above it. */
export function presentNode({ page, tags, children }: PageNode, above: string, view: ContentView): PageBody {
  const path = pathBelow(page, above);
  const base = presentBase(page);
  switch (page.type) {
    case 'group':
      return {
        ...base,
        kind: 'group',
        type: 'group',
        slug: page.slug ?? '',
        path,
        ...flagsOf(page),
        pages: presentNodes(children, path, view),
      };
    case 'link':
      return {
        ...base,
        kind: 'link',
        type: 'link',
        ...given(page, 'target'),
        ...hrefOf(page),
        ...given(page, 'hidden'),
      };
    case 'computed':
      return { ...base, type: 'computed', ...given(page, 'computed') };
    default:
      return {
        ...base,
        kind: 'sheet',
        type: 'document',
        urls: { app: pageUrl(view, path, page.id) },
        slug: page.slug ?? '',
        path,
        ...given(page, 'description', 'linkTitle'),
        pages: presentNodes(children, path, view),
        ...(view.metadata && given(page, 'git')),
        layout: wholeLayout(page.props['layout']),
        ...(page.props['cover'] !== undefined && { cover: wholeCover(page.props['cover']) }),
        ...given(page, 'variables', 'metaLinks', 'condition'),
        tags: [...tags],
        ...flagsOf(page),
        ...(page.props['computed'] !== undefined
          ? { ...given(page, 'computed'), computedSeed: page.id }
          : page.hash !== null && { documentId: page.hash }),
      };
  }
}

function presentBase(page: Item) {
  return {
    id: page.id,
    title: page.title,
    ...given(page, 'emoji', 'icon'),
    createdAt: page.createdAt.toISOString(),
    updatedAt: page.updatedAt.toISOString(),
  };
}

function flagsOf(page: Item) {
  return given(page, 'hidden', 'noIndex', 'noRobotsIndex');
}

function hrefOf(page: Item): { href?: string } {
  const target = page.props['target'] as { kind?: string; url?: string } | undefined;
  const href = target?.kind === 'url' ? safeAddress(target.url) : undefined;
  return href === undefined ? {} : { href };
}

function given(item: Pick<Item, 'props'>, ...names: string[]): Record<string, never> {
  return Object.fromEntries(
    names.flatMap((name) => (item.props[name] === undefined ? [] : [[name, item.props[name]]])),
  ) as Record<string, never>;
}

export function presentFile(
  file: Pick<Item, 'id' | 'title' | 'props' | 'hash'>,
  urls: FileUrls,
  view: Pick<ContentView, 'metadata'>,
): FileBody {
  const { contentType, size, width, height } = file.props as {
    contentType: string;
    size: number;
    width?: number;
    height?: number;
  };
  return {
    id: file.id,
    name: file.title,
    contentType,
    downloadURL: urls.sign({ id: file.id, name: file.title, hash: file.hash ?? '' }),
    size,
    ...(width !== undefined && height !== undefined && { dimensions: { width, height } }),
    ...(view.metadata && given(file, 'git')),
  };
}

export function presentReusable(item: Item, view: Pick<ContentView, 'metadata'>): ReusableContentBody {
  return {
    id: item.id,
    title: item.title,
    ...(view.metadata && given(item, 'git')),
    ...(item.hash !== null && { document: item.hash }),
  };
}

export function presentTag({ id, title, props }: Item): TagBody {
  const { color = 'default', emoji, icon } = props as TagLook;
  // A merge can bring an emoji to a tag whose icon the other side set.
  const symbol = emoji === undefined ? { icon } : { emoji };
  return { slug: id, label: title, color, ...withoutUndefined(symbol) };
}

/** The tags among the items, in the order of their slugs. */
export function presentTags(items: readonly Item[]): TagBody[] {
  return items
    .filter(({ kind }) => kind === 'tag')
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map(presentTag);
}

/** The variables of a space by name. */
export function presentVariables(items: Iterable<Item>): Record<string, unknown> {
  return Object.fromEntries(
    [...items].filter((item) => item.kind === 'variable').map((item) => [item.id, item.props['value']]),
  );
}
