import type { Nodes, Paragraph, Root, RootContent } from 'mdast';
import { gfmToMarkdown } from 'mdast-util-gfm';
import { mathToMarkdown } from 'mdast-util-math';
import {
  defaultHandlers,
  toMarkdown,
  type Handle,
  type Info,
  type Options,
  type State,
  type Unsafe,
} from 'mdast-util-to-markdown';
import { childBlocks, codeText } from '../document/text.js';
import { type Block, type ContentRef, type Document, RAW_SYNTAX } from '../document/types.js';
import { isStorable } from '../document/link-target.js';
import { emojiName, escapeShortcodes } from './emoji.js';
import { writeFrontmatter, type Frontmatter } from './frontmatter.js';
import { placeholderFor } from './references.js';
import { toFlow } from './serialize-blocks.js';
import { toPhrasing } from './serialize-inlines.js';
import type { ReadyNode, RenderReference, TaggedNode, SerializeContext } from './serialize-context.js';
import type { EmojiNode } from './emoji.js';
import { USUAL_STYLE, type MarkdownStyle } from './source-style.js';
import { spareEscapes } from './spared-escapes.js';
import { isWrappable, wrapParagraph } from './wrapped-lines.js';

export interface SerializeOptions {
  /**
   * Writes references to pages, files and other objects as targets. Without it they become placeholders that
   * `renderPlaceholders` resolves when the Markdown is read.
   */
  render?: RenderReference;
  /** The usual one by default. */
  style?: MarkdownStyle;
}

/** Writes the blocks of a document as Markdown, ending with a line feed unless it is empty. */
export function serializeMarkdown(document: Document, options: SerializeOptions = {}): string {
  const writing = writingOf(options, document);
  return write(toFlow(document.nodes, writing), writing, options.style);
}

export interface PageHead {
  title: string;
  frontmatter?: Frontmatter;
}

/** Writes a page: frontmatter, its title as first heading, its blocks. */
export function serializePage(head: PageHead, document: Document, options: SerializeOptions = {}): string {
  const writing = writingOf(options, document);
  const extra = document.data.frontmatter;
  const frontmatter: Frontmatter = { ...head.frontmatter, ...(extra === undefined ? {} : { extra }) };
  const nodes: RootContent[] = [titleNode(head.title, document, writing), ...toFlow(document.nodes, writing)];
  return writeFrontmatter(frontmatter) + write(nodes, writing, options.style);
}

function titleNode(title: string, document: Document, writing: SerializeContext): RootContent {
  const { heading } = document.data;
  if (heading === undefined || heading.title !== title)
    return { type: 'heading', depth: 1, children: [{ type: 'text', value: title }] };
  const data = heading.id === undefined ? {} : { id: heading.id };
  const block: Block<'heading-1'> = { object: 'block', type: 'heading-1', isVoid: false, data, nodes: heading.nodes };
  const [node] = toFlow([block], writing);
  return node ?? { type: 'heading', depth: 1, children: toPhrasing(heading.nodes, writing) };
}

function writingOf(options: SerializeOptions, document: Document): SerializeContext {
  const render = options.render ?? placeholderFor;
  return {
    render: (ref: ContentRef) => (ref.kind === 'url' ? harmless(ref.url) : render(ref)),
    footnotes: [],
    takenLabels: labelsIn(document),
    blocks: toFlow,
  };
}

/**
 * Returns an address unchanged, except one that was stored before such addresses were refused and that could execute in
 * output made of the Markdown: its target is removed.
 */
function harmless(address: string): string {
  return isStorable(address, true) ? address : '#';
}

/** The labels of footnotes in verbatim blocks, which annotations must not take. */
function labelsIn(document: Document): Set<string> {
  const labels = new Set<string>();
  const visit = (block: Block): void => {
    if (block.type === 'code' && block.data.syntax === RAW_SYNTAX) {
      for (const match of codeText(block).matchAll(/\[\^([^\]]+)\]:/g)) labels.add((match[1] ?? '').toLowerCase());
    }
    childBlocks(block).forEach(visit);
  };
  document.nodes.forEach(visit);
  return labels;
}

function write(nodes: RootContent[], writing: SerializeContext, style = USUAL_STYLE): string {
  if (nodes.length === 0) return '';
  const root: Root = { type: 'root', children: [...nodes, ...writing.footnotes] };
  return toMarkdown(root, optionsOf(style));
}

