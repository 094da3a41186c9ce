import type { Element, ElementContent, Parents, Root } from 'hast';
import { fromParse5 } from 'hast-util-from-parse5';
import { toMdast } from 'hast-util-to-mdast';
import { gfmToMarkdown } from 'mdast-util-gfm';
import { toMarkdown } from 'mdast-util-to-markdown';
import { withoutEmptyElements } from '../../../formats/markdown/empty-elements.js';
import { readHtmlPage } from '../../../formats/markdown/html-tree.js';
import { isHtmlElement, tokenizeHtml, type HtmlEvent } from '../../../formats/markdown/html.js';

const BEGINS_AS_HTML = /^\s*<(?:!doctype\b|!--|\/?([a-z][a-z0-9]*)\b)/i;
const BLOCK_END = /<\/(?:p|div|td|tr|table|body|html|ul|ol|li|h[1-6]|blockquote|center|section|article)\s*>/i;
const TAG = /<[a-z/!]/i;
const CODE = /(^|\n)[ \t]*(`{3,}|~{3,})[\s\S]*?(?:\n[ \t]*\2[^\n]*|$)|`[^`\n]+`/g;

const NOISE = new Set([
  'head',
  'script',
  'style',
  'noscript',
  'template',
  'title',
  'svg',
  'iframe',
  'object',
  'embed',
  'canvas',
  'form',
  'button',
  'select',
  'input',
  'textarea',
  'audio',
  'video',
  'map',
]);
const LAYOUT = new Set(['table', 'tbody', 'thead', 'tfoot', 'tr', 'td']);
const LINE_ENDS = new Set([
  'br',
  'p',
  'div',
  'li',
  'tr',
  'ul',
  'ol',
  'table',
  'blockquote',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'hr',
  'pre',
]);
const DROPPED_WITH_TEXT = new Set(['script', 'style', 'title']);
const WEB = /^https?:\/\//i;
/** Maximum nesting depth of elements; deeper ones are cut off, because tree algorithms recurse. */
const MAX_DEPTH = 200;

/**
 * Converts the body of a message to Markdown without HTML: HTML is converted, tags in Markdown are removed, code stays
 * unchanged.
 */
export function cleanBody(body: string): string {
  const text = body.replace(/\r\n?/g, '\n');
  if (!TAG.test(text)) return text.trim();
  const prose = text.replace(CODE, '');
  const [, name] = BEGINS_AS_HTML.exec(prose) ?? [];
  const beginsAsHtml = BEGINS_AS_HTML.test(prose) && (name === undefined || isHtmlElement(name.toLowerCase()));
  return ((beginsAsHtml || BLOCK_END.test(prose) ? fromHtml(text) : undefined) ?? withoutTags(text)).trim();
}

/** A subject is one line of text. */
export function cleanSubject(subject: string): string {
  return (TAG.test(subject) ? withoutTags(subject) : subject).replace(/\s+/g, ' ').trim();
}

/** Undefined for HTML whose tree is disproportionately large. */
function fromHtml(html: string): string | undefined {
  const read = readHtmlPage(html, MAX_DEPTH);
  if (!read) return undefined;
  const tree = fromParse5(read.tree) as Root;
  tidy(tree);
  return toMarkdown(toMdast(tree), { extensions: [gfmToMarkdown()], bullet: '*', rule: '-', resourceLink: true });
}

/** Removes nodes without content, layout tables, images, and links without a web address. */
function tidy(parent: Parents): void {
  const children = (parent.children as ElementContent[]).flatMap((child): ElementContent[] => {
    if (child.type !== 'element') return child.type === 'text' ? [child] : [];
    if (NOISE.has(child.tagName) || isHidden(child)) return [];
    if (child.tagName === 'img')
      return typeof child.properties['alt'] === 'string' ? [{ type: 'text', value: child.properties['alt'] }] : [];
    if (child.tagName === 'table' && !holds(child, 'th')) flatten(child);
    tidy(child);
    const isLink = child.tagName === 'a' && !WEB.test(String(child.properties['href'] ?? ''));
    return isLink ? child.children : [child];
  });
  parent.children = withoutEmptyElements(children);
}

function isHidden({ properties }: Element): boolean {
  const style = properties['style'];
  return (
    properties['hidden'] === true || (typeof style === 'string' && /display\s*:\s*none|mso-hide\s*:\s*all/i.test(style))
  );
}

function holds(element: Element, tagName: string): boolean {
  return element.children.some(
    (child) => child.type === 'element' && (child.tagName === tagName || holds(child, tagName)),
  );
}

function flatten(element: Element): void {
  if (LAYOUT.has(element.tagName)) element.tagName = 'div';
  for (const child of element.children) if (child.type === 'element') flatten(child);
}

/** Removes HTML tags around and in Markdown; text that only looks like a tag, such as `<your-key>`, stays. */
function withoutTags(markdown: string): string {
  const parts: string[] = [];
  let at = 0;
  for (const { index, 0: code } of markdown.matchAll(CODE)) {
    parts.push(proseWithoutTags(markdown.slice(at, index)), code);
    at = index + code.length;
  }
  parts.push(proseWithoutTags(markdown.slice(at)));
  return parts.join('');
}

function proseWithoutTags(prose: string): string {
  if (!TAG.test(prose)) return prose;
  let text = '';
  let dropping: string | undefined;
  for (const event of tokenizeHtml(prose)) {
    if (event.kind === 'open' && DROPPED_WITH_TEXT.has(event.name)) dropping = event.name;
    if (dropping === undefined) {
      const isKnown = (event.kind === 'open' || event.kind === 'close') && isHtmlElement(event.name);
      if (isKnown) text += LINE_ENDS.has(event.name) && !text.endsWith('\n') ? '\n' : '';
      else if (!(event.kind === 'raw' && event.raw.startsWith('<!')))
        text += isPlaceholder(event) ? event.raw : event.raw.replaceAll('<', '\\<');
    }
    if (event.kind === 'close' && event.name === dropping) dropping = undefined;
  }
  return text;
}

const AUTOLINK = /^<(?:https?:[^\s<>]*|[^\s<>@"'=]+@[^\s<>@"'=]+)>$/i;

/**
 * Tells whether an event is text, an address in angle brackets, or a bracketed name that no browser treats as a tag.
 */
function isPlaceholder(event: HtmlEvent): boolean {
  if (event.kind === 'text' || event.kind === 'raw' || AUTOLINK.test(event.raw)) return true;
  return (
    /^[\w.:-]+$/.test(event.name) &&
    (event.kind === 'close' ||
      [...event.attributes].every(([name, value]) => value === '' && /^(?!on)[\w.:-]+$/i.test(name)))
  );
}
