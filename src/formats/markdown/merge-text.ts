import { differencesOf } from '../document/sequence-difference.js';

/**
 * Repeats a change of text in another spelling of the same text. `before` and `after` are written by the serializer, and
 * `source` by people: it means what `before` means. The result means what `after` means, and has the lines and words of
 * `source` wherever `before` and `after` are equal. Whether the result is read as intended must be checked: Markdown has
 * places where that depends on more than words.
 */
export function mergeText(before: string, after: string, source: string): string {
  return merged(linesOf(before), linesOf(after), linesOf(source), lineKey, (...chunk) => mergeWords(...chunk)).join('');
}

/** Three versions of a text merged by lines; where both sides have changed the same, `theirs` stays. */
export function mergeLines(
  base: string,
  ours: string,
  theirs: string,
): { readonly text: string; readonly hasConflict: boolean } {
  let hasConflict = false;
  const text = mergeSides(base, ours, theirs, (inTheirs, inOurs) => {
    hasConflict ||= !isSame(inTheirs, inOurs);
    return inTheirs;
  });
  return { text, hasConflict };
}

/** `settle` gives the lines for a place that both sides have changed. */
function mergeSides(
  base: string,
  ours: string,
  theirs: string,
  settle: (inTheirs: Parts, inOurs: Parts) => Parts,
): string {
  const sides = [linesOf(base), linesOf(theirs), linesOf(ours)] as const;
  const lines = merged(
    ...sides,
    (line) => line,
    (_base, inTheirs, inOurs) => settle(inTheirs, inOurs),
  );
  return lines.join('');
}

/** Names of both sides of a conflict, as they stand beside its markers. */
export interface SideNames {
  readonly ours: string;
  readonly theirs: string;
}

/** Like `mergeLines`; lines that both sides have changed stand beside each other, between the markers that git writes. */
export function mergeWithMarkers(
  base: string,
  ours: string,
  theirs: string,
  names: SideNames,
): { readonly text: string; readonly hasConflict: boolean } {
  let hasConflict = false;
  const text = mergeSides(base, ours, theirs, (inTheirs, inOurs) => {
    const { before, after } = sharedEnds(inOurs, inTheirs);
    const [own, other] = [inOurs, inTheirs].map((lines) => lines.slice(before, lines.length - after));
    if (!own || !other || (own.length === 0 && other.length === 0)) return inTheirs;
    hasConflict = true;
    const marks = [`<<<<<<< ${names.ours}\n`, '=======\n', `>>>>>>> ${names.theirs}\n`] as const;
    return [
      ...inOurs.slice(0, before),
      marks[0],
      ...own.map(ended),
      marks[1],
      ...other.map(ended),
      marks[2],
      ...inOurs.slice(inOurs.length - after),
    ];
  });
  return { text, hasConflict };
}

/** A marker stands on a line of its own. */
const ended = (line: string): string => (line.endsWith('\n') ? line : `${line}\n`);

/** The numbers of equal parts at the beginning and at the end. */
function sharedEnds(some: Parts, others: Parts): { readonly before: number; readonly after: number } {
  const most = Math.min(some.length, others.length);
  let before = 0;
  while (before < most && some[before] === others[before]) before++;
  let after = 0;
  while (after < most - before && some[some.length - 1 - after] === others[others.length - 1 - after]) after++;
  return { before, after };
}

/** A text with the line ends of another one. */
export function withLineEndsOf(source: string, text: string): string {
  return source.includes('\r\n') ? text.replace(/\r?\n/g, '\r\n') : text;
}

type Parts = readonly string[];
/** Writes the parts of a place where both the change and the spelling differ. */
type Refine = (before: Parts, after: Parts, source: Parts) => Parts;

function mergeWords(before: Parts, after: Parts, source: Parts): Parts {
  const words = (parts: Parts): string[] => parts.join('').match(WORDS) ?? [];
  return merged(words(before), words(after), words(source), wordKey, (_before, inside) => inside);
}

const WORDS = /\s+|[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu;

/** Lines with their ends. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** The letters and digits of a line, which do not depend on its markup; without any, its first character. */
function lineKey(line: string): string {
  const words = line.replace(/[^\p{L}\p{N}]+/gu, '');
  return words === '' ? ` ${line.trim().charAt(0)}` : words;
}

/** Space is space, however the lines are wrapped. */
function wordKey(word: string): string {
  return word.trim() === '' ? ' ' : word;
}

function merged(before: Parts, after: Parts, source: Parts, keyOf: (part: string) => string, refine: Refine): string[] {
  const inAfter = matchesOf(before, after);
  const inSource = matchesOf(before.map(keyOf), source.map(keyOf));
  const result: string[] = [];
  let from = { before: 0, after: 0, source: 0 };
  const add = (to: typeof from): void => {
    const was = before.slice(from.before, to.before);
    const is = after.slice(from.after, to.after);
    const written = source.slice(from.source, to.source);
    result.push(...(isSame(was, is) ? written : isSame(was, written) ? is : refine(was, is, written)));
  };
  for (let at = 0; at < before.length; at++) {
    const [other, own] = [inAfter[at], inSource[at]];
    if (other === undefined || own === undefined) continue;
    add({ before: at, after: other, source: own });
    result.push(source[own] ?? '');
    from = { before: at + 1, after: other + 1, source: own + 1 };
  }
  add({ before: before.length, after: after.length, source: source.length });
  return result;
}

function isSame(some: Parts, others: Parts): boolean {
  return some.length === others.length && some.every((part, index) => part === others[index]);
}

/** For each part, the index of the same part in `others`; undefined for one that is not there. */
function matchesOf(parts: Parts, others: Parts): (number | undefined)[] {
  const matches: (number | undefined)[] = [];
  let [at, other] = [0, 0];
  for (const { before, after } of [
    ...differencesOf(parts, others),
    { before: { from: parts.length, to: parts.length }, after: { from: others.length, to: others.length } },
  ]) {
    while (at < before.from) matches[at++] = other++;
    [at, other] = [before.to, after.to];
  }
  return matches;
}
