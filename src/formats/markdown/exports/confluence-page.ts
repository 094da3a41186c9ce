import { attributeOf, isElementNode } from '../pasted-marks.js';
import {
  childOf,
  decoded,
  findElement,
  findElements,
  hasClass,
  sourceLineOf,
  wordsIn,
  type HtmlElement,
  type HtmlNode,
} from './html-nodes.js';
import { ConfluenceMacros, filePath } from './confluence-macros.js';

/** A page of an export, apart from how its content is written. */
export interface ExportedPage {
  readonly title: string;
  readonly nodes: readonly HtmlNode[];
  readonly tags: readonly string[];
  readonly problems: readonly { readonly line: number; readonly message: string }[];
}

/** Reads a page of the HTML export of a Confluence space: its content without what surrounds it. */
export function confluencePage(page: readonly HtmlNode[]): ExportedPage {
  const main = findElement(page, (node) => attributeOf(node, 'id') === 'main-content');
  const macros = new ConfluenceMacros();
  const nodes = macros.rewritten(main?.childNodes ?? bodyOf(page));
  const files = attachmentsOf(page)
    .filter(([path]) => !macros.files.has(path))
    .map(([, , node]) => macros.file(node));
  return {
    title: confluenceTitle(page),
    nodes: [...nodes, ...files],
    tags: findElements(page, (node) => hasClass(node, 'aui-label')).map((node) => wordsIn(node)),
    problems: [...macros.problems, ...commentsOf(page)],
  };
}

function bodyOf(page: readonly HtmlNode[]): readonly HtmlNode[] {
  return findElement(page, ({ tagName }) => tagName === 'body')?.childNodes ?? [];
}

/** The title of a page without the name of its space before it. */
export function confluenceTitle(page: readonly HtmlNode[]): string {
  const written = wordsIn(
    findElement(page, (node) => attributeOf(node, 'id') === 'title-text') ??
      findElement(page, ({ tagName }) => tagName === 'title'),
  );
  const first = findElement(page, (node) => attributeOf(node, 'id') === 'breadcrumbs');
  const space = wordsIn(first && childOf(first, ({ tagName }) => tagName === 'li'));
  const prefix = space === '' ? '' : `${space} : `;
  if (prefix !== '' && written.startsWith(prefix)) return written.slice(prefix.length).trim();
  const colon = written.indexOf(' : ');
  return colon === -1 ? written : written.slice(colon + 3).trim();
}

/** The names of the files that a page has or shows, by their path in the export. */
export function confluenceFiles(page: readonly HtmlNode[]): (readonly [string, string])[] {
  const shown = findElements(page, (node) => attributeOf(node, 'data-linked-resource-default-alias') !== undefined);
  return [
    ...attachmentsOf(page).map(([path, name]) => [path, name] as const),
    ...shown.flatMap((node) => {
      const path = filePath(attributeOf(node, 'href') ?? attributeOf(node, 'data-image-src') ?? '');
      return path === undefined ? [] : [[path, attributeOf(node, 'data-linked-resource-default-alias') ?? ''] as const];
    }),
  ];
}

/** The list of attachments below the content: path, name and link of each. */
function attachmentsOf(page: readonly HtmlNode[]): (readonly [string, string, HtmlElement])[] {
  const section = sectionOf(page, 'attachments');
  if (!section) return [];
  return findElements(section.childNodes, ({ tagName }) => tagName === 'a').flatMap((node) => {
    const path = filePath(attributeOf(node, 'href') ?? '');
    return path === undefined ? [] : [[path, wordsIn(node), node] as const];
  });
}

/** A part of a page below its content, by the id of its heading. */
function sectionOf(page: readonly HtmlNode[], id: string): HtmlElement | undefined {
  const isHeading = (node: HtmlElement): boolean =>
    attributeOf(node, 'id') === id && hasClass(node, 'pageSectionTitle') && isElementNode(node);
  return findElements(page, (node) => hasClass(node, 'pageSection')).find(
    (section) => findElement(section.childNodes, isHeading) !== undefined,
  );
}

function commentsOf(page: readonly HtmlNode[]): { line: number; message: string }[] {
  const section = sectionOf(page, 'comments');
  if (!section) return [];
  const anchors = findElements(
    section.childNodes,
    (node) => attributeOf(node, 'name')?.startsWith('comment-') === true || hasClass(node, 'comment'),
  );
  const words = anchors.length === 1 ? '1 comment is' : `${anchors.length} comments are`;
  return anchors.length === 0 ? [] : [{ line: sourceLineOf(section), message: `${words} not imported` }];
}

/** The pages that an index names, as nested lists. */
export interface ExportedEntry {
  readonly title: string;
  readonly target: string;
  readonly line: number;
  readonly isHome: boolean;
  readonly children: readonly ExportedEntry[];
}

export interface ExportedList {
  readonly title: string;
  readonly line: number;
  readonly entries: readonly ExportedEntry[];
}

/** The lists of pages in the `index.html` of an export, each with its heading. */
export function confluenceIndex(page: readonly HtmlNode[]): ExportedList[] {
  return findElements(page, (node) => hasClass(node, 'pageSection')).flatMap((section) => {
    const entries = listsIn(section).flatMap(entriesOf);
    const heading = findElement(section.childNodes, ({ tagName }) => tagName === 'h2');
    return entries.length === 0
      ? []
      : [{ title: wordsIn(heading).replace(/[:：]$/, ''), line: sourceLineOf(section), entries }];
  });
}

function listsIn(node: HtmlElement): HtmlElement[] {
  return node.childNodes.filter((child): child is HtmlElement => isElementNode(child) && child.tagName === 'ul');
}

function entriesOf(list: HtmlElement): ExportedEntry[] {
  return list.childNodes.flatMap((item): ExportedEntry[] => {
    if (!isElementNode(item) || item.tagName !== 'li') return [];
    const link = childOf(item, ({ tagName }) => tagName === 'a');
    const children = listsIn(item).flatMap(entriesOf);
    const target = link && attributeOf(link, 'href');
    if (target === undefined) return children;
    const icon = childOf(item, ({ tagName }) => tagName === 'img');
    const isHome = icon !== undefined && (attributeOf(icon, 'src') ?? '').includes('home_page');
    return [{ title: wordsIn(link), target: decoded(target), line: sourceLineOf(item), isHome, children }];
  });
}
