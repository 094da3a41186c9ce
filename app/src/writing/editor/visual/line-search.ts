import { Fragment, type Mark, type Node } from 'prosemirror-model';
import { SPANS } from './model/lines.js';
import type { FindQuery } from '../find/editor-text.js';

/** A part of a text, or of a document. */
export interface Match {
  readonly from: number;
  readonly to: number;
}

/** Stands for an inline without text of its own, in which nothing is found. */
const NO_TEXT = '\uFFFC';
const WORD = '[\\p{L}\\p{M}\\p{N}_]';
const WORD_AT = { start: new RegExp(`^${WORD}`, 'u'), end: new RegExp(`${WORD}$`, 'u') };

/** Looks for words in lines. They have no meaning as a pattern, so that the length of a line bounds its time. */
export class LineSearch {
  private readonly pattern: RegExp | undefined;
  /** The places in lines that have not changed since. */
  private readonly known = new WeakMap<Node, readonly Match[]>();

  constructor(query: FindQuery) {
    this.pattern = patternOf(query);
  }

  /** The places in a textblock, from its beginning. */
  in(line: Node): readonly Match[] {
    const known = this.known.get(line);
    if (known) return known;
    const places = this.placesIn(line);
    this.known.set(line, places);
    return places;
  }

  private placesIn(line: Node): Match[] {
    if (!this.pattern) return [];
    const text = line.textBetween(0, line.content.size, '', NO_TEXT);
    return [...text.matchAll(this.pattern)].map(({ index, 0: { length } }) => ({ from: index, to: index + length }));
  }
}

function patternOf({ text, isCaseSensitive, isWholeWord }: FindQuery): RegExp | undefined {
  if (text === '' || text.includes(NO_TEXT)) return undefined;
  const literal = text.replace(/[\\^$.*+?()[\]{}|/-]/g, (sign) => (sign === '-' ? '\\x2d' : `\\${sign}`));
  const before = isWholeWord && WORD_AT.start.test(text) ? `(?<!${WORD})` : '';
  const behind = isWholeWord && WORD_AT.end.test(text) ? `(?!${WORD})` : '';
  return new RegExp(before + literal + behind, isCaseSensitive ? 'gu' : 'giu');
}

/** The content of a textblock from its first place to its last one, with other words in all of them. */
export function replacedContent(line: Node, places: readonly Match[], replacement: string): Fragment {
  const nodes: Node[] = [];
  let at = places[0]?.from ?? 0;
  for (const place of places) {
    nodes.push(...line.content.cut(at, place.from).content, ...replacedWords(line, place, replacement));
    at = place.to;
  }
  return Fragment.from(Fragment.fromArray(nodes));
}

/** Words in place of others: letters that both begin or end with keep their marks, others get those of the first one. */
function replacedWords(line: Node, { from, to }: Match, replacement: string): readonly Node[] {
  const words = line.textBetween(from, to);
  const most = Math.min(words.length, replacement.length);
  let [start, end] = [0, 0];
  while (start < most && words[start] === replacement[start]) start += 1;
  start -= isDivided(words, start) || isDivided(replacement, start) ? 1 : 0;
  while (end < most - start && words.at(-1 - end) === replacement.at(-1 - end)) end += 1;
  end -= isDivided(words, words.length - end) || isDivided(replacement, replacement.length - end) ? 1 : 0;
  const written = replacement.slice(start, replacement.length - end);
  const kept = (one: number, other: number): readonly Node[] => line.content.cut(from + one, from + other).content;
  // Letters that are only added go on as those before them.
  const first = start + end < words.length || start === 0 ? start : start - 1;
  const marks = spansWithin(line, from + start, from + words.length - end).reduce(
    (set, span) => span.addToSet(set),
    marksAt(line, from + first),
  );
  const text = written === '' ? [] : [line.type.schema.text(written, marks)];
  return [...kept(0, start), ...text, ...kept(words.length - end, words.length)];
}

/** Tells whether a place lies between the two units of one character. */
function isDivided(text: string, at: number): boolean {
  return /[\uD800-\uDBFF]/.test(text.charAt(at - 1)) && /[\uDC00-\uDFFF]/.test(text.charAt(at));
}

/** Links and footnotes that have no other letters than some of a range: they go on with the words in its place. */
function spansWithin(line: Node, from: number, to: number): readonly Mark[] {
  const isOutside = (mark: Mark): boolean => [from - 1, to].some((at) => at >= 0 && mark.isInSet(marksAt(line, at)));
  const spans = new Set<Mark>();
  line.nodesBetween(from, to, ({ marks }) => {
    for (const mark of marks) if (SPANS.has(mark.type.name) && !isOutside(mark)) spans.add(mark);
  });
  return [...spans];
}

function marksAt(line: Node, offset: number): readonly Mark[] {
  return line.nodeAt(offset)?.marks ?? [];
}
