import { anchorsOf } from '../../../formats/document/anchors.js';
import { isObject } from '../../../formats/document/checks.js';
import { BLOCKS } from '../../../formats/document/node-kinds.js';
import { lineText } from '../../../formats/document/text.js';
import type {
  Block,
  BlockData,
  Document,
  Fragment,
  Inline,
  Node,
  TableDefinition,
  TableRecord,
  TableValue,
} from '../../../formats/document/types.js';
import { trimmed, untrimmed } from './line-edges.js';
import { splitTranslatable, readLine } from './line-segment.js';
import { hasWords, type SegmentPiece, type Segment } from './segment.js';

/**
 * Translates a segment: with the same markers, see `keepsMarkers`. It has letters, and no surrounding white space.
 * `signs` tell what its markers stand for, see `Line`.
 */
export type TranslateSegment = (segment: Segment, signs: readonly string[]) => Segment;

/** The valid form of the id of a heading. */
const HEADING_ID = /^[-a-z0-9.+_]+$/;

/**
 * Translates a document: the same blocks with the same keys. Code, formulas, embeds, expressions, references and
 * content of integrations stay unchanged. Headings and tabs keep their anchors, so that links to them still work; links
 * within the page follow those that change.
 */
export function translateDocument(document: Document, say: TranslateSegment): Document {
  const anchors = anchorsOf(document);
  const walk = new Walk(say, anchors);
  const { heading } = document.data;
  const translated: Document = {
    ...document,
    data: heading
      ? { ...document.data, heading: { ...heading, title: walk.words(heading.title), nodes: walk.line(heading.nodes) } }
      : document.data,
    nodes: document.nodes.map((block) => walk.block(block)),
  };
  const moved = movedAnchors([...anchors.values()], [...anchorsOf(translated).values()]);
  return moved.size === 0 ? translated : { ...translated, nodes: withAnchors(translated.nodes, moved) };
}

/** All segments of a document, in order, with duplicates. */
export function segmentsOf(document: Document): Segment[] {
  const segments: Segment[] = [];
  translateDocument(document, (segment) => {
    segments.push(segment);
    return segment;
  });
  return segments;
}

/** Translates a text without markup; addresses in it stay. */
export function translateText(value: string, say: TranslateSegment): string {
  const kept: string[] = [];
  const pieces = splitTranslatable(value).flatMap((part, index): SegmentPiece[] =>
    index % 2 === 1 ? [{ opaque: kept.push(part) }] : part === '' ? [] : [part],
  );
  return spoken(
    pieces,
    kept.map((part) => `leaf ${part}`),
    say,
  )
    .map((piece) => (typeof piece === 'string' ? piece : 'opaque' in piece ? (kept[piece.opaque - 1] ?? '') : ''))
    .join('');
}

function spoken(segment: Segment, signs: readonly string[], say: TranslateSegment): Segment {
  if (!hasWords(segment)) return segment;
  const parts = trimmed(segment);
  const answer = say(parts.core, signs);
  return answer === parts.core ? segment : untrimmed({ ...parts, core: answer });
}

class Walk {
  constructor(
    private readonly say: TranslateSegment,
    private readonly anchors: ReadonlyMap<Block, string>,
  ) {}

  words(value: string): string {
    return translateText(value, this.say);
  }

  block(block: Block): Block {
    if (block.type === 'code') return block;
    if (BLOCKS[block.type].nodes === 'phrasing') return this.lineBlock(block);
    const { nodes, fragments } = block;
    const inside = {
      data: this.data(block),
      ...(nodes && { nodes: nodes.map((node) => (node.object === 'block' ? this.block(node) : node)) }),
      ...(fragments && { fragments: fragments.map((fragment) => this.fragment(fragment)) }),
    };
    return { ...block, ...inside } as Block;
  }

  /** The line itself if nothing in it changes. */
  line(nodes: readonly Node[]): Node[] {
    const own = nodes.map((node) => (node.object === 'inline' ? this.inline(node) : node));
    const { segment, signs, nodes: built } = readLine(own);
    const answer = spoken(segment, signs, this.say);
    return answer === segment ? own : built(answer);
  }

