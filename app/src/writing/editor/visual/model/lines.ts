import { Fragment, type Mark, type Node } from 'prosemirror-model';
import type { ContentInline, ContentLeaf, ContentMark, ContentNode, ContentText, Data } from './content.js';
import { markNamed, schema, typeNamed } from './schema.js';

/** The inlines that are marks in the editor: their text is written in place. */
export const SPANS: ReadonlySet<string> = new Set(['link', 'annotation']);

/** The line of a textblock as the editor shows it; line breaks are nodes where `hasBreaks`. */
export function lineNodes(nodes: readonly ContentNode[], hasBreaks = true): Fragment {
  return Fragment.from(new LineReading(hasBreaks).read(nodes, []));
}

class LineReading {
  private readonly parts = new Map<string, number>();

  constructor(private readonly hasBreaks: boolean) {}

  read(nodes: readonly ContentNode[], around: readonly Mark[]): Node[] {
    return nodes.flatMap((node): Node[] => {
      if (node.object === 'text') return node.leaves.flatMap((leaf) => this.leaf(leaf, around));
      if (node.object === 'block') throw new RangeError('a block stands in a line');
      return this.inline(node, around);
    });
  }

  private leaf({ text, marks }: ContentLeaf, around: readonly Mark[]): Node[] {
    const all = marks.reduce((set, mark) => markOf(mark).addToSet(set), around);
    if (!this.hasBreaks) return text === '' ? [] : [schema.text(text, all)];
    return text
      .split('\n')
      .flatMap((part, index) => [
        ...(index > 0 ? [typeNamed('break').create(null, null, all)] : []),
        ...(part === '' ? [] : [schema.text(part, all)]),
      ]);
  }

  private inline(inline: ContentInline, around: readonly Mark[]): Node[] {
    const { object: _object, type, data = {}, nodes = [], fragments, ...rest } = inline;
    const atom = (): Node[] => [typeNamed('inline_atom').create({ inline }, null, around)];
    if (!SPANS.has(type) || around.some((mark) => mark.type.name === type)) return atom();
    const part = this.parts.get(type) ?? 0;
    this.parts.set(type, part + 1);
    const more = type === 'link' ? { isInside: around.length > 0 } : { fragments: fragments ?? [] };
    const mark = markNamed(type).create({ data, rest, part, ...more });
    const inside = this.read(nodes, mark.addToSet(around));
    // A mark needs text to stand on.
    return inside.length === 0 || (type === 'link' && fragments !== undefined) ? atom() : inside;
  }
}

function markOf({ type, data }: ContentMark): Mark {
  return markNamed(type).create(data === undefined ? null : { data });
}

/** The nodes of the document for the line of a textblock. */
export function contentOfLine(line: Fragment): ContentNode[] {
  const nodes = contentOf(line.content, 0);
  return nodes.length === 0 ? [plainText('')] : nodes;
}

export function plainText(text: string): ContentText {
  return { object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] };
}

/** The spans among the marks of a node, outermost first. */
export function spansOf({ marks }: Pick<Node, 'marks'>): Mark[] {
  const spans = marks.filter(({ type }) => SPANS.has(type.name));
  const link = spans.find(({ type }) => type.name === 'link');
  return link?.attrs['isInside'] === true ? [...spans.filter((mark) => mark !== link), link] : spans;
}

/** The content of nodes within the first `depth` of their spans. */
function contentOf(line: readonly Node[], depth: number): ContentNode[] {
  const nodes: ContentNode[] = [];
  let leaves: ContentLeaf[] = [];
  const endText = (): void => {
    if (leaves.length > 0) nodes.push({ object: 'text', leaves });
    leaves = [];
  };
  for (let index = 0; index < line.length;) {
    const node = line[index];
    if (!node) break;
    const span = spansOf(node)[depth];
    if (span) {
      let end = index + 1;
      for (let next = line[end]; next && spansOf(next)[depth]?.eq(span); next = line[end]) end += 1;
      endText();
      nodes.push(spanOf(span, contentOf(line.slice(index, end), depth + 1)));
      index = end;
    } else {
      if (node.type.name === 'inline_atom') {
        endText();
        nodes.push(node.attrs['inline'] as ContentInline);
      } else leaves = withText(leaves, node);
      index += 1;
    }
  }
  endText();
  return nodes;
}

/** A span as an inline of the document. */
export function spanOf({ type, attrs }: Mark, nodes: readonly ContentNode[]): ContentInline {
  const rest = (attrs['rest'] as Partial<ContentInline> | null) ?? { isVoid: false };
  const fragments = type.name === 'annotation' ? { fragments: attrs['fragments'] as ContentInline['fragments'] } : {};
  return {
    object: 'inline',
    type: type.name,
    ...rest,
    data: attrs['data'] as Data,
    nodes,
    ...fragments,
  };
}

/** Leaves with the text of one more node, which is joined with the last one where the marks are the same. */
function withText(leaves: readonly ContentLeaf[], node: Node): ContentLeaf[] {
  const text = node.isText ? (node.text ?? '') : '\n';
  const marks = node.marks
    .filter(({ type }) => !SPANS.has(type.name))
    .map(({ type, attrs }): ContentMark => {
      const data = attrs['data'] as Data | undefined;
      return { object: 'mark', type: type.name, ...(data && { data }) };
    });
  const last = leaves.at(-1);
  return last && JSON.stringify(last.marks) === JSON.stringify(marks)
    ? [...leaves.slice(0, -1), { ...last, text: last.text + text }]
    : [...leaves, { object: 'leaf', text, marks }];
}

/** The same line in the one form that equal lines have: without empty texts, equal neighbours joined. */
export function normalLine(nodes: readonly ContentNode[]): ContentNode[] {
  const normal: ContentNode[] = [];
  for (const node of nodes) {
    const last = normal.at(-1);
    if (node.object === 'inline') normal.push(node.nodes && SPANS.has(node.type) ? withNormalLine(node) : node);
    else if (node.object === 'block') normal.push(node);
    else {
      const before = last?.object === 'text' ? last.leaves : [];
      const leaves = node.leaves.reduce(joinLeaf, before);
      if (last?.object === 'text') normal.pop();
      if (leaves.length > 0) normal.push({ object: 'text', leaves });
    }
  }
  return normal;
}

function withNormalLine(inline: ContentInline): ContentInline {
  return { ...inline, nodes: normalLine(inline.nodes ?? []) };
}

const ORDER = Object.keys(schema.marks);

function joinLeaf(leaves: readonly ContentLeaf[], leaf: ContentLeaf): ContentLeaf[] {
  if (leaf.text === '') return [...leaves];
  const marks = [...leaf.marks].sort((a, b) => ORDER.indexOf(a.type) - ORDER.indexOf(b.type));
  const last = leaves.at(-1);
  return last && JSON.stringify(last.marks) === JSON.stringify(marks)
    ? [...leaves.slice(0, -1), { ...last, text: last.text + leaf.text }]
    : [...leaves, { ...leaf, marks }];
}
