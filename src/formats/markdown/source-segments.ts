import { contentJson } from '../document/hash.js';
import { differencesOf, type SequenceRange } from '../document/sequence-difference.js';
import type { Block } from '../document/types.js';
import { mergeText, withLineEndsOf } from './merge-text.js';
import type { SourcePart } from './parse-blocks.js';

/** The lines of a source that mean some blocks. */
interface Segment {
  readonly text: string;
  /** The blank lines after it, with the end of its last line. */
  readonly gap: string;
  readonly blocks: readonly Block[];
  /** The definitions of links and footnotes that come after it. */
  readonly definitions: Definition[];
}

interface Definition {
  readonly label: string;
  readonly text: string;
}

/** A body of Markdown, cut into segments; these and the blank lines before and after them are the whole body. */
export interface SegmentedBody {
  readonly body: string;
  readonly lead: string;
  readonly segments: readonly Segment[];
  readonly end: string;
}

/** Cuts the body of a source at its parts. */
export function sourceSegments(body: string, parts: readonly SourcePart[]): SegmentedBody {
  const lines = body.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const cuts: { line: number; blocks: Block[] }[] = [];
  for (const { line, blocks } of parts) {
    const last = cuts[cuts.length - 1];
    // Parts of one line, and those that come earlier than others, cannot be cut.
    if (last !== undefined && line <= last.line) last.blocks.push(...blocks);
    else cuts.push({ line, blocks: [...blocks] });
  }
  const segments: Segment[] = [];
  let lead = lines.slice(0, (cuts[0]?.line ?? lines.length + 1) - 1).join('');
  cuts.forEach(({ line, blocks }, index) => {
    const whole = lines.slice(line - 1, (cuts[index + 1]?.line ?? lines.length + 1) - 1).join('');
    const text = whole.trimEnd();
    const before = segments[segments.length - 1];
    if (blocks.length > 0) segments.push({ text, gap: whole.slice(text.length), blocks, definitions: [] });
    else if (before === undefined) lead += whole;
    else before.definitions.push({ label: labelOf(text), text: whole });
  });
  return { body, lead, segments, end: body.slice(body.trimEnd().length) };
}

function labelOf(definition: string): string {
  return sameLabel(/^\s*\[([^\]]*)\]:/.exec(definition)?.[1] ?? '');
}

function sameLabel(label: string): string {
  return label.toLowerCase().replace(/\s+/g, ' ').trim();
}

export interface KeepOptions {
  /** Writes blocks as the serializer does. */
  readonly write: (blocks: readonly Block[]) => string;
  /** True to repeat changes within the source of blocks; else their source is written anew. */
  readonly inside: boolean;
}

/**
 * The body `after`, which the serializer has written, with the source that `before` has for the same blocks. Blank lines
 * between these, and at both ends, stay.
 */
