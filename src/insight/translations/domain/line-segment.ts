import { leaf, plain, text } from '../../../formats/document/build.js';
import { MARK_ORDER } from '../../../formats/document/node-kinds.js';
import { sameMark, sameMarks } from '../../../formats/document/same-marks.js';
import type { Inline, Leaf, Mark, Node } from '../../../formats/document/types.js';
import { mergeAdjacentTexts, type SegmentPiece, type Segment } from './segment.js';

/** The meaning of a marker in a line. */
type Thing =
  | { readonly kind: 'marks'; readonly marks: readonly Mark[] }
  | { readonly kind: 'leaf'; readonly leaf: Leaf }
  | { readonly kind: 'inline'; readonly node: Inline };

/** The text of a line, and the conversion back from its translation. */
export interface Line {
  readonly segment: Segment;
  /** The meaning of each marker, by its number less one: markers of two languages with equal signs can be the same. */
  readonly signs: readonly string[];
  /** `answer` must keep the markers of the segment. */
  readonly nodes: (answer: Segment) => Node[];
}

/** Marks whose text is never translated. */
const VERBATIM: ReadonlySet<string> = new Set(['code', 'keyboard']);

/** Addresses and line breaks within a text: they stay unchanged. */
const OPAQUE =
  /(\n|\bhttps?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]'»”]|\bwww\.[^\s<>"]*[^\s<>".,;:!?)\]'»”]|(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+)/gu;

/** The alternating translatable and opaque parts of a text; either may be empty. */
export function splitTranslatable(value: string): string[] {
  return value.split(OPAQUE);
}

/** Converts the content of one block to one segment. `nodes` must be phrasing: texts and inlines. */
export function readLine(nodes: readonly Node[]): Line {
  const reader = new LineReader();
  reader.units(unitsOf(nodes), []);
  return {
    segment: mergeAdjacentTexts(reader.pieces),
    signs: reader.things.map(signOf),
    nodes: (answer) => buildLine(answer, reader.things),
  };
}

function signOf(thing: Thing): string {
  if (thing.kind === 'leaf') return `leaf ${thing.leaf.text}`;
  return thing.kind === 'inline' ? signOfInline(thing.node) : `marks ${JSON.stringify(thing.marks)}`;
}

/** The data without the words in it: two links of a line differ by their targets. */
function signOfInline({ type, data }: Inline): string {
  const words = { title: undefined, label: undefined, alt: undefined, caption: undefined };
  return `${type} ${JSON.stringify({ ...data, ...words })}`;
}

/** A text with its marks, or an inline with those that all texts in it have. */
type Unit =
  | { readonly leaf: Leaf; readonly marks: readonly Mark[] }
  | { readonly inline: Inline; readonly marks: readonly Mark[]; readonly inside: readonly Unit[] | undefined };

function unitsOf(nodes: readonly Node[]): Unit[] {
  return nodes.flatMap((node): Unit[] => {
    if (node.object === 'block') return [];
    if (node.object === 'text')
      return node.leaves.flatMap((each) => (each.text === '' ? [] : [{ leaf: each, marks: each.marks }]));
    const inside = node.nodes && unitsOf(node.nodes);
    return [{ inline: node, inside, marks: inside ? commonMarks(inside) : [] }];
  });
}

function commonMarks(units: readonly Unit[]): readonly Mark[] {
  const [first, ...others] = units;
  return (first?.marks ?? []).filter((mark) => others.every(({ marks }) => hasMark(marks, mark)));
}

function hasMark(marks: readonly Mark[], mark: Mark): boolean {
  return marks.some((other) => sameMark(mark, other));
}

class LineReader {
  readonly pieces: SegmentPiece[] = [];
  readonly things: Thing[] = [];

  /**
   * Reads units within pairs that have the marks `around` already. Marks that several units have are one pair around
   * all of these, so that no word slips out between two.
   */
  units(units: readonly Unit[], around: readonly Mark[]): void {
    for (let at = 0; at < units.length;) {
      const own = without(units[at]?.marks ?? [], around);
      let shared = own;
      let end = at + 1;
      for (; end < units.length; end++) {
        const both = shared.filter((mark) => hasMark(units[end]?.marks ?? [], mark));
        if (both.length === 0) break;
        shared = both;
      }
      const run = units.slice(at, end);
      if (end === at + 1) run.forEach((unit) => this.unit(unit, around));
      else
        this.pair({ kind: 'marks', marks: shared }, () => {
          this.units(run, [...around, ...shared]);
        });
      at = end;
    }
  }

