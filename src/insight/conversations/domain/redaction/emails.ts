import type { Span } from './spans.js';
import { UNSPACED } from './writing.js';

/** Characters before the @ sign, without separators of words and of the parts of URLs. */
const LOCAL = /[\p{L}\p{N}._%+'~-]/u;
/** Before the @ sign only: Markdown may escape it, and the underscores of a name. */
const ESCAPE = '\\';
const DOMAIN =
  /(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\\?\.){1,10}(?:[a-z][a-z\d-]{1,62}|(?![a-z])\p{L}[\p{L}\p{N}-]{1,62})/iuy;
const BESIDE = new RegExp(`[${UNSPACED}]`, 'u');
const MAX_LOCAL = 128;

/** The e-mail addresses in a text, in linear time. The form with `%40`, as in URLs, counts as well. */
export function emailSpans(text: string): Span[] {
  const spans: Span[] = [];
  for (const { index, 0: sign } of text.matchAll(/@|＠|%40/g)) {
    const after = index + sign.length;
    DOMAIN.lastIndex = after;
    const domain = DOMAIN.exec(text);
    const isOfAscii = /[\w.%+'~-]\\?$/.test(text.slice(Math.max(0, index - 2), index));
    let start = index;
    while (start > 0 && index - start < MAX_LOCAL && isLocal(text.charAt(start - 1), isOfAscii)) start--;
    if (domain && start < index && text.slice(start, index) !== ESCAPE)
      spans.push({ start, end: after + domain[0].length });
  }
  return spans;
}

/** `isOfAscii`: letters of an unspaced script before the address are not part of it. */
function isLocal(character: string, isOfAscii: boolean): boolean {
  return character === ESCAPE || (LOCAL.test(character) && !(isOfAscii && BESIDE.test(character)));
}
