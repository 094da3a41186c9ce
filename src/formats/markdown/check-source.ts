import type { Nodes, Parents } from 'mdast';
import type { DefaultTreeAdapterTypes as Html } from 'parse5';
import { ownEntry } from '../document/own-entry.js';
import { type FactCounts, splitWords } from './check-facts.js';
import { readFrontmatter } from './frontmatter.js';
import { isHtmlElement, tokenizeHtml } from './html.js';
import { readHtmlFragment } from './html-tree.js';
import { readMdast } from './mdast.js';

/** Maps a target in a source to the same text as the reference that it became. */
export type TargetKey = (target: string, kind: 'link' | 'image') => string;

const MARK_NODES: Readonly<Record<string, string | undefined>> = {
  strong: 'bold',
  emphasis: 'italic',
  delete: 'strikethrough',
};
const MARK_TAGS: Readonly<Record<string, string | undefined>> = {
  strong: 'bold',
  b: 'bold',
  em: 'italic',
  i: 'italic',
  del: 'strikethrough',
  s: 'strikethrough',
  strike: 'strikethrough',
  code: 'code',
  kbd: 'keyboard',
  sup: 'superscript',
  sub: 'subscript',
  mark: 'color',
};
/** Maximum nesting depth of the elements that are visited. */
const MAX_DEPTH = 500;
/** Tags whose content only repeats their attributes. */
const REPEATING = new Set([
  'content-ref',
  'openapi',
  'swagger',
  'openapi-operation',
  'openapi-schemas',
  'openapi-webhook',
]);

/**
 * Counts the content of a Markdown source: headings, links, images, code, cells, list items, marked words, hints, tabs,
 * steps, formulas and all visible words. It parses the source independently of the document reader, so that the two can
 * be compared.
 */
export function sourceFacts(source: string, facts: FactCounts, key: TargetKey): void {
  const { body } = readFrontmatter(source);
  const tree = readMdast(body);
  const walk = new SourceWalk(facts, key);
  walk.definitions(tree);
  walk.siblings(tree);
}

class SourceWalk {
  private readonly targets = new Map<string, string>();
  private readonly footnotes = new Set<string>();

  constructor(
    private readonly facts: FactCounts,
    private readonly key: TargetKey,
  ) {}

  definitions(node: Nodes): void {
    if (node.type === 'definition' && !this.targets.has(node.identifier)) this.targets.set(node.identifier, node.url);
    if (node.type === 'footnoteReference') this.footnotes.add(node.identifier);
    if ('children' in node) node.children.forEach((child) => this.definitions(child));
  }

  siblings(parent: Parents, marks: readonly string[] = []): void {
    let skipping: string | undefined;
    const open: string[] = [];
    parent.children.forEach((node, index) => {
      if (node.type === 'tagLine') {
        skipping = this.tagLine(node.value, skipping);
        return;
      }
      if (skipping !== undefined && index < parent.children.length - 1 && closesLater(parent, index, skipping)) return;
      skipping = undefined;
      const after = parent.children[index + 1];
      const isAnnotated =
        node.type === 'link' && node.url.startsWith('#user-content-fn-') && after?.type === 'footnoteReference';
      if (isAnnotated) this.siblings(node, marks);
      else if (node.type === 'html' && parent.type !== 'root' && isPhrasing(parent)) this.inlineTag(node.value, open);
      else
        this.node(
          node,
          [...marks, ...open.filter((tag) => !tag.startsWith('!')).flatMap((tag) => ownEntry(MARK_TAGS, tag) ?? [])],
          open.some((tag) => tag.startsWith('!')),
        );
    });
  }

  private node(node: Nodes, marks: readonly string[], isHidden: boolean): void {
    if (isHidden && node.type !== 'image') return;
    const mark = MARK_NODES[node.type];
    if (mark !== undefined && 'children' in node) {
      this.siblings(node, [...marks, mark]);
      return;
    }
    if (this.leaf(node, marks)) return;
    if (node.type === 'footnoteDefinition' && !this.footnotes.has(node.identifier)) return;
    this.container(node);
    if ('children' in node) this.siblings(node, marks);
  }