  private unit(unit: Unit, around: readonly Mark[]): void {
    if ('inline' in unit) {
      const { inline: node, inside } = unit;
      if (inside === undefined) this.opaque({ kind: 'inline', node });
      else this.pair({ kind: 'inline', node }, () => this.units(inside, around));
      return;
    }
    const { leaf: each } = unit;
    const own = without(each.marks, around);
    if (isVerbatim(each.marks)) this.opaque({ kind: 'leaf', leaf: each });
    else if (own.length === 0) this.words({ ...each, marks: [] });
    else this.pair({ kind: 'marks', marks: own }, () => this.words({ ...each, marks: [] }));
  }

  private words(each: Leaf): void {
    splitTranslatable(each.text).forEach((part, index) => {
      if (index % 2 === 1) this.opaque({ kind: 'leaf', leaf: { ...each, text: part } });
      else if (part !== '') this.pieces.push(part);
    });
  }

  private opaque(thing: Thing): void {
    this.pieces.push({ opaque: this.things.push(thing) });
  }

  private pair(thing: Thing, inside: () => void): void {
    const number = this.things.push(thing);
    this.pieces.push({ open: number });
    inside();
    this.pieces.push({ close: number });
  }
}

function without(marks: readonly Mark[], others: readonly Mark[]): readonly Mark[] {
  return marks.filter((mark) => !hasMark(others, mark));
}

/** An open pair while a line is built: its content goes to `nodes`. */
interface Frame {
  readonly nodes: Node[];
  readonly marks: readonly Mark[];
  readonly inline?: Inline;
}

/** Items are numbered from 1. */
function buildLine(segment: Segment, things: readonly Thing[]): Node[] {
  const root: Frame = { nodes: [], marks: [] };
  const frames: Frame[] = [root];
  for (const piece of segment) {
    const frame = frames.at(-1) ?? root;
    if (typeof piece === 'string') addLeaf(frame.nodes, piece, frame.marks);
    else if ('close' in piece) closeFrame(frames, frame);
    else {
      const thing = things[('open' in piece ? piece.open : piece.opaque) - 1];
      if (thing?.kind === 'marks') frames.push({ nodes: frame.nodes, marks: withMarks(frame.marks, thing.marks) });
      else if (thing?.kind === 'leaf')
        addVerbatim(frame.nodes, thing.leaf.text, withMarks(frame.marks, thing.leaf.marks));
      else if (thing && 'open' in piece) frames.push({ nodes: [], marks: frame.marks, inline: thing.node });
      else if (thing) frame.nodes.push(thing.node);
    }
  }
  return orEmpty(root.nodes);
}

function closeFrame(frames: Frame[], { inline, nodes }: Frame): void {
  frames.pop();
  if (inline) frames.at(-1)?.nodes.push({ ...inline, nodes: orEmpty(nodes) });
}

function orEmpty(nodes: Node[]): Node[] {
  return nodes.length === 0 ? [plain('')] : nodes;
}

function withMarks(marks: readonly Mark[], more: readonly Mark[]): readonly Mark[] {
  if (marks.length === 0) return more;
  const added = more.filter((mark) => !marks.some((other) => sameMark(mark, other)));
  return [...marks, ...added].sort((a, b) => MARK_ORDER.indexOf(a.type) - MARK_ORDER.indexOf(b.type));
}

/** Adjacent pieces of code stay separate. */
function addVerbatim(nodes: Node[], value: string, marks: readonly Mark[]): void {
  const last = nodes.at(-1);
  const before = last?.object === 'text' ? last.leaves.at(-1) : undefined;
  if (before && isVerbatim(marks) && sameMarks(before.marks, marks)) addLeaf(nodes, ' ', []);
  addLeaf(nodes, value, marks);
}

function isVerbatim(marks: readonly Mark[]): boolean {
  return marks.some(({ type }) => VERBATIM.has(type));
}

/** Leaves with equal marks are joined, and texts separate inlines. */
function addLeaf(nodes: Node[], value: string, marks: readonly Mark[]): void {
  const last = nodes.at(-1);
  if (last?.object !== 'text') {
    nodes.push(text(leaf(value, marks)));
    return;
  }
  const before = last.leaves.at(-1);
  if (before && sameMarks(before.marks, marks)) last.leaves.splice(-1, 1, leaf(before.text + value, marks));
  else last.leaves.push(leaf(value, marks));
}
