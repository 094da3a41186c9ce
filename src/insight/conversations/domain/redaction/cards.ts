import type { Span } from './spans.js';
import { inAscii, OF_WORD } from './writing.js';

const DIGITS = new RegExp(`(?<!_|${OF_WORD})\\d(?:[ \\u00a0.-]?\\d){12,}(?!_|${OF_WORD})`, 'gu');
const MIN_LENGTH = 13;
const MAX_LENGTH = 19;
/** Prefixes of payment card numbers (ISO/IEC 7812): Mastercard's 2-series, and 3 to 6. */
const ISSUERS = /^(?:[3-6]|2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720))/;

/**
 * The numbers of payment cards in a text: 13 to 19 digits, grouped or not, with a valid issuer prefix and Luhn
 * checksum.
 */
export function cardSpans(text: string): Span[] {
  const spans: Span[] = [];
  for (const { index, 0: run } of inAscii(text).matchAll(DIGITS)) {
    const groups = [...run.matchAll(/\d+/g)].map((group) => ({
      start: index + group.index,
      end: index + group.index + group[0].length,
      digits: group[0],
    }));
    for (let from = 0; from < groups.length; from++) {
      const to = lastGroupOfCard(groups, from);
      const [first, last] = [groups[from], to === undefined ? undefined : groups[to]];
      if (!first || !last || to === undefined) continue;
      spans.push({ start: first.start, end: last.end });
      from = to;
    }
  }
  return spans;
}

function lastGroupOfCard(groups: readonly { readonly digits: string }[], from: number): number | undefined {
  let number = '';
  let found: number | undefined;
  for (let at = from; at < groups.length && number.length <= MAX_LENGTH; at++) {
    number += groups[at]?.digits ?? '';
    if (number.length >= MIN_LENGTH && number.length <= MAX_LENGTH && ISSUERS.test(number) && isLuhn(number))
      found = at;
  }
  return found;
}

/** Tells whether the check digit of a number is correct (ISO/IEC 7812-1, annex B). */
export function isLuhn(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits.charAt(digits.length - 1 - at));
    const weighed = at % 2 === 1 ? digit * 2 : digit;
    sum += weighed > 9 ? weighed - 9 : weighed;
  }
  return sum % 10 === 0;
}
