import type { Code, Definition, FootnoteDefinition, Heading, Image, List, ListItem, Nodes, Paragraph } from 'mdast';
import { block, codeBlock, paragraph, plain, rawBlock } from '../document/build.js';
import { MAX_BLOCK_DEPTH } from '../document/node-kinds.js';
import type { Block, Node } from '../document/types.js';
import { fileOrUrl, report, type ParseContext, type Place } from './parse-context.js';
import { INLINE_ELEMENTS } from './html.js';
import { elementBlocks } from './parse-html.js';
import { inlineReader, type InlineReader } from './parse-inlines.js';
import { markdownTable } from './parse-table.js';
import { tagBlocks } from './parse-tags.js';
import { headingBlock, HEADING_ID, holdsFlow, lineBlocks } from './flow-content.js';
import type { BlockReading } from './block-reading.js';
import { nestMarkup, placeOf, writtenAs, type MarkupNode } from './nest-markup.js';

/** Levels that blocks other than containers may have: an annotated caption of an image, for instance. */
const DEPTH_OF_LEAVES = 8;

/** The blocks that one part of a source means; `line` is its first line, from 1. */
export interface SourcePart {
  readonly line: number;
  readonly blocks: readonly Block[];
}

/** Reads the blocks of one source; the readers of HTML, tables and tags use it for their content. */
export class BlockReader implements BlockReading {
  readonly lines: InlineReader;

  constructor(readonly reading: ParseContext) {
    this.lines = inlineReader(reading, (nodes) => this.ofMarkdown(nodes));
  }

  /** The blocks of the children of a Markdown container. */
  ofMarkdown(nodes: readonly Nodes[]): Block[] {
    return this.ofMixed(nestMarkup(nodes, this.reading.source));
  }

  /** The same, with the line of the source that each block begins with, from 1. */
  withLines(nodes: readonly Nodes[]): { readonly blocks: Block[]; readonly lines: number[] } {
    const parts = this.parts(nodes);
    return {
      blocks: parts.flatMap(({ blocks }) => blocks),
      lines: parts.flatMap(({ blocks, line }) => blocks.map(() => line + this.reading.line)),
    };
  }

  /** The parts of a source, with the blocks and the first line of each. A definition has no block. */
  parts(nodes: readonly Nodes[]): SourcePart[] {
    const parts: SourcePart[] = [];
    this.ofMixed(nestMarkup(nodes, this.reading.source), (blocks, { line }) => parts.push({ line, blocks }));
    return parts;
  }

  /** The content of a container, nested by as many levels as the container has. */
  inside(nodes: readonly MarkupNode[], levels = 1): Block[] {
    this.reading.depth += levels;
    try {
      return this.ofMixed(nodes);
    } finally {
      this.reading.depth -= levels;
    }
  }

  /** True if the document cannot contain a further container here. */
  isFull(): boolean {
    return this.reading.depth >= MAX_BLOCK_DEPTH - DEPTH_OF_LEAVES;
  }

  /** As `inside`, for the parts of a document that need at least one block. */
  insideAtLeastOne(nodes: readonly MarkupNode[], levels = 1): Block[] {
    const blocks = this.inside(nodes, levels);
    return blocks.length === 0 ? [paragraph()] : blocks;
  }

  /** Calls `onMade` with the blocks of each node, or of each run of nodes in one line. */
  ofMixed(nodes: readonly MarkupNode[], onMade?: (blocks: readonly Block[], first: MarkupNode) => void): Block[] {
    const blocks: Block[] = [];
    let run: MarkupNode[] = [];
    const add = (made: readonly Block[], first: MarkupNode | undefined): void => {
      blocks.push(...made);
      if (first) onMade?.(made, first);
    };
    const flush = (): void => {
      const begin = run.findIndex((node) => node.kind !== 'text' || node.value.trim() !== '');
      if (begin >= 0) add(this.run(run), run[begin]);
      run = [];
    };
    for (const node of nodes) {
      if (node.kind === 'text' || (node.kind === 'element' && this.standsInLine(node, run))) {
        run.push(node);
        continue;
      }
      flush();
      add(this.one(node), node);
    }
    flush();
    return blocks;
  }

  private standsInLine(node: Extract<MarkupNode, { kind: 'element' }>, run: readonly MarkupNode[]): boolean {
    if (!INLINE_ELEMENTS.has(node.name)) return false;
    if (holdsFlow(node.children)) return false;
    const begins = run.every((before) => before.kind === 'text' && before.value.trim() === '');
    return !(begins && (node.name === 'img' || node.name === 'picture') && !node.attributes.has('data-size'));
  }

  /** HTML in a line of its own, without a block element. */
  private run(nodes: readonly MarkupNode[]): Block[] {
    return lineBlocks(this.lines.ofMixed(nodes));
  }

  private one(node: MarkupNode): Block[] {
    this.reading.at = node;
    switch (node.kind) {
      case 'markdown':
        return this.markdown(node.node);
      case 'tag':
        return tagBlocks(this, node);
      case 'element':
        return elementBlocks(this, node);
      case 'raw':
        return this.raw(node.raw, node);
      case 'text':
        return [];
    }
  }

  /** A comment, or a tag without its counterpart. */
  private raw(source: string, place: Place): Block[] {
    if (source.trim() === '' || source === '<!---->') return [];
    if (!source.startsWith('<!'))
      report(this.reading, place, 'unsupported-markup', `${source} has no counterpart and is kept verbatim`);
    return [rawBlock(source)];
  }

