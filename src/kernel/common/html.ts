import type { Element, ElementContent, Nodes, Properties, Raw } from 'hast';
import { toHtml } from 'hast-util-to-html';
import { safeAddress, type AddressUse } from './safe-address.js';

declare module 'hast' {
  interface Raw {
    type: 'raw';
    value: string;
  }
}

/**
 * Attributes of HTML and SVG that hold addresses (https://html.spec.whatwg.org/multipage/indices.html#attributes-3 and
 * obsolete ones), by their names in lower case without hyphens and colons, a form that all spellings in a tree share.
 */
const ADDRESSES: Readonly<Record<string, AddressUse>> = {
  href: 'link',
  xlinkhref: 'link',
  xmlbase: 'link',
  action: 'link',
  formaction: 'link',
  cite: 'link',
  data: 'link',
  ping: 'link',
  manifest: 'link',
  longdesc: 'link',
  usemap: 'link',
  codebase: 'link',
  classid: 'link',
  archive: 'link',
  profile: 'link',
  src: 'image',
  srcset: 'image',
  imagesrcset: 'image',
  poster: 'image',
  background: 'image',
  icon: 'image',
  lowsrc: 'image',
  dynsrc: 'image',
  attributionsrc: 'link',
};
/** Separators between several addresses. The size of an image follows its address after a space. */
const SEPARATORS: Readonly<Record<string, RegExp>> = {
  ping: /\s+/,
  archive: /[\s,]+/,
  attributionsrc: /\s+/,
  srcset: /,/,
  imagesrcset: /,/,
};
/** Metadata of a page whose content is an address. */
const META: Readonly<Record<string, AddressUse>> = { 'og:url': 'link', 'og:image': 'image', 'twitter:image': 'image' };

/** HTML that `htmlOf` has produced before, and style sheets or scripts of our own: written unchanged. */
export function rendered(html: string): Raw {
  return { type: 'raw', value: html };
}

/**
 * Serializes elements as HTML, the only place where HTML is written. Texts are escaped, except those marked by
 * `rendered`. An attribute whose address `safeAddress` refuses is left out, wherever it comes from; it is removed from
 * the element itself, which is not used afterwards.
 */
export function htmlOf(content: readonly (ElementContent | Raw)[]): string {
  const root = { type: 'root' as const, children: content as ElementContent[] };
  guard(root);
  return toHtml(root, { allowDangerousHtml: true });
}

function guard(node: Nodes): void {
  if (node.type === 'element') guardElement(node);
  if (!('children' in node)) return;
  for (const child of node.children) guard(child);
  if ('content' in node && node.content) guard(node.content);
}

function guardElement({ tagName, properties }: Element): void {
  for (const name of Object.keys(properties)) {
    const key = name.toLowerCase().replace(/[-:]/g, '');
    const use = Object.hasOwn(ADDRESSES, key) ? ADDRESSES[key] : undefined;
    // An attribute with a whole page has addresses of its own, and the values of an SVG animation may be addresses.
    const isHidden = key === 'srcdoc' || (key === 'attributename' && /href$/i.test(textOf(properties[name])));
    if (
      isHidden ||
      (use !== undefined && !isSafe(properties[name], isIcon(tagName, properties) ? 'icon' : use, SEPARATORS[key]))
    )
      delete properties[name];
  }
  if (tagName === 'meta') guardMeta(properties);
}

/** A generated page never redirects by itself; addresses in its metadata are checked like all others. */
function guardMeta(properties: Properties): void {
  const use = META[textOf(properties['property'] ?? properties['name']).toLowerCase()];
  if (properties['httpEquiv'] !== undefined || (use !== undefined && !isSafe(properties['content'], use, undefined)))
    delete properties['content'];
}

function isIcon(tagName: string, { rel }: Properties): boolean {
  return tagName === 'link' && /\bicon\b/i.test(textOf(rel));
}

function isSafe(value: Properties[string], use: AddressUse, separator: RegExp | undefined): boolean {
  const text = textOf(value);
  const addresses =
    separator === undefined ? [text] : text.split(separator).map((part) => part.trim().split(/\s/, 1)[0] ?? '');
  return addresses.every((address) => safeAddress(address, use) !== undefined);
}

function textOf(value: Properties[string]): string {
  return Array.isArray(value) ? value.join(' ') : String(value ?? '');
}
