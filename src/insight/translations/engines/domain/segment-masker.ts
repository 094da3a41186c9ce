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

/** Products whose names consist of words. */
const PRODUCTS = [
  'Visual Studio(?: Code)?',
  'Google (?:Chrome|Cloud|Drive|Docs|Sheets)',
  'Microsoft (?:Teams|Word|Edge|Office|Azure)',
  'Apple (?:Silicon|Pay)',
  'Apache (?:Spark|Kafka|Arrow|Beam|Airflow)',
  'Docker (?:Compose|Desktop|Hub|Swarm)',
  'Amazon Web Services|Android Studio|Ruby on Rails|Spring Boot|Windows Server',
].join('|');
const WORDS_OF_PRODUCTS =
  'Windows|Slack|Zoom|Rust|Swift|Ruby|Go|Safari|Chrome|Edge|Outlook|Teams|Excel|Word|Puppet|Chef|Salt|Ansible|Jest|Cypress|Express|React|Angular|Elastic|Spark|Sentry|Stripe|Notion|Sketch|Postman|Insomnia|Swagger|Confluence';

/**
 * Names that their letters show: inner capitals (`camelCase`, `GitHub`), letters with digits (`sha256`), packages beside
 * the word for them, and commands with their arguments. The letters are Latin: names stand beside words of other scripts
 * without a space.
 */
const NAMES = [
  String.raw`(?<![\p{Script=Latin}\p{N}_])[\p{Script=Latin}\p{N}]*[a-z](?!In(?:nen)?\b)[A-Z][\p{Script=Latin}\p{N}]*`,
  String.raw`(?<![\p{Script=Latin}\p{N}_])\p{Script=Latin}+\p{N}[\p{Script=Latin}\p{N}]*`,
  String.raw`(?<=\b(?:package|library|crate|gem|command|branch|image|plugin) )[a-z][a-z\d]{0,40}(?:-[a-z\d]{1,40}){1,6}\b`,
  String.raw`(?<![\w-])[a-z][a-z\d]{0,40}(?:-[a-z\d]{1,40}){1,6}(?= (?:package|library|crate|gem|command|branch)\b)`,
  String.raw`\b(?:npm|npx|yarn|pnpm|pip3?|git|docker|kubectl|cargo|brew|helm|terraform|apt|apt-get) (?:install|ci|run|exec|init|add|commit|push|pull|clone|checkout|build|compose|apply|get|create|upgrade|uninstall|publish|test)\b(?: (?=\S{0,80}[-@./:\d])[@\w./:-]{1,80}(?<=\w)(?!\w))*`,
  String.raw`\b(?:${PRODUCTS})\b`,
];
/** Products of one word, within a sentence. */
const NAMES_IN_ENGLISH = String.raw`(?<=[\p{Ll}\p{N},;:(] )(?:${WORDS_OF_PRODUCTS})\b`;

const NAME = new RegExp(NAMES.join('|'), 'gu');
const NAME_IN_ENGLISH = new RegExp([...NAMES, NAMES_IN_ENGLISH].join('|'), 'gu');

/** Finds the text that has to be hidden from an engine. Glossary terms match as whole words, regardless of case. */
export class SegmentMasker {
  private readonly pattern: RegExp;
  private readonly terms: ReadonlyMap<string, TermTranslation>;
  private readonly names: RegExp | undefined;

  /** `language` is that of the segments. */
  constructor(hides: 'nothing' | 'terms' | 'words', glossary: readonly TermTranslation[], language: string) {
    if (hides === 'words') this.names = language.split('-')[0] === 'en' ? NAME_IN_ENGLISH : NAME;
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
    const hideWith =
      (pattern: RegExp) =>
      (piece: SegmentPiece): SegmentPiece[] => {
        if (typeof piece !== 'string') return [piece];
        const run: SegmentPiece[] = [];
        let end = 0;
        for (const match of piece.matchAll(pattern)) {
          hidden.set(next, this.replacement(match[0]));
          run.push(piece.slice(end, match.index), { opaque: next++ });
          end = match.index + match[0].length;
        }
        return [...run, piece.slice(end)];
      };
    const known = segment.flatMap(hideWith(this.pattern));
    const shielded = this.names ? known.flatMap(hideWith(this.names)) : known;
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
