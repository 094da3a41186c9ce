import type { Nodes } from 'mdast';
import { ownEntry } from '../document/own-entry.js';
import { MAX_MARKDOWN } from './parse-limits.js';
import type { Place } from './parse-context.js';
import { INLINE_ELEMENTS, isHtmlElement, tokenizeHtml, VOID_ELEMENTS, type HtmlEvent } from './html.js';
import { readMdast } from './mdast.js';
import { splitTags, type Tag } from './tags.js';

/** Siblings of an mdast tree nested into their HTML elements and `{% %}` tags, with their places in the source. */
export type MarkupNode =
  | ({ kind: 'markdown'; node: Nodes } & Place)
  | Element
  | TagNode
  | ({ kind: 'text'; value: string; raw: string } & Place)
  | ({ kind: 'raw'; raw: string } & Place);

export interface Element extends Place {
  kind: 'element';
  name: string;
  attributes: Map<string, string>;
  children: MarkupNode[];
  /** The start and end tag as written, the latter empty if it is implied. */
  open: string;
  close: string;
}

export interface TagNode extends Place {
  kind: 'tag';
  tag: Tag;
  children: MarkupNode[];
  /** The closing tag as written, empty for a tag that stands alone. */
  close: string;
}

/** Tags that may stand alone, without their closing tag. */
const LONE_TAGS = new Set([
  'embed',
  'file',
  'content-ref',
  'include',
  'openapi',
  'swagger',
  'openapi-operation',
  'openapi-schemas',
  'openapi-webhook',
]);

function mayStandAlone(name: string): boolean {
  return LONE_TAGS.has(name) || name.startsWith('@');
}

/** For a start tag: the elements that it implicitly closes, and those that stop the search. */
const IMPLIED_ENDS: Readonly<Record<string, { ends: readonly string[]; within: readonly string[] }>> = {
  li: { ends: ['li'], within: ['ul', 'ol', 'menu'] },
  dt: { ends: ['dt', 'dd'], within: ['dl'] },
  dd: { ends: ['dt', 'dd'], within: ['dl'] },
  td: { ends: ['td', 'th'], within: ['tr', 'table'] },
  th: { ends: ['td', 'th'], within: ['tr', 'table'] },
  tr: { ends: ['td', 'th', 'tr'], within: ['table'] },
  tbody: { ends: ['td', 'th', 'tr', 'thead', 'tbody', 'tfoot', 'colgroup'], within: ['table'] },
  thead: { ends: ['td', 'th', 'tr', 'thead', 'tbody', 'tfoot', 'colgroup'], within: ['table'] },
  tfoot: { ends: ['td', 'th', 'tr', 'thead', 'tbody', 'tfoot', 'colgroup'], within: ['table'] },
  option: { ends: ['option'], within: ['select', 'datalist'] },
};

/** Maximum number of open elements and tags; further tags are kept verbatim. */
const MAX_OPEN = 100;

const OPTIONAL_END = new Set([
  'p',
  'li',
  'dt',
  'dd',
  'td',
  'th',
  'tr',
  'tbody',
  'thead',
  'tfoot',
  'colgroup',
  'option',
]);

type Frame = Element | TagNode;

/** Builds the tree of one list of siblings from the stream of opening, closing and other parts. */
class Nesting {
  private readonly root: MarkupNode[] = [];
  private readonly frames: Frame[] = [];
  private readAgain = 0;

  add(node: MarkupNode): void {
    (this.frames[this.frames.length - 1]?.children ?? this.root).push(node);
  }

  open(frame: Frame): void {
    if (frame.kind === 'element') this.implyEnds(frame.name);
    if (this.frames.length >= MAX_OPEN) {
      this.add({ kind: 'raw', raw: frame.kind === 'tag' ? frame.tag.raw : frame.open, ...placeIn(frame) });
      return;
    }
    this.add(frame);
    this.frames.push(frame);
  }

  /**
   * Tells whether so many characters may still be parsed again: otherwise the text after each of many tags would be
   * parsed as often as there are tags.
   */
  mayReadAgain(characters: number): boolean {
    this.readAgain += characters;
    return this.readAgain <= MAX_MARKDOWN;
  }

  hasOpenTag(name: string): boolean {
    return this.frames.some((frame) => frame.kind === 'tag' && frame.tag.name === name);
  }

  closeTag(tag: Tag, place: Place): void {
    const index = this.frames.findLastIndex((frame) => frame.kind === 'tag' && frame.tag.name === tag.name);
    if (index === -1) this.add({ kind: 'raw', raw: tag.raw, ...place });
    else this.closeAt(index, tag.raw);
  }