  private lineBlock(block: Block): Block {
    const nodes = this.line(block.nodes ?? []);
    const anchor = this.anchors.get(block);
    const keepsAnchor =
      anchor !== undefined && HEADING_ID.test(anchor) && lineText(nodes) !== lineText(block.nodes ?? []);
    return { ...block, nodes, ...(keepsAnchor && { data: { ...block.data, id: anchor } }) } as Block;
  }

  private fragment(fragment: Fragment): Fragment {
    return { ...fragment, nodes: fragment.nodes.map((block) => this.block(block)) };
  }

  /** Translates the data of an inline; its nodes belong to the line. */
  private inline(node: Inline): Inline {
    const { data, fragments } = node;
    const said: Record<string, string> = {};
    if (node.type === 'link' && node.data.title !== undefined) said['title'] = this.words(node.data.title);
    if (node.type === 'button') said['label'] = this.words(node.data.label);
    if (node.type === 'inline-image') {
      if (node.data.alt !== undefined) said['alt'] = this.words(node.data.alt);
      if (node.data.caption !== undefined) said['caption'] = this.words(node.data.caption);
    }
    const nodes = node.nodes?.map((child) => (child.object === 'inline' ? this.inline(child) : child));
    return {
      ...node,
      data: { ...data, ...said },
      ...(nodes && { nodes }),
      ...(fragments && { fragments: fragments.map((each) => this.fragment(each)) }),
    } as Inline;
  }

  private data(block: Block): Block['data'] {
    switch (block.type) {
      case 'image':
        return block.data.alt === undefined ? block.data : { ...block.data, alt: this.words(block.data.alt) };
      case 'tabs-item':
        return this.tab(block);
      case 'prompt':
        return { ...block.data, description: this.words(block.data.description) };
      case 'table':
        return this.table(block);
      default:
        return block.data;
    }
  }

  /** The anchor of a tab derives from its slug. */
  private tab(block: Block<'tabs-item'>): BlockData['tabs-item'] {
    const { title = '', slug } = block.data;
    if (title === '') return block.data;
    const said = this.words(title);
    const anchor = slug ?? this.anchors.get(block);
    return { ...block.data, title: said, ...(said !== title && anchor !== undefined && { slug: anchor }) };
  }

  private table({ data, fragments = [] }: Block<'table'>): BlockData['table'] {
    const cells = new Set(fragments.map((fragment) => fragment.fragment));
    const definition = mapValues(data.definition, (column): TableDefinition => {
      const titled = { ...column, title: this.words(column.title) };
      return titled.type === 'select'
        ? { ...titled, options: titled.options.map((option) => ({ ...option, label: this.words(option.label) })) }
        : titled;
    });
    const value = (said: TableValue, column: string): TableValue => {
      if (typeof said === 'string')
        return data.definition[column]?.type === 'text' && !cells.has(said) ? this.words(said) : said;
      return isObject(said) && 'alt' in said && said.alt !== undefined ? { ...said, alt: this.words(said.alt) } : said;
    };
    const records = mapValues(data.records, (record): TableRecord => ({
      ...record,
      values: mapValues(record.values, value),
    }));
    return { ...data, definition, records };
  }
}

function mapValues<Value, Other>(
  record: Readonly<Record<string, Value>>,
  map: (value: Value, name: string) => Other,
): Record<string, Other> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value, name)]));
}

/** The new names of changed anchors; both lists name the same blocks in the same order. */
function movedAnchors(before: readonly string[], after: readonly string[]): Map<string, string> {
  return new Map(
    before.flatMap((anchor, index): [string, string][] =>
      after[index] === undefined || after[index] === anchor ? [] : [[anchor, after[index]]],
    ),
  );
}

/** Renames anchors of the same page in the references of a value. */
function withAnchors<Value>(value: Value, moved: ReadonlyMap<string, string>): Value {
  return renamed(value, moved) as Value;
}

function renamed(value: unknown, moved: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((each) => renamed(each, moved));
  if (!isObject(value)) return value;
  const isOwnAnchor = value.kind === 'anchor' && value.page === undefined && typeof value.anchor === 'string';
  if (isOwnAnchor) return { ...value, anchor: moved.get(String(value.anchor)) ?? value.anchor };
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, renamed(each, moved)]));
}
