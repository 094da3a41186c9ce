import type { Element, ElementContent, Nodes, Parents, Root } from 'hast';
import { fromParse5 } from 'hast-util-from-parse5';
import { toMdast } from 'hast-util-to-mdast';
import { gfmToMarkdown } from 'mdast-util-gfm';
import { toMarkdown } from 'mdast-util-to-markdown';
import { withoutEmptyElements } from '../../../formats/markdown/empty-elements.js';
import { readHtmlPage, TooMuchHtml } from '../../../formats/markdown/html-tree.js';
import { webAddress } from '../../../kernel/common/web-address.js';

/** Elements that are no part of what a page says. */
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
/** Elements of which one holds what the page says, the best first. */
const MAIN: readonly ((element: Element) => boolean)[] = [
  (element) => element.tagName === 'main' || element.properties['role'] === 'main',
  (element) => element.tagName === 'article',
  (element) => element.tagName === 'body',
];
/** Deeper nesting is cut off: what reads the tree goes down into it. */
const MAX_DEPTH = 200;

/** What a page of the web says, as Markdown. */
export interface WebPage {
  readonly title: string;
  readonly description?: string;
  readonly markdown: string;
}

/** A page that has been read, as far as it does not depend on what else is imported. */
export class ReadWebPage {
  private readonly tree: Root;
  private readonly main: Element | undefined;
  /** The address that relative ones count from. */
  readonly base: string;

  /** `address` is where the page came from, '' for a file. Throws `TooMuchHtml`. */
  constructor(html: string, address: string) {
    const read = readHtmlPage(html, MAX_DEPTH);
    if (!read) throw new TooMuchHtml();
    this.tree = fromParse5(read.tree) as Root;
    const base = find(this.tree, (element) => element.tagName === 'base')?.properties['href'];
    this.base = (typeof base === 'string' ? webAddress(base, address)?.href : undefined) ?? address;
    this.main = MAIN.map((test) => find(this.tree, test)).find((found) => found !== undefined);
    if (this.main) dropNoise(this.main);
  }

  /** The targets of all links of the page, navigation included, as they are written. */
  links(): string[] {
    return attributesOf(this.tree, 'a', 'href');
  }

  /** The addresses of the pictures in what the page says, as they are written. */
  images(): string[] {
    return this.main ? attributesOf(this.main, 'img', 'src') : [];
  }

  /** The page as Markdown; `rename` gives links and pictures their new targets. */
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

/** What has a meaning in Markdown here and none in HTML is escaped. */
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