  /** Counts a node that has words but no children to visit; false for any other. */
  private leaf(node: Nodes, marks: readonly string[]): boolean {
    switch (node.type) {
      case 'text':
        this.words(node.value, marks);
        return true;
      case 'inlineCode':
        this.words(node.value, [...marks, 'code']);
        return true;
      case 'inlineMath':
        this.facts.add('math', node.value.trim());
        this.words(node.value, []);
        return true;
      case 'math':
        this.facts.add('math', [node.meta ?? '', node.value].filter((part) => part !== '').join('\n'));
        this.words(`${node.meta ?? ''} ${node.value}`, []);
        return true;
      case 'code':
        this.facts.add('code', `${node.lang ?? ''}\n${node.value}`);
        this.words(node.value, []);
        return true;
      case 'image':
        this.image(node.url, node.alt ?? '');
        this.words(node.title ?? '', []);
        return true;
      case 'imageReference':
        this.image(this.targets.get(node.identifier) ?? '', node.alt ?? '');
        return true;
      case 'html':
        this.html(node.value);
        return true;
      default:
        return false;
    }
  }

  /** Counts the properties of a node itself, apart from its children. */
  private container(node: Nodes): void {
    if (node.type === 'heading') this.facts.add(`heading ${node.depth}`, this.facts.textOf(plainText(node)));
    else if (node.type === 'link') this.facts.add('link', this.key(node.url, 'link'));
    else if (node.type === 'linkReference')
      this.facts.add('link', this.key(this.targets.get(node.identifier) ?? '', 'link'));
    else if (node.type === 'list') this.facts.add('list', node.ordered === true ? 'ordered' : 'unordered');
    else if (node.type === 'listItem') this.facts.add('item', String(node.checked ?? ''));
    else if (node.type === 'tableCell') this.facts.add('cell', this.facts.textOf(plainText(node)));
  }

