import type { Node } from 'prosemirror-model';
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
