import type { Element, ElementContent, Nodes } from 'hast';
import { sanitize, type Schema } from 'hast-util-sanitize';
import { el, shownAddress, textNode } from './elements.js';
import { readHtml } from './read-html.js';

const MAX_RAW = 30_000;
/** Maximum nesting depth of elements; deeper ones are left out. */
const MAX_DEPTH = 60;

const TAGS = [
  'p',
  'div',
  'span',
  'br',
  'b',
  'strong',
  'i',
  'em',
  's',
  'del',
  'ins',
  'u',
  'q',
  'small',
  'sub',
  'sup',
  'code',
  'kbd',
  'samp',
  'var',
  'pre',
  'ul',
  'ol',
  'li',
  'dl',
  'dt',
  'dd',
  'blockquote',
  'hr',
  'a',
  'abbr',
  'cite',
  'details',
  'summary',
  'table',
  'caption',
  'thead',
  'tbody',
  'tfoot',
  'tr',
  'th',
  'td',
];
/** Formatted text, without anything that loads, executes, or could be mistaken for a part of the surrounding page. */
const SCHEMA: Schema = {
  tagNames: TAGS,
  attributes: {
    a: ['href', 'title'],
    abbr: ['title'],
    ol: ['start'],
    td: ['rowSpan', 'colSpan'],
    th: ['rowSpan', 'colSpan', 'scope'],
  },
  protocols: { href: ['http', 'https', 'mailto', 'tel'] },
  ancestors: {
    caption: ['table'],
    thead: ['table'],
    tbody: ['table'],
    tfoot: ['table'],
    tr: ['table'],
    th: ['table'],
    td: ['table'],
  },
  strip: [
    'script',
    'style',
    'template',
    'noscript',
    'iframe',
    'object',
    'svg',
    'math',
    'textarea',
    'title',
    'xmp',
    'noembed',
    'noframes',
    'plaintext',
    'select',
    'head',
  ],
  required: {},
  clobber: [],
  clobberPrefix: '',
};

/**
 * The visible content of unsupported markup: for HTML its text, without any active content; for tags such as `{%
 * unknown url="https://…" %}` their address; nothing for comments. Undefined for other text, which is shown unchanged.
 */
export function rawMarkupContent(text: string): ElementContent[] | undefined {
  const { tags, rest } = cutTags(text);
  const source = rest.trim();
  if (source === '')
    return tags.flatMap((tag) => /\b(?:src|url|href)="(https?:[^"\s]+)"/i.exec(tag)?.slice(1) ?? []).map(addressLine);
  if (!source.startsWith('<') || source.length > MAX_RAW) return undefined;
  const read = readHtml(source, MAX_DEPTH);
  if (!read) return undefined;
  const safe = sanitize(read.tree, SCHEMA);
  const content =
    'children' in safe
      ? safe.children.flatMap((node) => (node.type === 'element' || node.type === 'text' ? [node] : []))
      : [];
  for (const node of content) guard(node, false);
  return hasWords(safe)
    ? [{ type: 'element', tagName: 'div', properties: { className: ['raw'] }, children: content }]
    : [];
}

/** Elements that would show something although they have no words. */
const SHOWING = /<(?:iframe|img|video|audio|object|embed|picture|svg|canvas|math)\b/i;

/** Tells whether markup is meant to show something: comments, anchors, scripts and ends of tags are not. */
export function isMeantToShow(text: string): boolean {
  const { tags, rest } = cutTags(text);
  return tags.some((tag) => !/^-?\s*end/i.test(tag)) || SHOWING.test(rest);
}

/** Extracts the tags of a text, each on one line, and the text without them. */
function cutTags(text: string): { readonly tags: readonly string[]; readonly rest: string } {
  const tags: string[] = [];
  const rest: string[] = [];
  let [from, end, lineEnd] = [0, -1, -1];
  for (let at = text.indexOf('{%'); at !== -1;) {
    if (end < at + 2) end = after(text, '%}', at + 2);
    if (lineEnd < at) lineEnd = after(text, '\n', at);
    if (end < lineEnd) {
      rest.push(text.slice(from, at));
      tags.push(text.slice(at + 2, end));
      from = end + 2;
    }
    // If no tag ends on this line, none that begins on it does.
    at = text.indexOf('{%', end < lineEnd ? from : lineEnd);
  }
  return { tags, rest: [...rest, text.slice(from)].join('') };
}

/** The position of a mark after a position, or the end of the text. */
function after(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at === -1 ? text.length : at;
}

function addressLine(address: string): ElementContent {
  const href = shownAddress(address);
  return el('p', {}, href === undefined ? textNode(address) : el('a', { href, rel: 'noopener' }, textNode(address)));
}

/** Nested links become text, because parsers would restructure them; addresses are checked as everywhere. */
function guard(node: ElementContent, isLinked: boolean): void {
  if (node.type !== 'element') return;
  if (node.tagName === 'a') restrict(node, isLinked);
  for (const child of node.children) guard(child, isLinked || node.tagName === 'a');
}

function restrict(link: Element, isLinked: boolean): void {
  const { href } = link.properties;
  const safe = isLinked || typeof href !== 'string' ? undefined : shownAddress(href);
  if (safe === undefined) {
    link.tagName = 'span';
    link.properties = {};
  } else link.properties = { ...link.properties, href: safe, rel: ['noopener'] };
}

function hasWords(tree: Nodes): boolean {
  return 'children' in tree ? tree.children.some(hasWords) : tree.type === 'text' && tree.value.trim() !== '';
}