  private markdown(node: Nodes): Block[] {
    switch (node.type) {
      case 'paragraph':
        return this.paragraph(node);
      case 'heading':
        return [this.heading(node)];
      case 'thematicBreak':
        return [block('divider', {})];
      case 'code':
        return [fence(node)];
      case 'math':
        return [block('math', { formula: [node.meta ?? '', node.value].filter((part) => part !== '').join('\n') })];
      case 'table':
        return [this.deeper(node, 1, () => markdownTable(this, node))];
      case 'blockquote':
        return [this.deeper(node, 1, () => block('blockquote', {}, this.ofMarkdown(node.children)))];
      case 'list':
        return [this.deeper(node, 2, () => this.list(node))];
      case 'definition':
      case 'footnoteDefinition':
        return this.definition(node);
      default:
        return [rawBlock(this.sourceOf(node))];
    }
  }

  /** A definition is inlined where it is used; an unused one stays in place, as written. */
  private definition(node: Definition | FootnoteDefinition): Block[] {
    const { definitions, footnotes, referenced } = this.reading;
    const first = node.type === 'definition' ? definitions.get(node.identifier) : footnotes.get(node.identifier);
    if (first === node && referenced.has(node.identifier)) return [];
    report(
      this.reading,
      placeOf(node),
      'unused-definition',
      `[${node.label ?? node.identifier}] is defined but not used, and is kept verbatim`,
    );
    return [rawBlock(this.sourceOf(node))];
  }

  /** Keeps containers that are nested too deeply for a document verbatim. */
  private deeper(node: Nodes, levels: number, read: () => Block): Block {
    if (this.isFull()) return rawBlock(this.sourceOf(node));
    this.reading.depth += levels;
    try {
      return read();
    } finally {
      this.reading.depth -= levels;
    }
  }

  sourceOf(node: Nodes): string {
    return withoutBlankEnd(writtenAs(node, this.reading.source));
  }

  private paragraph(node: Paragraph): Block[] {
    const [only] = node.children;
    if (node.children.length === 1 && only?.type === 'image') {
      this.reading.at = placeOf(only);
      return [block('images', {}, [imageBlock(this.reading, only)])];
    }
    return lineBlocks(this.lines.ofMarkdown(node.children));
  }

  private heading(node: Heading): Block {
    const nodes = this.lines.ofMarkdown(node.children);
    const id = takeTrailingId(nodes);
    return headingBlock(node.depth, nodes, id === undefined ? {} : { id });
  }

  private list(node: List): Block {
    const items = node.children.map((item) => this.listItem(item));
    if (node.ordered === true)
      return block(
        'list-ordered',
        node.start === 1 || node.start === null || node.start === undefined ? {} : { start: node.start },
        items,
      );
    const tasks = node.children.some((item) => typeof item.checked === 'boolean');
    return tasks ? block('list-tasks', {}, items) : block('list-unordered', {}, items);
  }

  private listItem(item: ListItem): Block<'list-item'> {
    const isTask = typeof item.checked === 'boolean';
    const [first] = item.children;
    const nodes =
      isTask && first?.type === 'paragraph'
        ? [block('paragraph', {}, this.lines.ofMarkdown(first.children)), ...this.ofMarkdown(item.children.slice(1))]
        : this.ofMarkdown(item.children);
    return block(
      'list-item',
      isTask ? { checked: item.checked === true } : {},
      nodes.length === 0 ? [paragraph()] : nodes,
    );
  }
}

/** Removes `<a href="#id" id="id"></a>` from the end of a heading's line. */
function takeTrailingId(nodes: Node[]): string | undefined {
  const close = nodes[nodes.length - 1];
  const open = nodes[nodes.length - 2];
  if (close?.object !== 'inline' || close.type !== 'expression' || close.data.raw !== '</a>') return undefined;
  if (open?.object !== 'inline' || open.type !== 'expression') return undefined;
  const raw = /^<a href="#([^"]*)" id="([^"]*)">$/.exec(open.data.raw ?? '');
  const id = raw?.[1];
  if (id === undefined || id !== raw?.[2] || !HEADING_ID.test(id)) return undefined;
  nodes.splice(-2, 2);
  const last = nodes[nodes.length - 1];
  const tail = last?.object === 'text' ? last.leaves[last.leaves.length - 1] : undefined;
  if (last?.object === 'text' && tail !== undefined && tail.text.endsWith(' ')) {
    tail.text = tail.text.slice(0, -1);
    if (tail.text === '' && last.leaves.length > 1) last.leaves.pop();
    else if (tail.text === '' && nodes.length > 1) nodes.pop();
  }
  if (nodes.length === 0) nodes.push(...(paragraph().nodes ?? []));
  return id;
}

function fence(node: Code): Block {
  return codeBlock(node.value, {
    ...(node.lang === null || node.lang === undefined || node.lang === '' ? {} : { syntax: node.lang }),
    ...(node.meta === null || node.meta === undefined || node.meta === '' ? {} : { meta: node.meta }),
  });
}

function imageBlock(reading: ParseContext, node: Image): Block<'image'> {
  const data = { ref: fileOrUrl(reading, node.url), ...(node.alt ? { alt: node.alt } : {}) };
  const caption = node.title
    ? [{ object: 'fragment' as const, fragment: 'caption', nodes: [paragraph(plain(node.title))] }]
    : [];
  return block('image', data, undefined, caption);
}

/** An open fence in a container takes the blank lines behind it, of which writing the document makes one more. */
function withoutBlankEnd(text: string): string {
  let end = text.length;
  while (end > 0 && ' \t\n'.includes(text.charAt(end - 1))) end--;
  const line = text.indexOf('\n', end);
  return line < 0 ? text : text.slice(0, line);
}
