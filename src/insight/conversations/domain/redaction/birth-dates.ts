import { BIRTHS, FILLERS } from './number-words.js';
import type { Span } from './spans.js';
import { inAscii } from './writing.js';

const ORDINAL = '(?:st|nd|rd|th|er|º|\\.)?';
const MONTH = '\\p{L}{3,12}\\.?';
const DATE = [
  '\\d{1,4}[./-] ?\\d{1,2}[./-] ?\\d{1,4}',
  '\\d{4}年\\d{1,2}月\\d{1,2}日',
  `\\d{1,2}${ORDINAL},? (?:of |de |di )?${MONTH},? (?:de |of )?\\d{2,4}`,
  `${MONTH} \\d{1,2}${ORDINAL}[,.]? \\d{4}`,
].join('|');
const BORN = new RegExp(
  `(?<!\\p{L})(?:${BIRTHS})(?:[ \\u00a0]*(?:(?:${FILLERS}|am|le|el|il|dia|day|on)(?!\\p{L})|[:=は是-])){0,4}[ \\u00a0]?(?<date>${DATE})(?!\\d)`,
  'giu',
);

/** Dates behind words that announce a date of birth. */
export function birthDateSpans(text: string): Span[] {
  return [...inAscii(text).matchAll(BORN)].map((match) => {
    const end = match.index + match[0].length;
    return { start: end - (match.groups?.['date']?.length ?? 0), end };
  });
}
