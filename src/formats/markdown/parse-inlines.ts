import type { FootnoteDefinition, FootnoteReference, Link, Nodes, PhrasingContent } from 'mdast';
import { fragment, inline, mark, paragraph } from '../document/build.js';
import type { Block, Mark, Node, SimpleMarkType } from '../document/types.js';
import { ownEntry } from '../document/own-entry.js';
import type { ParseContext } from './parse-context.js';
import { isHtmlElement } from './html.js';
import { InlineBuilder, withMark } from './inline-builder.js';
import { readInlineElement, type LineReading } from './inline-elements.js';
import { nodeText } from './node-text.js';
import { nestMarkup, writtenAs, type Element, type MarkupNode } from './nest-markup.js';
import { imageInline } from './parse-images.js';

/** Reads the blocks of a footnote; passed in, because blocks read lines and lines read footnotes. */
export type ReadBlocks = (nodes: readonly Nodes[], reading: ParseContext) => Block[];

export interface InlineReader {
  /** The nodes of a line from the children of a Markdown node. */
  ofMarkdown(nodes: readonly PhrasingContent[]): Node[];
  /** The nodes of a line from mixed siblings, trimmed as HTML is. */
  ofMixed(nodes: readonly MarkupNode[]): Node[];
}

const MARK_ELEMENTS: Readonly<Record<string, SimpleMarkType>> = {
  strong: 'bold',
  b: 'bold',
  em: 'italic',
  i: 'italic',
  del: 'strikethrough',
  s: 'strikethrough',
  strike: 'strikethrough',
  code: 'code',
  kbd: 'keyboard',
  sup: 'superscript',
  sub: 'subscript',
};

const MARK_NODES: Readonly<Partial<Record<Nodes['type'], SimpleMarkType>>> = {
  strong: 'bold',
  emphasis: 'italic',
  delete: 'strikethrough',
};

/** Creates the reader of lines for one source. */
export function inlineReader(reading: ParseContext, readBlocks: ReadBlocks): InlineReader {
  return {
    ofMarkdown(nodes) {
      const walk = new LineWalk(reading, readBlocks);
      walk.builder.inMidLine();
      walk.all(nestMarkup(nodes, reading.source), []);
      return walk.builder.nodes();
    },
    ofMixed(nodes) {
      const walk = new LineWalk(reading, readBlocks);
      walk.all(nodes, []);
      walk.builder.trimEnd();
      return walk.builder.nodes();
    },
  };
}

class LineWalk implements LineReading {
  readonly builder = new InlineBuilder();

  constructor(
    readonly reading: ParseContext,
    private readonly readBlocks: ReadBlocks,
  ) {}

  all(nodes: readonly MarkupNode[], marks: readonly Mark[]): void {
    for (let index = 0; index < nodes.length; index++) {
      const node = nodes[index];
      if (node === undefined) continue;
      const next = nodes[index + 1];
      const reference = next?.kind === 'markdown' && next.node.type === 'footnoteReference' ? next.node : undefined;
      if (reference !== undefined && node.kind === 'markdown' && isAnnotationLink(node.node)) {
        this.annotation(reference, node.node);
        index++;
      } else {
        this.one(node, marks);
      }
    }
  }

  private markdown(nodes: readonly PhrasingContent[], marks: readonly Mark[]): void {
    this.all(nestMarkup(nodes, this.reading.source), marks);
  }

  private one(node: MarkupNode, marks: readonly Mark[]): void {
    this.reading.at = node;
    switch (node.kind) {
      case 'text':
        this.builder.html(node.value, marks);
        break;
      case 'raw':
        this.raw(node.raw, marks);
        break;
      case 'markdown':
        this.markdownNode(node.node, marks);
        break;
      case 'tag':
        this.builder.text(node.tag.raw, marks);
        this.all(node.children, marks);
        this.builder.text(node.close, marks);
        break;
      case 'element':
        this.element(node, marks);
    }
  }

