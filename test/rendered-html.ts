import { defaultTreeAdapter, parseFragment, serialize, type DefaultTreeAdapterTypes } from 'parse5';
import { document, paragraph, plain } from '../src/formats/document/build.js';
import type { Block, Document, Node } from '../src/formats/document/types.js';
import { RAW_SYNTAX } from '../src/formats/document/types.js';
import { ownEntry } from '../src/formats/document/own-entry.js';
import { Highlighter } from '../src/formats/html/highlighting.js';
import { renderRequirementsOf } from '../src/formats/html/render-requirements.js';
import { renderContent, type RenderedContent } from '../src/formats/html/render.js';
import type { ReferenceResolver } from '../src/formats/html/render-context.js';

/** Surroundings in which everything is there: addresses lead where they say, everything else to something of the site. */
export const EVERYTHING: ReferenceResolver = {
  link: (ref) =>
    ref.kind === 'url'
      ? { href: ref.url, isExternal: /^https?:/.test(ref.url) }
      : { href: `/${ref.kind}`, title: `The ${ref.kind}`, icon: 'rocket' },
  image: (ref) => (ref.kind === 'url' ? { src: ref.url } : { src: '/picture.png', width: 640, height: 320 }),
  file: () => ({ href: '/handbook.pdf', name: 'handbook.pdf', size: 12_345 }),
  reusable: () => document([paragraph(plain('Words that are used again'))]),
  search: '/~search?q=',
  externalTarget: 'blank',
  iconStyle: 'regular',
};

const highlighter = new Highlighter();

/** A document as HTML, rendered here, with its code in colours. */
export async function rendered(source: Document, resolver: ReferenceResolver = EVERYTHING): Promise<RenderedContent> {
  const { code } = renderRequirementsOf(source, resolver);
  return renderContent(source, resolver, { colors: (await highlighter.prepare(code)).colors });
}