export function keepSegments(before: SegmentedBody, after: SegmentedBody, options: KeepOptions): string {
  const asThere = (text: string): string => withLineEndsOf(before.body, text);
  const lineEnd = asThere('\n');
  const blank = lineEnd + lineEnd;
  const keyOf = ({ blocks }: Segment): string => contentJson(blocks);
  const kept: string[] = [];
  const definitions: (Definition & { readonly at: number })[] = [];
  const push = (text: string): void => void kept.push(text);
  const keep = (segments: readonly Segment[]): void => {
    for (const { text, gap, definitions: inside } of segments) {
      push(text);
      push(gap);
      define(inside);
    }
  };
  const define = (inside: readonly Definition[]): void => {
    for (const definition of inside) {
      definitions.push({ ...definition, at: kept.length });
      push(definition.text);
    }
  };
  const apart = (): void => {
    const last = kept.slice(-2).join('');
    if (kept.length > 0 && !/\n[ \t]*\r?\n[ \t]*$/.test(last)) push(/\n$/.test(last) ? lineEnd : blank);
  };
  const revised = (was: readonly Segment[], is: readonly Segment[]): string => {
    const [old = '', now = ''] = [was, is].map((segments) =>
      asThere(options.write(segments.flatMap(({ blocks }) => blocks))).trimEnd(),
    );
    // Apart from the others, footnotes would have their labels.
    return mergeText(old, now.includes('[^') ? asThere(joined(is)) : now, joined(was)).trimEnd();
  };
  const replace = (was: readonly Segment[], is: readonly Segment[]): void => {
    const last = was[was.length - 1];
    if (is.length > 0) {
      if (last === undefined || !options.inside) apart();
      push(options.inside && last ? revised(was, is) : asThere(joined(is)));
      push(last === undefined ? blank : last.gap === '' ? lineEnd : last.gap);
      if (!options.inside) apart();
    }
    for (const segment of was) define(segment.definitions);
  };
  let at = 0;
  for (const place of differencesOf(before.segments.map(keyOf), after.segments.map(keyOf))) {
    keep(before.segments.slice(at, place.before.from));
    const [was, is] = [slice(before, place.before), slice(after, place.after)];
    if (options.inside) besideOne(was, is).forEach((pair) => replace(...pair));
    else replace(was, is);
    at = place.before.to;
  }
  keep(before.segments.slice(at));
  const known = new Set(definitions.map(({ label }) => label));
  const added = after.segments.flatMap((segment) => segment.definitions.filter(({ label }) => !known.has(label)));
  const used = labelsIn(kept, definitions, before.lead);
  const unused = new Set(definitions.filter(({ label }) => !used.has(label)).map(({ at: place }) => place));
  const body = kept.filter((_text, index) => !unused.has(index)).join('');
  const further = added.filter(({ label }) => used.has(label)).map(({ text }) => blank + asThere(text.trimEnd()));
  return `${before.lead}${body.trimEnd()}${further.join('')}${before.end}`;
}

type Pair = readonly [was: readonly Segment[], is: readonly Segment[]];

/** Segments that replace a single one, as its new text and what is new before and after it. */
function besideOne(was: readonly Segment[], is: readonly Segment[]): readonly Pair[] {
  const [only] = was;
  if (only === undefined || was.length > 1 || is.length < 2) return [[was, is]];
  const at = nearest(only, is);
  return [
    [[], is.slice(0, at)],
    [was, is.slice(at, at + 1)],
    [[], is.slice(at + 1)],
  ];
}

/** The index of the segment that has the most words of another one. */
function nearest({ text }: Segment, others: readonly Segment[]): number {
  const words = new Set(text.match(WORD));
  const shared = others.map((other) => other.text.match(WORD)?.filter((word) => words.has(word)).length ?? 0);
  return shared.indexOf(Math.max(...shared));
}

const WORD = /[\p{L}\p{N}]+/gu;

function slice({ segments }: SegmentedBody, { from, to }: SequenceRange): readonly Segment[] {
  return segments.slice(from, to);
}

function joined(segments: readonly Segment[]): string {
  return segments
    .map(({ text, gap }) => text + gap)
    .join('')
    .trimEnd();
}

/** The labels that a text refers to, apart from those that definitions begin with. */
function labelsIn(kept: readonly string[], definitions: readonly { readonly at: number }[], lead: string): Set<string> {
  const defining = new Set(definitions.map(({ at }) => at));
  const texts = [
    lead,
    ...kept.map((text, index) => (defining.has(index) ? text.replace(/^\s*\[[^\]]*\]:/, '') : text)),
  ];
  const labels = new Set<string>();
  for (const text of texts) {
    for (const match of text.matchAll(/\[([^[\]]+)\]/g)) labels.add(sameLabel(match[1] ?? ''));
    for (const match of text.matchAll(/#user-content-fn-([^"'\s>]+)/g)) labels.add(`^${sameLabel(match[1] ?? '')}`);
  }
  return labels;
}