  closeElement(name: string, raw: string, place: Place): void {
    for (let index = this.frames.length - 1; index >= 0; index--) {
      const frame = this.frames[index];
      if (frame?.kind === 'tag' && !mayStandAlone(frame.tag.name)) break;
      if (frame?.kind === 'element' && frame.name === name) {
        this.closeAt(index, raw);
        return;
      }
    }
    this.add({ kind: 'raw', raw, ...place });
  }

  finish(): MarkupNode[] {
    this.abandon(0);
    return this.root;
  }

  private implyEnds(name: string): void {
    const top = this.frames[this.frames.length - 1];
    if (top?.kind === 'element' && top.name === 'p' && !INLINE_ELEMENTS.has(name)) this.frames.pop();
    const rule = ownEntry(IMPLIED_ENDS, name);
    if (rule === undefined) return;
    for (let index = this.frames.length - 1; index >= 0; index--) {
      const frame = this.frames[index];
      if (frame?.kind !== 'element' || rule.within.includes(frame.name)) return;
      if (rule.ends.includes(frame.name)) {
        this.abandon(index + 1);
        this.frames.length = index;
      }
    }
  }

  private closeAt(index: number, raw: string): void {
    this.abandon(index + 1);
    const frame = this.frames[index];
    if (frame !== undefined) frame.close = raw;
    this.frames.length = index;
  }

  /** Frames from `from` on were never closed: their content moves after them, unless their end tag is optional. */
  private abandon(from: number): void {
    while (this.frames.length > from) {
      const frame = this.frames.pop();
      if (frame === undefined || (frame.kind === 'element' && OPTIONAL_END.has(frame.name))) continue;
      const siblings = this.frames[this.frames.length - 1]?.children ?? this.root;
      const children = frame.children.splice(0);
      if (!(frame.kind === 'tag' && mayStandAlone(frame.tag.name))) {
        siblings.pop();
        siblings.push({ kind: 'raw', raw: frame.kind === 'tag' ? frame.tag.raw : frame.open, ...placeIn(frame) });
      }
      for (const child of children) siblings.push(child);
    }
  }
}

/** Nests `nodes` into their HTML elements and tags. `line` is that of the source's first line, less one. */
export function nestMarkup(nodes: readonly Nodes[], source: string, line = 0): MarkupNode[] {
  const nesting = new Nesting();
  for (const node of nodes) addNode(nesting, node, source, line);
  return nesting.finish();
}

function addNode(nesting: Nesting, node: Nodes, source: string, offset: number): void {
  const written = placeOf(node);
  const place = { ...written, line: written.line + offset };
  if (node.type === 'tagLine') addTagLine(nesting, node.value, place);
  else if (node.type === 'html') for (const event of tokenizeHtml(node.value)) addHtmlEvent(nesting, event, place);
  else if (node.type === 'paragraph') addParagraph(nesting, node, source, place);
  else nesting.add({ kind: 'markdown', node, ...place });
}

/** The place of a node; without its column if it was parsed separately from the rest of its source. */
export function placeOf(node: Nodes): Place {
  const { line = 1, column } = node.position?.start ?? {};
  return column === undefined || apart.has(node) ? { line } : { line, column };
}

const placeIn = ({ line, column }: Place): Place => ({ line, column });

function addTagLine(nesting: Nesting, value: string, place: Place): void {
  for (const segment of splitTags(value)) {
    if ('tag' in segment) addTag(nesting, segment.tag, later(place, segment.at));
    else addMarkdown(nesting, segment.text.trim(), place.line);
  }
}

/** The place so many characters later in a line. */
function later({ line, column }: Place, characters: number): Place {
  return column === undefined ? { line } : { line, column: column + characters };
}

function addTag(nesting: Nesting, tag: Tag, place: Place): void {
  if (tag.closes) nesting.closeTag(tag, place);
  else nesting.open({ kind: 'tag', tag, children: [], close: '', ...place });
}

/** Markdown that shares its line with a tag. */
function addMarkdown(nesting: Nesting, source: string, line: number): void {
  if (!nesting.mayReadAgain(source.length)) {
    nesting.add({ kind: 'raw', raw: source, line });
    return;
  }
  const tree = readMdast(source);
  moveTo(tree, source, line - 1);
  for (const node of tree.children) addNode(nesting, node, source, 0);
}

/** The source text of nodes that were parsed separately from the rest of their source. */
const apart = new WeakMap<Nodes, string>();

