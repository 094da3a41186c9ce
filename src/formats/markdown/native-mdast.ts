import type { ListItem, Nodes, Parents, Root, RootContent, Text } from 'mdast';
import type { Point } from 'unist';
import { emojiAt } from './emoji.js';
import { isFlow, isUnsureNode, isUnsureSource, type PlacedNode } from './native-differences.js';
import { hasManyAddresses, type ParseLimits } from './parse-limits.js';

/** The parser in native code, undefined on a platform that it has not been compiled for. */
const native = await import('satteri').catch(() => undefined);

const FEATURES = { gfm: true, frontmatter: false, math: { singleDollarTextMath: false } } as const;

const MARKERS = /[*_~`$!<[\]&:\\]/g;
/** Runs of markers that are near to the longest ones. */
const LONG_RUN = /([*_~])\1{63}|([`$])\2{11}/;
/** Events of the extended parser for each marker and each line of a paragraph, at most. */
const EVENTS_OF_MARK = 6;
/** Work of the extended parser for each line, at most. */
const WORK_OF_LINE = 300;
const WORK_OF_MARK = 10;

/** A line of a tag, behind the marks of lists and quotes. A quoted value that extends over lines has no end here. */
const TAG_LINE =
  /^((?:[ \t>]|[-+*][ \t]|\d{1,9}[.)][ \t]|\[[ xX]\][ \t])*)\{%(?=[ \t]*[a-zA-Z@])((?:"(?:[^"\\\n]|\\["\\]|\\(?!["\\]))*"|'(?:[^'\\\n]|\\['\\]|\\(?!['\\]))*'|%(?!\})|[^%"'\n])*)%\}/gm;