function optionsOf({ width, unescaped, tablePipeAlign, tableCellPadding, ...markup }: MarkdownStyle): Options {
  const gfm = gfmIn({ tablePipeAlign, tableCellPadding });
  return {
    ...OPTIONS,
    ...markup,
    bulletOther: markup.bullet === '-' ? '*' : '-',
    handlers: {
      tagged,
      ready,
      emoji,
      text: unescaped === '' ? text : (...given) => spareEscapes(text(...given), unescaped, given[1]),
      ...(width !== undefined && { paragraph: wrappedParagraph(width, gfm) }),
    },
    extensions: [...gfm, mathToMarkdown({ singleDollarTextMath: false })],
  };
}

/** A paragraph as the extensions write it, which add the boxes of tasks. */
function wrappedParagraph(width: number, extensions: readonly Options[]): Handle {
  const paragraph = extensions.flatMap(({ handlers }) => handlers?.paragraph ?? [])[0] ?? defaultHandlers.paragraph;
  return (node: Paragraph, parent, state, info) => {
    const written = paragraph(node, parent, state, info);
    return isWrappable(node) ? wrapParagraph(written, width - info.lineShift) : written;
  };
}

const tagged: Handle = (node: TaggedNode, _parent, state: State, info: Info) => {
  const tracker = state.createTracker(info);
  const open = tracker.move(`${node.open}\n`);
  if (node.children.length === 0) return `${open}${node.close}`;
  const content = tracker.move(state.containerFlow(node, tracker.current()));
  return `${open}${content}${endsOpen(node) ? '\n\n' : '\n'}${node.close}`;
};

/** The last block only ends at a blank line, so the closing tag cannot follow immediately. */
function endsOpen(node: TaggedNode): boolean {
  let last: Nodes | undefined = node.children[node.children.length - 1];
  while (last !== undefined && (last.type === 'list' || last.type === 'listItem' || last.type === 'blockquote')) {
    last = last.children[last.children.length - 1];
  }
  return (
    last !== undefined &&
    last.type !== 'paragraph' &&
    last.type !== 'code' &&
    last.type !== 'heading' &&
    last.type !== 'tagged'
  );
}

const ready: Handle = (node: ReadyNode) => node.value;

const emoji: Handle & { peek?: Handle } = (node: EmojiNode) => `:${emojiName(node.code) ?? ''}:`;
emoji.peek = () => ':';

/** Escapes text that would be parsed as an emoji, also if an emoji follows. */
const text: Handle = (node: { value: string }, _parent, state: State, info: Info) => {
  const safe = state.safe(node.value, info);
  if (!safe.includes(':')) return safe;
  const escaped = escapeShortcodes(safe + info.after);
  return info.after === '' ? escaped : escaped.slice(0, -info.after.length);
};

const NOT_IN_LINKS: Unsafe['notInConstruct'] = ['autolink', 'link', 'image', 'label'];
/** Escapes text that would be parsed as an address; the patterns of the GFM package also match much other text. */
const AUTOLINKS: Unsafe[] = [
  { character: '@', before: '[+\\-.\\w]', after: '[\\-.\\w]', inConstruct: 'phrasing', notInConstruct: NOT_IN_LINKS },
  { character: '.', before: '[Ww]{3}', inConstruct: 'phrasing', notInConstruct: NOT_IN_LINKS },
  {
    character: ':',
    before: '[Hh][Tt][Tt][Pp][Ss]?',
    after: '\\/',
    inConstruct: 'phrasing',
    notInConstruct: NOT_IN_LINKS,
  },
];

/** The writers of GFM without those of its autolinks. */
function gfmIn(tables: Pick<MarkdownStyle, 'tablePipeAlign' | 'tableCellPadding'>): Options[] {
  return (gfmToMarkdown(tables).extensions ?? []).map((extension) => {
    const isAutolinks = extension.unsafe?.some((pattern) => pattern.character === '@') === true;
    return isAutolinks ? { ...extension, unsafe: [] } : extension;
  });
}

const OPTIONS: Options = {
  fences: true,
  resourceLink: true,
  unsafe: [
    { character: '{', after: '%', inConstruct: 'phrasing' },
    { character: '$', before: '\\$', inConstruct: 'phrasing' },
    { character: '^', before: '\\[', inConstruct: 'phrasing' },
    ...AUTOLINKS,
  ],
};
