import { FILLERS, KINDS, UNITS, UNSPACED_FILLERS } from './number-words.js';
import { replaced, type Span } from './spans.js';
import { inAscii, OF_WORD } from './writing.js';

/** Words between an announcement and its number at most, such as `account number is: the last four digits are`. */
const MOST_FILLERS = 8;
const FILLER = `(?:(?:${FILLERS})(?!\\p{L})\\.?|${UNSPACED_FILLERS}|[:#=№-]|n[°º])`;
/** A number, which may have letters, hyphens and groups: `POL-88213`, `4711 0815`. */
const VALUE = `(?<value>(?:[A-Z]{1,4}-?)?\\d(?:[A-Z\\d]|[-/. ](?=\\d)){1,30}(?!${OF_WORD}))`;
const ENDS =
  /\b(?:last|end\w*|four|letzten?|endet|endend|vier|derni\w+|finit|termin\w+|quatre|últim\w+|cuatro|quatro|final\w*|ultim\w+|quattro|finisce|laatste|eindig\w+|ostatni\w*|kończ\w*|sista|slutar|siste|fyra|последн\w*|заканчива\w*)\b|下4桁|尾号|后四位|末尾/iu;
const YEAR = /^(?:19|20)\d\d$/;
const VERSION = /^\d{1,3}(?:\.\d{1,3}){1,3}$/;
/** Words that nothing but a number follows. */
const STRONG =
  /[#:=№°º]|(?<!\p{L})(?:number|no|nr|num|code|id|is|nummer|lautet|ist|numéro|est|número|es|numero|è|é|numer|jest|är|номер|это|号码|番号|は|是)(?!\p{L})/iu;
const UNIT = new RegExp(`^[ \\u00a0-]?(?:${UNITS})(?!${OF_WORD})|^[ \\u00a0]?[%€$£]`, 'iu');
const LEAST_DIGITS = 4;
/** The fewest digits of a number whose kind is not told: shorter ones count things, or name errors and ports. */
const LEAST_OF_ANY = 8;
const ANY = '[number]';
/** The fewest digits of the end of a number, such as its last four. */
const LEAST_OF_END = 3;

const ANNOUNCED = KINDS.map(({ word, names }) => ({
  word,
  pattern: new RegExp(
    `(?<!${OF_WORD})(?:${names})(?:s|'s|-)?(?<fillers>(?:[ \\u00a0,]*${FILLER}){0,${MOST_FILLERS}})[ \\u00a0]{0,3}${VALUE}`,
    'giu',
  ),
  name: new RegExp(`(?<!${OF_WORD})(?:${names})(?!\\p{Ll})`, 'iu'),
}));

/** A text without the numbers that words such as `account`, `policy` or `order` announce, in any of twelve languages. */
export function withoutAnnounced(text: string): string {
  let rest = replaced(text, socialSecuritySpans(text), '[id number]');
  for (const { word, pattern } of ANNOUNCED) {
    if (!/\d{2}/.test(inAscii(rest))) return rest;
    const ascii = inAscii(rest);
    const spans: Span[] = [];
    for (const match of ascii.matchAll(pattern)) {
      const { value = '', fillers = '' } = match.groups ?? {};
      const start = match.index + match[0].length - value.length;
      if (isNumberOf(word, value, fillers, ascii.slice(start + value.length, start + value.length + 20)))
        spans.push({ start, end: start + value.length });
    }
    rest = replaced(rest, spans, word);
  }
  return rest;
}

/** Numbers of the social security of the United States, in the groups that nothing else has. */
const socialSecuritySpans = (text: string): Span[] =>
  [...inAscii(text).matchAll(/(?<![\p{L}\d-])\d{3}-\d\d-\d{4}(?![\p{L}\d-])/gu)].map(({ index, 0: number }) => ({
    start: index,
    end: index + number.length,
  }));

function isNumberOf(word: string, value: string, fillers: string, after: string): boolean {
  const digits = value.replace(/\D/g, '').length;
  if (UNIT.test(after)) return false;
  if (word === ANY) return digits >= LEAST_OF_ANY;
  if (ENDS.test(fillers)) return digits >= LEAST_OF_END;
  if (VERSION.test(value)) return false;
  return digits >= LEAST_DIGITS && (!YEAR.test(value) || STRONG.test(fillers));
}

/** The word that takes the place of the answer to a question for a number, such as `[card]`; undefined for other questions. */
export function askedNumber(question: string): string | undefined {
  return ANNOUNCED.find(({ word, name }) => word !== ANY && name.test(question))?.word;
}

/** Characters of an answer that may be nothing but a number and a few words. */
const MOST_ANSWER = 80;
const RUN = new RegExp(
  `(?<![\\d.,$€£]|${OF_WORD})(?:[A-Z]{1,4}[ -]?)?\\d(?:[A-Z\\d]|[-/. ](?=\\d)){2,30}(?!${OF_WORD})`,
  'gu',
);

/** A short answer to a question for a number, without it. */
export function withoutAnswer(text: string, word: string): string {
  if (text.length > MOST_ANSWER) return text;
  const ascii = inAscii(text);
  return replaced(
    text,
    [...ascii.matchAll(RUN)]
      .filter(({ index, 0: run }) => !UNIT.test(ascii.slice(index + run.length)))
      .map(({ index, 0: run }) => ({ start: index, end: index + run.length })),
    word,
  );
}