  /** A line of tags: the tags, their visible titles, and text between them. */
  private tagLine(line: string, skipping: string | undefined): string | undefined {
    let rest = skipping;
    for (const match of line.matchAll(/\{%\s*(\w[\w-]*)((?:"(?:\\.|[^"])*"|'(?:\\.|[^'])*'|[^%"']|%(?!\}))*)%\}/g)) {
      const [, name = '', attributes = ''] = match;
      const value = (attribute: string): string | undefined =>
        new RegExp(`\\b${attribute}=(?:"((?:\\\\.|[^"])*)"|'((?:\\\\.|[^'])*)')`)
          .exec(attributes)
          ?.slice(1)
          .find((part) => part !== undefined)
          ?.replace(/\\(["'\\])/g, '$1');
      if (name === 'hint') this.facts.add('hint', value('style') ?? 'info');
      else if (name === 'tab') this.facts.add('tab', value('title') ?? '');
      else if (name === 'step') this.facts.add('step', '');
      else if (name === 'embed') this.facts.add('embed', value('url') ?? '');
      if (name === 'content-ref') this.facts.add('link', this.key(value('url') ?? '', 'link'));
      if (name === 'tab' || name === 'code') this.words(value('title') ?? '', []);
      if (REPEATING.has(name)) rest = name;
      else if (name === `end${rest ?? ''}`) rest = undefined;
    }
    this.words(line.replace(/\{%(?:"(?:\\.|[^"])*"|'(?:\\.|[^'])*'|[^%"']|%(?!\}))*%\}/g, ' '), []);
    return rest;
  }

  private inlineTag(tag: string, open: string[]): void {
    const name = /^<\/?([a-z][a-z0-9]*)/i.exec(tag)?.[1]?.toLowerCase();
    if (name === undefined) return;
    if (!isHtmlElement(name)) {
      this.words(tag, []);
      return;
    }
    if (tag.startsWith('</')) {
      const index = open.findLastIndex((each) => each.replace('!', '') === name);
      if (index !== -1) open.splice(index, 1);
      return;
    }
    const attribute = (wanted: string): string | undefined => fragmentAttribute(tag, wanted);
    if (name === 'img') {
      this.image(attribute('src') ?? '', attribute('alt') ?? '');
      return;
    }
    if (isIcon(name, attribute('class'))) {
      open.push('!i');
      return;
    }
    const isAnchor = name === 'a' && (attribute('id') !== undefined || attribute('data-footnote-ref') !== undefined);
    if (name === 'a' && attribute('href') !== undefined && !isAnchor)
      this.facts.add('link', this.key(attribute('href') ?? '', 'link'));
    if (name === 'code' && attribute('class') === 'expression') open.push('!code');
    else if (!tag.endsWith('/>') && name !== 'br') open.push(name);
  }

  private image(target: string, alt: string): void {
    this.facts.add('image', `${this.key(target, 'image')}\n${alt}`);
    this.words(alt, []);
  }

  private html(value: string): void {
    if (/^\s*<(?:!|\?)/.test(value)) return;
    const withoutTags = /^\s*<(?:pre|script|style)/i.test(value)
      ? value
      : value.replace(/^[ \t]*\{%.*%\}[ \t]*$/gm, (line) => {
          this.tagLine(line, undefined);
          return '';
        });
    const read = readHtmlFragment(wrapCells(withoutTags), MAX_DEPTH);
    if (read) this.element(read.tree, []);
    else for (const event of tokenizeHtml(withoutTags)) if (event.kind === 'text') this.words(event.value, []);
  }

  private element(node: Html.ParentNode, marks: readonly string[]): void {
    for (const child of node.childNodes) {
      if (child.nodeName === '#text' && 'value' in child) this.words(child.value, marks);
      else if ('tagName' in child) this.htmlElement(child, marks);
    }
  }

  private htmlElement(node: Html.Element, marks: readonly string[]): void {
    const attribute = (name: string): string | undefined => node.attrs.find((each) => each.name === name)?.value;
    const { tagName: name } = node;
    if (isIcon(name, attribute('class'))) return;
    if (name === 'script' || name === 'style' || (name === 'code' && attribute('class') === 'expression')) return;
    if (name === 'pre') {
      const code = node.childNodes.find(
        (child): child is Html.Element => 'tagName' in child && child.tagName === 'code',
      );
      const language =
        /^lang(?:uage)?-(\S+)$/.exec((code ?? node).attrs.find((each) => each.name === 'class')?.value ?? '')?.[1] ??
        '';
      const text = htmlText(node).replace(/\n$/, '');
      this.facts.add('code', `${language}\n${text}`);
      this.words(text, []);
      return;
    }
    if (name === 'img') this.image(attribute('src') ?? '', attribute('alt') ?? '');
    if (
      name === 'a' &&
      attribute('href') !== undefined &&
      attribute('id') === undefined &&
      attribute('data-footnote-ref') === undefined &&
      node.childNodes.length > 0
    ) {
      this.facts.add('link', this.key(attribute('href') ?? '', 'link'));
    }
    if (name === 'tr') {
      this.tableRow(node, marks);
      return;
    }
    if (/^h[1-6]$/.test(name)) this.facts.add(`heading ${name.slice(1)}`, this.facts.textOf(htmlText(node)));
    if (name === 'td' || name === 'th') this.facts.add('cell', this.facts.textOf(htmlText(node)));
    if (name === 'ul' || name === 'ol') this.facts.add('list', name === 'ol' ? 'ordered' : 'unordered');
    if (name === 'li') this.facts.add('item', '');
    const mark = ownEntry(MARK_TAGS, name);
    this.element(
      'content' in node ? (node as Html.Template).content : node,
      mark === undefined ? marks : [...marks, mark],
    );
  }

  /** Cells of a typed column contain values; only their links are compared. */
  private tableRow(row: Html.Element, marks: readonly string[]): void {
    const table = ancestor(row, 'table');
    const header = table === undefined ? [] : elements(table, 'th');
    const cells = row.childNodes.filter((child): child is Html.Element => 'tagName' in child);
    cells.forEach((cell, index) => {
      const type = header[index]?.attrs.find((each) => each.name === 'data-type')?.value;
      if (cell.tagName === 'th' || type === undefined || type === 'text') this.htmlElement(cell, marks);
      else
        for (const link of elements(cell, 'a'))
          this.facts.add('link', this.key(link.attrs.find((each) => each.name === 'href')?.value ?? '', 'link'));
    });
  }

  private words(text: string, marks: readonly string[]): void {
    for (const word of splitWords(text)) {
      this.facts.word(word);
      for (const mark of new Set(marks)) this.facts.add(`mark ${mark}`, word);
    }
  }
}

/** Markup that looks like a tag but is not an HTML element, such as `<T>`, is text. */
function isElement(tag: string): boolean {
  const name = /^<\/?([a-z][a-z0-9]*)/i.exec(tag)?.[1]?.toLowerCase();
  return name === undefined || isHtmlElement(name);
}

function isPhrasing(parent: Parents): boolean {
  return ['paragraph', 'heading', 'tableCell', 'strong', 'emphasis', 'delete', 'link'].includes(parent.type);
}

function closesLater(parent: Parents, from: number, name: string): boolean {
  return parent.children.slice(from + 1).some((node) => node.type === 'tagLine' && node.value.includes(`end${name}`));
}

/** A block of HTML may begin in the middle of a table, whose parts a parser discards outside of one. */
function wrapCells(html: string): string {
  return /^\s*<(?:tr|td|th|thead|tbody|\/)/i.test(html) && !/<table/i.test(html)
    ? html.replace(/<(\/?)(?:tr|td|th|thead|tbody)\b/gi, '<$1div')
    : html;
}

function fragmentAttribute(tag: string, name: string): string | undefined {
  const node = readHtmlFragment(tag, 2)?.tree.childNodes[0];
  return node !== undefined && 'attrs' in node ? node.attrs.find((each) => each.name === name)?.value : undefined;
}

function ancestor(node: Html.Element, name: string): Html.Element | undefined {
  let above = node.parentNode;
  while (above !== null && 'parentNode' in above) {
    if ('tagName' in above && above.tagName === name) return above;
    above = above.parentNode;
  }
  return undefined;
}

function elements(node: Html.ParentNode, name: string): Html.Element[] {
  return node.childNodes.flatMap((child) =>
    'tagName' in child ? [...(child.tagName === name ? [child] : []), ...elements(child, name)] : [],
  );
}

function htmlText(node: Html.ParentNode): string {
  return node.childNodes
    .map((child) => {
      if (child.nodeName === '#text' && 'value' in child) return child.value;
      if (!('tagName' in child)) return '';
      if (child.tagName === 'br') return ' ';
      return isIcon(child.tagName, child.attrs.find(({ name }) => name === 'class')?.value) ? '' : htmlText(child);
    })
    .join('');
}

/** An element of an icon, whose content only repeats its name. */
function isIcon(name: string, className = ''): boolean {
  return name === 'i' && className.startsWith('fa-');
}

function plainText(node: Nodes): string {
  if (node.type === 'html') return isElement(node.value) ? '' : node.value;
  if (node.type === 'image' || node.type === 'footnoteReference' || node.type === 'emoji') return '';
  if (node.type === 'break') return ' ';
  if ('value' in node) return node.value;
  return 'children' in node ? withoutIcons(node.children).map(plainText).join('') : '';
}

function withoutIcons(nodes: readonly Nodes[]): Nodes[] {
  let isInside = false;
  return nodes.filter((node) => {
    if (node.type !== 'html') return !isInside;
    if (/^<i\s/i.test(node.value)) isInside = isIcon('i', fragmentAttribute(node.value, 'class'));
    else if (/^<\/i\s*>/i.test(node.value)) isInside = false;
    return true;
  });
}
