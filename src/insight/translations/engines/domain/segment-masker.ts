import { wholeWord, type TermTranslation } from '../../domain/glossary.js';
import { mergeAdjacentTexts, type SegmentPiece, type Segment } from '../../domain/segment.js';

/** A segment in which text that must not be translated is opaque, and the content of its new markers. */
export interface MaskedSegment {
  readonly segment: Segment;
  readonly hidden: ReadonlyMap<number, string>;
}

/**
 * Line ends, addresses, tags and entities, and placeholders of templates and messages: `{{name}}`, `${name}`, `{0}`,
 * `%s`.
 */
const NEVER_TRANSLATED = [
  String.raw`\n`,
  String.raw`(?<![a-z0-9+.-])(?:[a-z][a-z0-9+.-]*:\/\/|mailto:|www\.)[^\s<>"]*[^\s<>"'.,;:!?()\[\]]`,
  String.raw`(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+`,
  String.raw`<\/?[a-z][^<>]*>|&(?:[a-z]\w*|#\w+);`,
  String.raw`\{\{[^{}]*\}\}|\{%[^{}]*%\}|\$?\{[\w.]*\}|%\([\w.]+\)[a-z]|%[sd]\b`,
];
/**
 * Single words that are not natural language: options, names with `_`, files, paths, packages, `a::b`, `$HOME`,
 * `key=value`.
 */
const NOT_WORDS = [
  String.raw`(?<![\w-])--?[A-Za-z][\w-]*(?:=\S*\w)?`,
  String.raw`(?<!\w)[$@]?\w*_[\w.-]*\w|[$]\w+|@[\w-]+\/[\w.-]+`,
  String.raw`(?<![\w.-])(?:[\w.-]*|~)\/[\w.-]+(?:\/[\w.-]*)+|(?<!\S)(?:\.{1,2}|~)?\/[\w.-]*\w`,
  String.raw`(?<![\w.-])[\w-]{2,}(?:\.[\w-]+)*\.[A-Za-z][\w-]+\b(?:\(\))?|\b\w+\(\)`,
  String.raw`\b\w+(?:::\w+)+|\b\w+=\S*\w`,
];

/** Finds the text that has to be hidden from an engine. Glossary terms match as whole words, regardless of case. */
export class SegmentMasker {
  private readonly pattern: RegExp;
  private readonly terms: ReadonlyMap<string, TermTranslation>;

  constructor(hides: 'nothing' | 'terms' | 'words', glossary: readonly TermTranslation[]) {
    const terms = hides === 'nothing' ? [] : glossary.filter(({ source }) => source.trim() !== '');
    this.terms = new Map(terms.map((term) => [term.source.toLowerCase(), term]));
    const longestFirst = terms.map(({ source }) => source).sort((a, b) => b.length - a.length);
    this.pattern = new RegExp(
      [...NEVER_TRANSLATED, ...longestFirst.map(wholeWord), ...(hides === 'words' ? NOT_WORDS : [])].join('|'),
      'giu',
    );
  }

  /** The segment for the engine. New markers have higher numbers than all others. */
  hide(segment: Segment): MaskedSegment {
    const hidden = new Map<number, string>();
    let next = 1 + Math.max(0, ...segment.flatMap((piece) => (typeof piece === 'string' ? [] : Object.values(piece))));
    const shielded = segment.flatMap((piece): SegmentPiece[] => {
      if (typeof piece !== 'string') return [piece];
      const run: SegmentPiece[] = [];
      let end = 0;
      for (const match of piece.matchAll(this.pattern)) {
        hidden.set(next, this.replacement(match[0]));
        run.push(piece.slice(end, match.index), { opaque: next++ });
        end = match.index + match[0].length;
      }
      return [...run, piece.slice(end)];
    });
    return { segment: mergeAdjacentTexts(shielded), hidden };
  }

  /** The translation of a term, with a capital if the term has one there; other text unchanged. */
  private replacement(text: string): string {
    const term = this.terms.get(text.toLowerCase());
    if (term === undefined) return text;
    const isRaised =
      text.slice(0, 1) !== term.source.slice(0, 1) && text.slice(0, 1) === text.slice(0, 1).toUpperCase();
    return isRaised ? term.target.slice(0, 1).toUpperCase() + term.target.slice(1) : term.target;
  }
}

/** Restores the hidden text in an answer. */
export function unmaskSegment(answer: Segment, hidden: ReadonlyMap<number, string>): Segment {
  return mergeAdjacentTexts(
    answer.map((piece) =>
      typeof piece !== 'string' && 'opaque' in piece ? (hidden.get(piece.opaque) ?? piece) : piece,
    ),
  );
}
