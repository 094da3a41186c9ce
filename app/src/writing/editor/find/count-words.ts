/** The figures of a text. */
export interface TextCount {
  readonly words: number;
  /** Characters as readers see them, with blanks. */
  readonly characters: number;
}

/** The longest piece that is counted at once. */
const PIECE = 4000;
const PLAIN = /^[\x20-\x7e]*$/;

/** Words of languages that put no blanks between them are found by the dictionaries of the browser. */
const words = new Intl.Segmenter('en', { granularity: 'word' });
const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Counts lines; those that were counted before are known. */
export class WordCounter {
  private known = new Map<string, TextCount>();

  /** Counts piece by piece: between two of them something else can be done. */
  *count(lines: readonly string[]): Generator<undefined, TextCount> {
    const counted = new Map<string, TextCount>();
    let total: TextCount = { words: 0, characters: 0 };
    for (const line of lines) {
      const known = counted.get(line) ?? this.known.get(line);
      const count = known ?? (yield* countLine(line));
      counted.set(line, count);
      total = sum(total, count);
    }
    this.known = counted;
    return total;
  }
}

function* countLine(line: string): Generator<undefined, TextCount> {
  let total: TextCount = { words: 0, characters: 0 };
  for (let from = 0; from < line.length;) {
    const to = endOfPiece(line, from);
    total = sum(total, countPiece(line.slice(from, to)));
    from = to;
    yield undefined;
  }
  return total;
}

/** The end of a piece: behind its last blank, else between two characters. */
function endOfPiece(line: string, from: number): number {
  const most = from + PIECE;
  if (most >= line.length) return line.length;
  const blank = line.lastIndexOf(' ', most - 1);
  if (blank > from) return blank + 1;
  return /[\uDC00-\uDFFF]/.test(line.charAt(most)) ? most - 1 : most;
}

function countPiece(text: string): TextCount {
  let count = 0;
  for (const { isWordLike } of words.segment(text)) if (isWordLike === true) count += 1;
  return { words: count, characters: PLAIN.test(text) ? text.length : lengthOf(characters.segment(text)) };
}

function lengthOf(items: Iterable<unknown>): number {
  let length = 0;
  for (const _ of items) length += 1;
  return length;
}

function sum(one: TextCount, other: TextCount): TextCount {
  return { words: one.words + other.words, characters: one.characters + other.characters };
}

/** A line of Markdown without tags, targets of links and the signs at its beginning, which readers do not see. */
export function proseOf(line: string): string {
  return line
    .replace(/\{%[^%]*%\}|<[^<>]*>|\]\([^()]*\)/g, (found) => (found.startsWith(']') ? ']' : ' '))
    .replace(/^\s*(?:#{1,6} |>+ ?|[-*+] (?:\[[ x]\] )?|\d{1,9}[.)] |```.*$|\|?[\s:|-]+\|$)/, '')
    .replace(/[*_`~[\]|$]+/g, (signs, at: number, whole: string) =>
      /\w/.test(whole.charAt(at - 1)) && /\w/.test(whole.charAt(at + signs.length)) ? signs : '',
    )
    .trim();
}