function moveTo(node: Nodes, source: string, lines: number): void {
  apart.set(node, source.slice(node.position?.start.offset, node.position?.end.offset));
  if (node.position !== undefined) node.position.start.line += lines;
  if ('children' in node) for (const child of node.children) moveTo(child, source, lines);
}

/** The source text of a node, without the indentation and marks of the lists and quotes around it. */
export function writtenAs(node: Nodes, source: string): string {
  const written = apart.get(node) ?? source.slice(node.position?.start.offset, node.position?.end.offset);
  const column = node.position?.start.column ?? 1;
  return column === 1 ? written : written.replace(new RegExp(`\\n[ >]{1,${column - 1}}`, 'g'), '\n');
}

/** A paragraph may end with the closing tag of a block: `text {% endhint %}`. */
function addParagraph(
  nesting: Nesting,
  node: Extract<Nodes, { type: 'paragraph' }>,
  source: string,
  place: Place,
): void {
  const last = node.children[node.children.length - 1];
  if (last?.type === 'text' && last.value.includes('{%')) {
    const segments = splitTags(last.value);
    const tail = segments[segments.length - 1];
    if (
      tail !== undefined &&
      'tag' in tail &&
      tail.tag.closes &&
      nesting.hasOpenTag(tail.tag.name) &&
      last.value.trimEnd().endsWith(tail.tag.raw)
    ) {
      const before = writtenAs(node, source).trimEnd();
      if (before.endsWith(tail.tag.raw) && before[before.length - tail.tag.raw.length - 1] !== '\\') {
        const rest = last.value.trimEnd().slice(0, -tail.tag.raw.length).trimEnd();
        const kept =
          rest === '' ? node.children.slice(0, -1) : [...node.children.slice(0, -1), { ...last, value: rest }];
        nesting.add({ kind: 'markdown', node: { ...node, children: kept }, ...place });
        addTag(nesting, tail.tag, { line: place.line });
        return;
      }
    }
  }
  nesting.add({ kind: 'markdown', node, ...place });
}

/** Its lines begin where its first one does: the marks of the lists and quotes around it are left out. */
function addHtmlEvent(nesting: Nesting, event: HtmlEvent, first: Place): void {
  const { column } = event;
  const place = {
    line: event.line + first.line,
    ...(column !== undefined && first.column !== undefined && { column: first.column + column }),
  };
  if (event.kind === 'text') nesting.add({ kind: 'text', value: event.value, raw: event.raw, ...place });
  else if (event.kind === 'raw')
    nesting.add(
      isMarkup(event.raw)
        ? { kind: 'raw', raw: event.raw, ...place }
        : { kind: 'text', value: event.raw, raw: event.raw, ...place },
    );
  else if (event.kind === 'close') nesting.closeElement(event.name, event.raw, place);
  else if (!isHtmlElement(event.name) && !WHOLE_TAG.test(event.raw))
    nesting.add({ kind: 'text', value: event.raw, raw: event.raw, ...place });
  else {
    const element: Element = {
      kind: 'element',
      name: event.name,
      attributes: event.attributes,
      children: [],
      open: event.raw,
      close: '',
      ...place,
    };
    if (VOID_ELEMENTS.has(event.name) || event.selfClosing) nesting.add(element);
    else nesting.open(element);
  }
}

/** A start tag by the rules of Markdown, on one line; further tags of HTML are text if no element has their name. */
const WHOLE_TAG = /^<[a-z][a-z0-9-]*(?: +[a-z_:][\w.:-]*(?: *= *(?:"[^"\n]*"|'[^'\n]*'|[^\s"'=<>`]+))?)* *\/?>$/i;

/** Unfinished markup is text, unless it alone makes a block of HTML of its line. */
function isMarkup(raw: string): boolean {
  const name = /^<\/?([a-z][a-z0-9]*)/i.exec(raw)?.[1]?.toLowerCase();
  return name === undefined
    ? /^<(?:!--|\?|![a-z]|!\[CDATA\[)/i.test(raw)
    : isHtmlElement(name) && !INLINE_ELEMENTS.has(name);
}

/** The source of a node if it is all HTML; `undefined` if Markdown is inside. */
export function htmlSource(node: MarkupNode): string | undefined {
  if (node.kind === 'text' || node.kind === 'raw') return node.raw;
  if (node.kind !== 'element') return undefined;
  let source = node.open;
  for (const child of node.children) {
    const part = htmlSource(child);
    if (part === undefined) return undefined;
    source += part;
  }
  return source + node.close;
}
