import type { DefaultTreeAdapterTypes } from 'parse5';
import { safeAddress } from '../../../kernel/common/safe-address.js';
import { webAddress } from '../../../kernel/common/web-address.js';
import { readHtmlPage } from '../../../formats/markdown/html-tree.js';

const MAX_TITLE = 300;
const MAX_ADDRESS = 2048;
/** That of elements in a head, and of those at the beginning of a page without one. */
const MAX_DEPTH = 8;

/** Facts about the target of an address that its own words tell. */
export interface EmbedFacts {
  readonly title?: string;
  /** The name of the site or service. */
  readonly site?: string;
  readonly icon?: string;
}

/** The title, site name and icon of a web page, by its Open Graph properties or its head. */
export function factsOfPage(html: string, address: string): EmbedFacts {
  const page = readHtmlPage(headOf(html), MAX_DEPTH);
  if (!page) return {};
  const found = new Map<string, string>();
  const note = (name: string, value: string | undefined): void => {
    const words = shortLine(value);
    if (words !== undefined && !found.has(name)) found.set(name, words);
  };
  for (const element of elementsOf(page.tree)) {
    const attributes = new Map(element.attrs.map(({ name, value }) => [name, value]));
    if (element.tagName === 'title') note('title', textIn(element));
    else if (element.tagName === 'meta')
      note((attributes.get('property') ?? attributes.get('name') ?? '').toLowerCase(), attributes.get('content'));
    else if (/(?:^|\s)icon(?:\s|$)/i.test(attributes.get('rel') ?? '')) note('icon', iconAt(attributes, address));
  }
  const title = found.get('og:title') ?? found.get('twitter:title') ?? found.get('title');
  const site = found.get('og:site_name') ?? found.get('application-name');
  const icon = found.get('icon');
  return {
    ...(title !== undefined && { title }),
    ...(site !== undefined && { site }),
    ...(icon !== undefined && { icon }),
  };
}

/** The words of an oEmbed answer (https://oembed.com), and the HTML with which it wants to be shown. */
export function factsOfOembed(json: string): EmbedFacts & { readonly html?: string } {
  const answer = objectIn(json);
  const words = (name: string): string | undefined => {
    const value = answer[name];
    return typeof value === 'string' ? shortLine(value) : undefined;
  };
  const title = words('title') ?? words('author_name');
  const site = words('provider_name');
  const { html } = answer;
  return {
    ...(title !== undefined && { title }),
    ...(site !== undefined && { site }),
    ...(typeof html === 'string' && { html }),
  };
}

function objectIn(json: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Bodies are long, and say nothing about the page. */
function headOf(html: string): string {
  const end = html.search(/<\/head|<body/i);
  return end < 0 ? html : html.slice(0, end);
}

function* elementsOf(parent: DefaultTreeAdapterTypes.ParentNode): Generator<DefaultTreeAdapterTypes.Element> {
  for (const node of parent.childNodes) {
    if (!('tagName' in node)) continue;
    // Pictures have titles of their own.
    if (node.tagName === 'svg') continue;
    yield node;
    yield* elementsOf(node);
  }
}

function textIn({ childNodes }: DefaultTreeAdapterTypes.Element): string {
  return childNodes.map((node) => ('value' in node ? node.value : '')).join('');
}

function iconAt(attributes: ReadonlyMap<string, string>, address: string): string | undefined {
  const href = attributes.get('href');
  const icon = href === undefined ? undefined : safeAddress(webAddress(href, address)?.href, 'icon');
  return icon !== undefined && /^https?:/.test(icon) && icon.length <= MAX_ADDRESS ? icon : undefined;
}

/** A text as one line of limited length; undefined for an empty one. */
function shortLine(text: string | undefined): string | undefined {
  const line = (text ?? '')
    .slice(0, 10 * MAX_TITLE)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  if (line === '') return undefined;
  return line.length <= MAX_ADDRESS && /^https?:\S+$/.test(line) ? line : [...line].slice(0, MAX_TITLE).join('');
}