const TAG = /\{%[ \t]*[a-zA-Z@]/;

/** Thrown for a tree that may differ. */
class Unsure extends Error {}

/**
 * Parses Markdown in native code into the tree that the extended parser makes of it, about fifty times as fast.
 * Undefined if the two may differ, or if the source comes near to a limit.
 *
 * Tags are no CommonMark: the native parser gets a line of them as an instruction, `<? ?>`, which has the same length,
 * and begins and ends where a line of tags does.
 */
export function readNative(source: string, bounds: ParseLimits): Root | undefined {
  const hasTags = TAG.test(source);
  if (native === undefined || isUnsureSource(source, hasTags) || !isFarFrom(source, bounds)) return undefined;
  const given = hasTags ? source.replace(TAG_LINE, '$1<?$2?>') : source;
  const tree = native.markdownToMdast(given, { features: FEATURES }) as Root;
  try {
    new Adapter(source, hasTags).adapt(tree);
    return tree;
  } catch (error) {
    if (error instanceof Unsure) return undefined;
    throw error;
  }
}

/** True if the extended parser would certainly not meet a limit. */
function isFarFrom(source: string, limits: ParseLimits): boolean {
  const { events, work } = limits;
  if (LONG_RUN.test(source) || hasManyAddresses(source, limits)) return false;
  const cost = { marks: 0, lines: 0 };
  for (const block of source.split(/\n[ \t>]*\n/)) {
    const marks = block.match(MARKERS)?.length ?? 0;
    const lines = block.split('\n').length;
    if ((marks + lines) * EVENTS_OF_MARK > events) return false;
    cost.marks += marks;
    cost.lines += lines;
  }
  return cost.marks * WORK_OF_MARK + cost.lines * WORK_OF_LINE < work;
}

/** Turns a tree of the native parser into ours, in place. */
class Adapter {
  constructor(
    private readonly source: string,
    private readonly hasTags: boolean,
  ) {}

  adapt(root: Root): void {
    const pending: { parent: Parents; isNested: boolean }[] = [{ parent: root, isNested: false }];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const { parent, isNested } = next;
      const children = parent.children.flatMap((node, index) => {
        if (this.hasTags) this.restoreTags(node);
        const adapted = this.adaptNode({ node, parent, index, isNested, source: this.source });
        if ('children' in node)
          pending.push({ parent: node, isNested: isNested || node.type === 'list' || node.type === 'blockquote' });
        return adapted;
      });
      parent.children = children as RootContent[];
    }
  }

  private adaptNode(placed: PlacedNode): Nodes | Nodes[] {
    const { node } = placed;
    if (node.type === 'html' && /^[ \t]*\{%/.test(node.value)) return this.tagLine(placed);
    if (isUnsureNode(placed)) throw new Unsure();
    if (node.type === 'text') return this.withEmoji(node);
    if (node.type === 'listItem' && typeof node.checked === 'boolean') this.includeBox(node);
    if ('alt' in node && hasEmoji(node.alt ?? '')) throw new Unsure();
    return node;
  }

  /** Puts tags back in place of the instructions that stood for them. */
  private restoreTags(node: Nodes): void {
    const fields = node as unknown as Record<string, unknown>;
    for (const name of Object.keys(fields)) {
      const value = fields[name];
      if (typeof value !== 'string' || !/<\?|\?>/.test(value)) continue;
      const written = this.source.slice(node.position?.start.offset, node.position?.end.offset);
      if (!/\{%|%\}/.test(written)) continue;
      if (/<\?|\?>/.test(written)) throw new Unsure();
      fields[name] = value.replaceAll('<?', '{%').replaceAll('?>', '%}');
    }
  }

  private tagLine({ node: { position }, parent }: PlacedNode): Nodes {
    if (!isFlow(parent) || position === undefined || position.end.line > position.start.line) throw new Unsure();
    const { offset = 0 } = position.start;
    const indent = /^[ \t]*/.exec(this.source.slice(offset))?.[0].length ?? 0;
    const start = moved(position.start, indent);
    const value = this.source.slice(offset + indent).split('\n', 1)[0] ?? '';
    return { type: 'tagLine', value, position: { start, end: moved(start, value.length) } };
  }

  /** The paragraph of a task begins with its box, unless text follows the box. */
  private includeBox(item: ListItem): void {
    const [paragraph] = item.children;
    if (paragraph?.type !== 'paragraph' || paragraph.position === undefined) throw new Unsure();
    const { start } = paragraph.position;
    const { offset = 0 } = start;
    if (paragraph.children[0]?.type === 'text' && emojiAt(this.source, offset) === undefined) return;
    paragraph.position.start = moved(start, this.source.lastIndexOf('[', offset - 1) - offset);
  }

  private withEmoji(node: Text): Nodes | Nodes[] {
    if (!hasEmoji(node.value)) return node;
    const { start, end } = node.position ?? {};
    const written = this.source.slice(start?.offset, end?.offset);
    if (start === undefined || written !== node.value) throw new Unsure();
    const nodes: Nodes[] = [];
    let at = 0;
    let point = start;
    const add = (to: number, make: (value: string) => Nodes): void => {
      if (to === at) return;
      const value = written.slice(at, to);
      const next = behind(point, value);
      nodes.push({ ...make(value), position: { start: point, end: next } });
      [at, point] = [to, next];
    };
    const addText = (to: number): void => add(to, (value) => ({ type: 'text', value }));
    for (let colon = written.indexOf(':'); colon !== -1; colon = written.indexOf(':', Math.max(colon + 1, at))) {
      const emoji = emojiAt(written, colon);
      if (emoji === undefined) continue;
      addText(colon);
      add(colon + emoji.length, () => ({ type: 'emoji', code: emoji.code }));
    }
    addText(written.length);
    return nodes;
  }
}

function hasEmoji(text: string): boolean {
  for (let at = text.indexOf(':'); at !== -1; at = text.indexOf(':', at + 1))
    if (emojiAt(text, at) !== undefined) return true;
  return false;
}

/** A point on the same line. */
function moved({ line, column, offset = 0 }: Point, by: number): Point {
  return { line, column: column + by, offset: offset + by };
}

/** The point behind text that begins at a point. */
function behind(start: Point, text: string): Point {
  const lines = text.split('\n');
  const column = (lines.length === 1 ? start.column : 1) + (lines.at(-1)?.length ?? 0);
  return { line: start.line + lines.length - 1, column, offset: (start.offset ?? 0) + text.length };
}
