import { Fragment, type Mark, type Node } from 'prosemirror-model';
import type { Match } from './line-search.js';
import type { ContentNode } from './model/content.js';
import { plainText, spanOf, spansOf } from './model/lines.js';
import { typeNamed } from './model/schema.js';

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

/**
 * Words in place of others: letters that both begin or end with keep their marks, others get those of the first one.
 * Links and footnotes that would be left without letters go on with the words in their place.
 */
function replacedWords(line: Node, { from, to }: Match, replacement: string): readonly Node[] {
  const words = line.textBetween(from, to);
  let [start, end] = commonEnds(words, replacement);
  let groups = spanGroups(line, from + start, to - end);
  let written = Array.from(replacement.slice(start, replacement.length - end));
  // Each group needs a letter to stand on.
  while (replacement !== '' && written.length < groups.length && start + end > 0) {
    if (start > 0) start -= isDivided(words, start - 1) ? 2 : 1;
    else end -= isDivided(words, words.length - end + 1) ? 2 : 1;
    groups = spanGroups(line, from + start, to - end);
    written = Array.from(replacement.slice(start, replacement.length - end));
  }
  // Letters that are only added go on as those before them.
  const first = start + end < words.length || start === 0 ? start : start - 1;
  return [
    ...line.content.cut(from, from + start).content,
    ...(written.length === 0 ? [] : writtenNodes(line, written, groups, marksAt(line, from + first))),
    ...line.content.cut(to - end, to).content,
  ];
}

/** The numbers of letters that two texts both begin and end with. */
function commonEnds(words: string, replacement: string): [start: number, end: number] {
  const most = Math.min(words.length, replacement.length);
  let [start, end] = [0, 0];
  while (start < most && words[start] === replacement[start]) start += 1;
  start -= isDivided(words, start) || isDivided(replacement, start) ? 1 : 0;
  while (end < most - start && words.at(-1 - end) === replacement.at(-1 - end)) end += 1;
  end -= isDivided(words, words.length - end) || isDivided(replacement, replacement.length - end) ? 1 : 0;
  return [start, end];
}

/** Tells whether a place lies between the two units of one character. */
function isDivided(text: string, at: number): boolean {
  return /[\uD800-\uDBFF]/.test(text.charAt(at - 1)) && /[\uDC00-\uDFFF]/.test(text.charAt(at));
}

/** Links and footnotes that stand on the same letters, outermost first. */
type Spans = readonly Mark[];

/** The fewest groups that have all links and footnotes without other letters than some of a range, in their order. */
function spanGroups(line: Node, from: number, to: number): Spans[] {
  const isOutside = (mark: Mark): boolean => [from - 1, to].some((at) => at >= 0 && mark.isInSet(marksAt(line, at)));
  const groups: Spans[] = [];
  line.nodesBetween(from, to, (node) => void groups.push(spansOf(node).filter((mark) => !isOutside(mark))));
  let carried: Spans = [];
  return groups.filter((spans, index) => {
    const isNeeded = spans.some((mark) => !mark.isInSet(carried) && !mark.isInSet(groups[index + 1] ?? []));
    carried = isNeeded ? spans : spans.filter((mark) => mark.isInSet(carried));
    return isNeeded;
  });
}

/** Letters with marks; the groups share them, and those for which none is left stand behind them without letters. */
function writtenNodes(
  { type: { schema } }: Node,
  letters: readonly string[],
  groups: readonly Spans[],
  marks: readonly Mark[],
): Node[] {
  const all = groups.flat();
  const around = marks.filter((mark) => !mark.isInSet(all));
  const withSpans = (spans: Spans): readonly Mark[] =>
    spans.reduce<readonly Mark[]>((set, span) => span.addToSet(set), around);
  const shared = groups.slice(0, letters.length);
  const nodes = parts(letters, Math.max(1, shared.length)).map((text, index) =>
    schema.text(text, withSpans(shared[index] ?? [])),
  );
  const others = around.filter(({ type }) => !all.some((span) => span.type === type));
  const atoms = groups.slice(letters.length).map((spans) => {
    const [inline] = spans.reduceRight<ContentNode[]>((inside, span) => [spanOf(span, inside)], [plainText('')]);
    return typeNamed('inline_atom').create({ inline }, null, others);
  });
  return [...nodes, ...atoms];
}

/** A text in so many parts, divided between words if it has as many of them. */
function parts(letters: readonly string[], count: number): string[] {
  const words = letters.join('').match(/\s*\S+|\s+$/g) ?? [];
  const units = words.length >= count ? words : letters;
  return Array.from({ length: count }, (_each, index) =>
    units.slice(Math.floor((index * units.length) / count), Math.floor(((index + 1) * units.length) / count)).join(''),
  );
}

function marksAt(line: Node, offset: number): readonly Mark[] {
  return line.nodeAt(offset)?.marks ?? [];
}