  private markdownNode(node: Nodes, marks: readonly Mark[]): void {
    const type = MARK_NODES[node.type];
    if (type !== undefined && 'children' in node) {
      this.markdown(node.children as PhrasingContent[], withMark(marks, mark(type)));
      return;
    }
    switch (node.type) {
      case 'text':
        this.builder.text(oneLine(node.value), marks);
        break;
      case 'break':
        this.builder.lineBreak(marks);
        this.builder.inMidLine();
        break;
      case 'inlineCode':
        this.builder.text(node.value.replace(/\r?\n/g, ' '), withMark(marks, mark('code')));
        break;
      case 'inlineMath':
        this.builder.inline(inline('inline-math', { formula: node.value.trim() }));
        break;
      case 'emoji':
        this.builder.inline(inline('emoji', { code: node.code }));
        break;
      case 'image':
        this.builder.inline(imageInline(this.reading, node.url, node.alt, node.title));
        break;
      case 'link':
        this.link(node.url, node.title ?? undefined, nestMarkup(node.children, this.reading.source), marks);
        break;
      case 'footnoteReference':
        this.annotation(node, undefined);
        break;
      case 'linkReference':
      case 'imageReference':
        this.referenced(node, marks);
        break;
      default:
        this.source(node, marks);
    }
  }

  /** `[text][label]`: resolved by its definition; without one it would not have been parsed as a reference. */
  private referenced(node: Extract<Nodes, { type: 'linkReference' | 'imageReference' }>, marks: readonly Mark[]): void {
    const definition = this.reading.definitions.get(node.identifier);
    if (definition === undefined) {
      this.source(node, marks);
      return;
    }
    if (node.type === 'imageReference')
      this.builder.inline(imageInline(this.reading, definition.url, node.alt, definition.title));
    else
      this.link(definition.url, definition.title ?? undefined, nestMarkup(node.children, this.reading.source), marks);
  }

  /** Keeps a node that is not allowed in a line as its source text. */
  private source(node: Nodes, marks: readonly Mark[]): void {
    this.builder.text(writtenAs(node, this.reading.source).replace(/\s*\n\s*/g, ' '), marks);
  }

  /** A tag or comment without effect of its own: stored invisibly if it is HTML, else as text. */
  private raw(source: string, marks: readonly Mark[]): void {
    if (source === '<!---->') return;
    const name = /^<\/?([a-z][a-z0-9]*)/i.exec(source)?.[1]?.toLowerCase();
    const hidden = name === undefined ? /^<[!?]/.test(source) : isHtmlElement(name);
    const line = source.replace(/\s*\n\s*/g, ' ');
    if (hidden) this.builder.inline(inline('expression', { expression: '', raw: line }));
    else this.builder.text(line, marks);
  }

  private element(node: Element, marks: readonly Mark[]): void {
    const { name, attributes } = node;
    if (readInlineElement(this, node, marks)) return;
    const simple = ownEntry(MARK_ELEMENTS, name);
    if (simple !== undefined && attributes.size === 0) {
      this.all(node.children, withMark(marks, mark(simple)));
      return;
    }
    this.raw(node.open, marks);
    this.all(node.children, marks);
    if (node.close !== '') this.raw(node.close, marks);
  }

  link(
    target: string,
    title: string | undefined,
    children: readonly MarkupNode[],
    marks: readonly Mark[],
    attributes?: Record<string, string>,
  ): void {
    const ref = this.reading.resolve(target, 'link');
    if (ref === null) {
      this.all(children, marks);
      return;
    }
    const known = ref ?? { kind: 'url' as const, url: target };
    if (title === 'mention' && children.every(isPlain)) {
      const words = children.map(nodeText).join('');
      this.builder.inline(inline('mention', { ref: known, ...(isPathOf(target, words) ? {} : { text: words }) }));
      return;
    }
    const walk = new LineWalk(this.reading, this.readBlocks);
    walk.builder.inMidLine();
    walk.all(children, marks);
    const data = {
      ref: known,
      ...(title === undefined ? {} : { title }),
      ...(attributes === undefined ? {} : { attributes }),
    };
    this.builder.inline(inline('link', data, walk.builder.nodes()));
  }

