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
 * Attributes of HTML and SVG that hold addresses (https://html.spec.whatwg.org/multipage/indices.html#attributes-3 and those of before), by their
 * names in small letters without hyphens and colons, which is what all ways to write them in a tree have in common.
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
/** Between what stand several addresses. The size of a picture stands behind its address, after a space. */
const SEPARATORS: Readonly<Record<string, RegExp>> = {
  ping: /\s+/,
  archive: /[\s,]+/,
  attributionsrc: /\s+/,
  srcset: /,/,
  imagesrcset: /,/,
};
/** Metadata of a page whose content is an address. */
const META: Readonly<Record<string, AddressUse>> = { 'og:url': 'link', 'og:image': 'image', 'twitter:image': 'image' };

/** HTML that `htmlOf` has made before, and a style sheet or script of our own: written as it stands. */
export function rendered(html: string): Raw {
  return { type: 'raw', value: html };
}

/**
 * Elements as HTML, the only place where any is written. Texts are escaped, except what `rendered` has marked. An address that `safeAddress` does not
 * let through is left out with its attribute, wherever it comes from; it is taken out of the element itself, which nobody needs afterwards.
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
    // A whole page in an attribute has addresses of its own, and what is said of SVG while it moves may be one.
    const isHidden = key === 'srcdoc' || (key === 'attributename' && /href$/i.test(textOf(properties[name])));
    if (
      isHidden ||
      (use !== undefined && !isSafe(properties[name], isIcon(tagName, properties) ? 'icon' : use, SEPARATORS[key]))
    )
      delete properties[name];
  }
  if (tagName === 'meta') guardMeta(properties);
}

/** A page of ours leads nowhere by itself; what it tells of itself are addresses like all others. */
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
