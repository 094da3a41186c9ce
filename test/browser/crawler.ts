import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { isWebAddress } from '../../src/kernel/common/web-address.js';
import { splitWords } from '../../src/formats/markdown/check-facts.js';

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

/** What an address of the crawled origin answered. */
export interface Crawled {
  readonly url: string;
  readonly status: number;
  readonly type: string;
  /** Where a redirect leads. */
  readonly location?: string;
  /** Pages that lead here, by their addresses. */
  readonly from: Set<string>;
  readonly bytes: number;
  /** Of HTML: its visible words, each with how often it occurs, and the ids of its elements. */
  readonly words?: ReadonlyMap<string, number>;
  readonly ids?: ReadonlySet<string>;
}

/** A link to a part of a page. */
export interface Fragment {
  readonly from: string;
  readonly page: string;
  readonly id: string;
}

export interface Crawl {
  readonly answers: ReadonlyMap<string, Crawled>;
  readonly fragments: readonly Fragment[];
  /** Addresses of other origins, which are not visited. */
  readonly foreign: ReadonlySet<string>;
}

const AT_ONCE = 8;
const BLOCKS =
  /^(address|article|aside|blockquote|br|button|dd|details|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hr|legend|li|main|nav|ol|option|p|pre|section|small|summary|table|tbody|td|tfoot|th|thead|tr|ul|label|input)$/;
/** What is read but not seen, and what is for programs. */
const UNSEEN = /^(script|style|template|head)$/;
const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  a: ['href'],
  link: ['href'],
  img: ['src', 'srcset'],
  source: ['src', 'srcset'],
  script: ['src'],
  video: ['src', 'poster'],
  audio: ['src'],
  iframe: ['src'],
  form: [],
  object: ['data'],
};

const isElement = (node: Node): node is Element => 'tagName' in node;
const attributeOf = (element: Element, name: string): string | undefined =>
  element.attrs.find((attribute) => attribute.name === name)?.value;

/** The text of a page as a reader sees or hears it: blocks apart from each other, and where wanted each piece of text apart. */
function textOf(node: Node, isApart: boolean): string {
  if (node.nodeName === '#text') return (node as DefaultTreeAdapterTypes.TextNode).value;
  if (!isElement(node))
    return 'childNodes' in node ? node.childNodes.map((child) => textOf(child, isApart)).join('') : '';
  if (UNSEEN.test(node.tagName)) return '';
  if (node.tagName === 'img') return ` ${attributeOf(node, 'alt') ?? ''} `;
  const inner = node.childNodes.map((child) => textOf(child, isApart)).join(isApart ? ' ' : '');
  return isApart || BLOCKS.test(node.tagName) ? ` ${inner} ` : inner;
}

/** Words with how often they occur, whether marks within words part them or not. */
function wordsOf(page: Node): Map<string, number> {
  const counts = counted(splitWords(textOf(page, false)));
  for (const [word, count] of counted(splitWords(textOf(page, true))))
    counts.set(word, Math.max(count, counts.get(word) ?? 0));
  return counts;
}

function visit(node: Node, see: (element: Element) => void): void {
  if (isElement(node)) see(node);
  if ('childNodes' in node) for (const child of node.childNodes) visit(child, see);
}

function addressesOf(element: Element): string[] {
  return (ADDRESSES[element.tagName] ?? []).flatMap((name) => {
    const value = attributeOf(element, name);
    if (value === undefined) return [];
    return name === 'srcset' ? value.split(',').map((part) => part.trim().split(/\s+/)[0] ?? '') : [value];
  });
}

function counted(all: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const each of all) counts.set(each, (counts.get(each) ?? 0) + 1);
  return counts;
}

/** Visits an address and everything of the same origin that pages lead to, in files of style as well as in HTML. */
export async function crawl(start: string, headers: Readonly<Record<string, string>> = {}): Promise<Crawl> {
  const { origin } = new URL(start);
  const answers = new Map<string, Crawled>();
  const fragments: Fragment[] = [];
  const foreign = new Set<string>();
  const waiting: string[] = [];
  const from = new Map<string, Set<string>>();

  const lead = (address: string, page: string): void => {
    if (!isWebAddress(address, page))
      throw new Error(`${page} leads to ${JSON.stringify(address)}, which is no address`);
    const url = new URL(address, page);
    if (!/^https?:$/.test(url.protocol)) return;
    const id = decodeURIComponent(url.hash.slice(1));
    url.hash = '';
    if (url.origin !== origin) return void foreign.add(url.href);
    if (id !== '' && !id.startsWith(':~:')) fragments.push({ from: page, page: url.href, id });
    const known = from.get(url.href);
    if (known) return void known.add(page);
    from.set(url.href, new Set([page]));
    waiting.push(url.href);
  };

  const fetchOne = async (url: string): Promise<void> => {
    const response = await fetch(url, { redirect: 'manual', headers });
    const type = response.headers.get('content-type') ?? '';
    const location = response.headers.get('location');
    const body = Buffer.from(await response.arrayBuffer());
    const isPage = response.status !== 404 && type.startsWith('text/html');
    const ids = new Set<string>();
    const page = type.startsWith('text/html') ? parse(body.toString()) : undefined;
    if (page && isPage) {
      visit(page, (element) => {
        const id = attributeOf(element, 'id');
        if (id !== undefined) ids.add(id);
        // PDFs are made for those who ask for them.
        if (attributeOf(element, 'rel')?.split(' ').includes('nofollow') !== true)
          for (const address of addressesOf(element)) lead(address, url);
      });
    }
    if (type.startsWith('text/css'))
      for (const [, address = ''] of body.toString().matchAll(/url\(["']?([^"')]+)["']?\)/g)) lead(address, url);
    if (location !== null) lead(location, url);
    answers.set(url, {
      url,
      status: response.status,
      type,
      from: from.get(url) ?? new Set(),
      bytes: body.length,
      ...(location !== null && { location }),
      ...(page && { words: wordsOf(page), ids }),
    });
  };

  lead(start, start);
  while (waiting.length > 0) await Promise.all(waiting.splice(0, AT_ONCE).map(fetchOne));
  return { answers, fragments, foreign };
}