  /** `[text](#user-content-fn-1)[^1]`, or a bare `[^1]`, which annotates no visible text. */
  annotation(reference: FootnoteReference, annotated: Link | undefined, html?: readonly MarkupNode[]): void {
    const definition = this.reading.footnotes.get(reference.identifier);
    if (definition === undefined || !this.mayRead(definition)) {
      this.builder.text(`[^${reference.label ?? reference.identifier}]`, []);
      return;
    }
    this.reading.openFootnotes.add(definition);
    this.reading.footnoteCharacters -= costOf(definition);
    this.reading.depth += 2;
    const body = this.readBlocks(definition.children, this.reading);
    this.reading.depth -= 2;
    this.reading.openFootnotes.delete(definition);
    const walk = new LineWalk(this.reading, this.readBlocks);
    walk.builder.inMidLine();
    if (annotated !== undefined) walk.markdown(annotated.children, []);
    if (html !== undefined) walk.all(html, []);
    const nodes = body.length === 0 ? [paragraph()] : body;
    this.builder.inline(
      inline('annotation', {}, walk.builder.nodes(), [fragment('annotation-body', nodes, 'annotation-body')]),
    );
  }

  /**
   * A footnote is inlined where it is used, with nested footnotes: two uses in each of them would double the page with
   * every one.
   */
  private mayRead(definition: FootnoteDefinition): boolean {
    const { openFootnotes, footnoteCharacters } = this.reading;
    return (
      openFootnotes.size < MOST_WITHIN && !openFootnotes.has(definition) && footnoteCharacters >= costOf(definition)
    );
  }

  footnote(identifier: string, children: readonly MarkupNode[]): boolean {
    const definition = this.reading.footnotes.get(identifier);
    if (definition === undefined || !this.mayRead(definition)) return false;
    this.annotation({ type: 'footnoteReference', identifier, label: identifier }, undefined, children);
    return true;
  }
}

/** Maximum nesting depth of footnotes. */
const MOST_WITHIN = 8;
/** A short footnote counts as this many characters. */
const FEWEST_CHARACTERS = 200;

function costOf({ position }: FootnoteDefinition): number {
  return Math.max(FEWEST_CHARACTERS, (position?.end.offset ?? 0) - (position?.start.offset ?? 0));
}

function isAnnotationLink(node: Nodes): node is Link {
  return node.type === 'link' && node.url.startsWith('#user-content-fn-');
}

/** Tells whether a mention says no more than its target: the path, or its last part as GitBook writes it. */
function isPathOf(target: string, words: string): boolean {
  if (words === '' || words === target) return true;
  const path = target.replace(/\/+$/, '');
  return words.replace(/\/+$/, '') === path.slice(path.lastIndexOf('/') + 1);
}

function isPlain(node: MarkupNode): boolean {
  return node.kind === 'text' || (node.kind === 'markdown' && node.node.type === 'text');
}

/**
 * Joins lines, with a space for each line feed and the blanks around it; a regular expression for those would take
 * quadratic time.
 */
function oneLine(value: string): string {
  const lines = value.split(/\r?\n/);
  return lines
    .map((line, index) =>
      line.slice(
        index === 0 ? 0 : blanksBefore(line),
        index === lines.length - 1 ? undefined : line.length - blanksBehind(line),
      ),
    )
    .join(' ');
}

function blanksBefore(line: string): number {
  let count = 0;
  while (line[count] === ' ' || line[count] === '\t') count++;
  return count;
}

function blanksBehind(line: string): number {
  let count = 0;
  while (count < line.length && [' ', '\t'].includes(line[line.length - 1 - count] ?? '')) count++;
  return count;
}
