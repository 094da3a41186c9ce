import type { Element, ElementContent, Nodes, Parents, Root } from 'hast';
import { fromParse5 } from 'hast-util-from-parse5';
import { toMdast } from 'hast-util-to-mdast';
import { gfmToMarkdown } from 'mdast-util-gfm';
import { toMarkdown } from 'mdast-util-to-markdown';
import { withoutEmptyElements } from '../../../formats/markdown/empty-elements.js';
import { readHtmlPage, TooMuchHtml } from '../../../formats/markdown/html-tree.js';
import { webAddress } from '../../../kernel/common/web-address.js';

/** Elements that are not part of a page's main content. */
const NOISE = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'nav',
  'header',
  'footer',
  'aside',
  'form',
  'button',
  'svg',
  'iframe',
  'dialog',
  'select',
  'object',
  'canvas',
]);
const ROLES = new Set(['navigation', 'banner', 'contentinfo', 'search', 'complementary', 'dialog']);
/** Elements that may hold the main content of a page, the best first. */
const MAIN: readonly ((element: Element) => boolean)[] = [
  (element) => element.tagName === 'main' || element.properties['role'] === 'main',
  (element) => element.tagName === 'article',
  (element) => element.tagName === 'body',
];
/** Deeper nesting is cut off, because tree algorithms recurse. */
const MAX_DEPTH = 200;

/** The content of a web page, as Markdown. */
export interface WebPage {
  readonly title: string;
  readonly description?: string;
  readonly markdown: string;
}

/** A parsed web page, independent of the rest of the import. */
export class ReadWebPage {
  private readonly tree: Root;
  private readonly main: Element | undefined;
  /** The base address of relative ones. */
  readonly base: string;

  /** `address` is the address of the page, '' for a file. Throws `TooMuchHtml`. */
  constructor(html: string, address: string) {
    const read = readHtmlPage(html, MAX_DEPTH);
    if (!read) throw new TooMuchHtml();
    this.tree = fromParse5(read.tree) as Root;
    const base = find(this.tree, (element) => element.tagName === 'base')?.properties['href'];
    this.base = (typeof base === 'string' ? webAddress(base, address)?.href : undefined) ?? address;
    this.main = MAIN.map((test) => find(this.tree, test)).find((found) => found !== undefined);
    if (this.main) dropNoise(this.main);
  }

  /** The targets of all links of the page, including navigation, as written. */
  links(): string[] {
    return attributesOf(this.tree, 'a', 'href');
  }

  /** The addresses of the images in the main content, as written. */
  images(): string[] {
    return this.main ? attributesOf(this.main, 'img', 'src') : [];
  }

  /** The page as Markdown; `rename` returns new targets of links and images. */
  convert(rename: (target: string, kind: 'link' | 'image') => string): WebPage {
    const main = this.main ?? { type: 'element', tagName: 'body', properties: {}, children: [] };
    visit(main, (element) => {
      const name = element.tagName === 'a' ? 'href' : element.tagName === 'img' ? 'src' : undefined;
      const target = name && element.properties[name];
      if (name !== undefined && typeof target === 'string')
        element.properties[name] = rename(target, name === 'href' ? 'link' : 'image');
    });
    const heading = find(main, (element) => element.tagName === 'h1');
    const title = text(heading) || text(find(this.tree, (element) => element.tagName === 'title'));
    if (heading) remove(main, heading);
    const described = find(
      this.tree,
      (element) => element.tagName === 'meta' && element.properties['name'] === 'description',
    )?.properties['content'];
    const body = toMarkdown(toMdast({ type: 'root', children: main.children }), {
      extensions: [gfmToMarkdown(), OWN_SYNTAX],
      bullet: '*',
      rule: '-',
      resourceLink: true,
    });
    return {
      title,
      ...(typeof described === 'string' && described.trim() !== '' && { description: described.trim() }),
      markdown: body,
    };
  }
}

/** Escapes characters with a meaning in this Markdown dialect and none in HTML. */
const OWN_SYNTAX = {
  unsafe: [
    { character: '{', after: '[%{]', inConstruct: 'phrasing' as const },
    { character: '$', inConstruct: 'phrasing' as const },
    { character: ':', before: '\\s', after: '[a-z0-9+_-]', inConstruct: 'phrasing' as const },
  ],
};

function isElement(node: Nodes): node is Element {
  return node.type === 'element';
}

function visit(parent: Parents, see: (element: Element) => void): void {
  for (const child of parent.children) {
    if (!isElement(child)) continue;
    see(child);
    visit(child, see);
  }
}

function find(parent: Parents, test: (element: Element) => boolean): Element | undefined {
  for (const child of parent.children) {
    if (child.type !== 'element') continue;
    const found = test(child) ? child : find(child, test);
    if (found) return found;
  }
  return undefined;
}

function remove(parent: Parents, gone: Element): void {
  parent.children = (parent.children as ElementContent[]).filter((child) => child !== gone);
  for (const child of parent.children) if (child.type === 'element') remove(child, gone);
}

function dropNoise(parent: Element): void {
  const children = parent.children.filter(
    (child) => !(child.type === 'comment' || (child.type === 'element' && isNoise(child))),
  );
  for (const child of children) if (child.type === 'element') dropNoise(child);
  parent.children = withoutEmptyElements(children);
}

function isNoise({ tagName, properties }: Element): boolean {
  const role = properties['role'];
  return (
    NOISE.has(tagName) ||
    (typeof role === 'string' && ROLES.has(role)) ||
    properties['hidden'] === true ||
    properties['ariaHidden'] === 'true'
  );
}

function attributesOf(tree: Parents, tagName: string, name: string): string[] {
  const values: string[] = [];
  visit(tree, (element) => {
    const value = element.tagName === tagName ? element.properties[name] : undefined;
    if (typeof value === 'string' && value.trim() !== '') values.push(value.trim());
  });
  return values;
}

function text(node: Nodes | undefined): string {
  return written(node).replace(/\s+/g, ' ').trim();
}

function written(node: Nodes | undefined): string {
  if (node?.type === 'text') return node.value;
  return node && 'children' in node ? node.children.map((child) => written(child as Nodes)).join('') : '';
}