const ELEMENTS = new Set(
  'a abbr annotation blockquote br button code col colgroup details div em figcaption figure h2 h3 h4 h5 h6 hr img input kbd label li mark ol p path pre s section span strong sub summary sup svg table tbody td th thead time tr ul wbr'.split(
    ' ',
  ),
);
const MATHML = /^(math|semantics|annotation|m[a-z]+)$/;
const ATTRIBUTES = new Set(
  'alt aria-hidden aria-label checked class d data-copy data-diagram data-note data-source datetime decoding disabled download fetchpriority for height hidden href id loading name open rel role scope sizes src srcset start tabindex target title type viewBox width'.split(
    ' ',
  ),
);
const ADDRESSES = new Set(['href', 'src']);
const SAFE_ADDRESS = /^(https?:|mailto:|tel:|[^:]*$|[^:/?#]*[/?#])/i;

type Tree = DefaultTreeAdapterTypes.ParentNode;
type Element = DefaultTreeAdapterTypes.Element;

/** HTML as a browser reads it. */
export class ReadHtml {
  readonly elements: Element[] = [];
  readonly text: string;
  private readonly errors: string[] = [];
  private readonly tree: Tree;

  constructor(readonly html: string) {
    this.tree = parseFragment(html, {
      onParseError: ({ code, startOffset }) =>
        this.errors.push(`${code} at ${html.slice(Math.max(0, startOffset - 60), startOffset + 40)}`),
    });
    this.text = this.read(this.tree);
  }

  /** What is wrong with it; nothing that content says may lead to any of this. */
  faults(): string[] {
    const ids = this.elements.flatMap((element) => attributeOf(element, 'id') ?? []);
    const again = serialize(this.tree);
    return [
      ...this.errors,
      ...differences(tagsIn(this.html), tagsIn(again)),
      ...(serialize(parseFragment(again)) === again ? [] : ['is read as something else when it is written again']),
      ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `the id ${id} twice`),
      ...this.elements.flatMap((element) => faultsOf(element)),
      ...this.elements.flatMap((element) =>
        element.tagName === 'label' &&
        attributeOf(element, 'for') !== undefined &&
        !ids.includes(attributeOf(element, 'for') ?? '')
          ? ['a label of nothing']
          : [],
      ),
      ...this.elements.flatMap((element) =>
        /^#~/.test(attributeOf(element, 'href') ?? '') && !ids.includes(attributeOf(element, 'href')?.slice(1) ?? '')
          ? ['a link to a note that is not there']
          : [],
      ),
    ];
  }

  /** Words that are expected and not there; spaces do not count. */
  missing(expected: Iterable<string>): string[] {
    const all = packed(this.text);
    return [...expected].filter((words) => !all.includes(packed(words)));
  }

  all(tagName: string): Element[] {
    return this.elements.filter((element) => element.tagName === tagName);
  }

  private read(node: Tree): string {
    let text = '';
    for (const child of node.childNodes) {
      if (defaultTreeAdapter.isTextNode(child)) text += child.value;
      else if (defaultTreeAdapter.isElementNode(child)) {
        this.elements.push(child);
        if (child.tagName === 'br') text += '\n';
        text += ` ${attributeOf(child, 'alt') ?? ''} `.trimEnd().trimStart() + this.read(child);
      }
    }
    return text;
  }
}

/** The tags of HTML in their order: those of a page that is well formed are the same after a browser has read it. */
function tagsIn(html: string): string[] {
  return [...html.matchAll(/<(\/?[a-z][a-z0-9]*)(?:\s+[^\s=>"]+(?:="[^"]*")?)*\s*>/gi)].map(([, name = '']) => name);
}

function differences(written: readonly string[], read: readonly string[]): string[] {
  const at = written.findIndex((tag, index) => tag !== read[index]);
  return at < 0 && written.length === read.length
    ? []
    : [
        `written as ${written.slice(Math.max(0, at - 4), at + 3).join(' ')}, read as ${read.slice(Math.max(0, at - 4), at + 3).join(' ')}`,
      ];
}

export function attributeOf(element: Element, name: string): string | undefined {
  return element.attrs.find((attribute) => attribute.name === name)?.value;
}

function faultsOf(element: Element): string[] {
  const { tagName, attrs, namespaceURI } = element;
  const isMath = namespaceURI.includes('Math');
  const faults = (isMath ? MATHML.test(tagName) : ELEMENTS.has(tagName)) ? [] : [`the element ${tagName}`];
  for (const { name, value } of attrs) {
    if (!isMath && !ATTRIBUTES.has(name) && !(tagName === 'td' && /^(col|row)span$/.test(name)))
      faults.push(`${tagName} with ${name}=${value}`);
    if (/^on|^style$|^src(set|doc)|^form|^xlink/i.test(name)) faults.push(`${tagName} with ${name}`);
    if (ADDRESSES.has(name) && !SAFE_ADDRESS.test(value.replace(/[\0-\x20]/g, '')))
      faults.push(`${tagName} leads to ${value}`);
  }
  return faults;
}

function packed(text: string): string {
  return text.replace(/\s+/g, '');
}

/** The words of a document that a page has to show: its texts, titles and code, except where conditions and columns hide them. */
export function shownWords(source: Document): string[] {
  const found: string[] = [];
  const line = (nodes: readonly Node[]): void => {
    for (const node of nodes) {
      if (node.object === 'text') found.push(...node.leaves.flatMap(({ text }) => text.split('\n')));
      else if (node.object === 'inline') {
        if (node.type === 'button') found.push(node.data.label);
        if (node.type === 'inline-math') found.push(node.data.formula);
        if (node.type === 'mention') found.push(node.data.text ?? '');
        line(node.nodes ?? []);
        for (const fragment of node.fragments ?? []) fragment.nodes.forEach(enter);
      }
    }
  };
  const enter = (block: Block): void => {
    if (block.type === 'if' || (block.type === 'code' && block.data.syntax === RAW_SYNTAX)) return;
    if (block.type === 'math') found.push(block.data.formula);
    if (block.type === 'code') found.push(block.data.title ?? '');
    if (block.type === 'tabs-item') found.push(block.data.title ?? '');
    if (block.type === 'embed') found.push(block.data.url);
    if (block.type === 'openapi-operation' || block.type === 'swagger')
      found.push(block.data.path, block.data.method.toUpperCase());
    if (block.type === 'openapi-schemas') found.push(...block.data.schemas);
    if (block.type === 'prompt') found.push(block.data.description);
    if (block.type === 'update') for (const { tag } of block.data.tags ?? []) found.push(tag);
    if (block.type === 'table') return cells(block);
    line((block.nodes ?? []).filter(({ object }) => object !== 'block'));
    for (const child of block.nodes ?? []) if (child.object === 'block') enter(child);
    for (const fragment of block.fragments ?? []) fragment.nodes.forEach(enter);
  };
  const cells = ({ data, fragments }: Block<'table'>): void => {
    const named = new Map((fragments ?? []).map((fragment) => [fragment.fragment, fragment]));
    const target = data.view.type === 'cards' ? data.view.targetDefinition : undefined;
    for (const id of data.view.columns.filter((each) => each !== target)) {
      const column = ownEntry(data.definition, id);
      if (data.view.type === 'grid') found.push(named.has(`title:${id}`) ? '' : (column?.title ?? ''));
      for (const record of Object.values(data.records)) {
        const value = ownEntry(record.values, id);
        if (typeof value === 'string' && column?.type === 'text') named.get(value)?.nodes.forEach(enter);
      }
    }
  };
  source.nodes.forEach(enter);
  return found.filter((words) => words.trim() !== '');
}
