export const EXCERPT_LENGTH = 240;
const LEAD = 60;
const MIN_STEM = 4;

/**
 * The part of a text around the place where most of the words stand, at most about `EXCERPT_LENGTH` characters, cut
 * between words; the beginning of the text where none of them occurs. Words count by their beginning, so that other
 * forms of them are found.
 */
export function excerptOf(text: string, words: readonly string[]): string {
  const plain = text.replace(/\s+/g, ' ').trim();
  if (plain.length <= EXCERPT_LENGTH) return plain;
  const lower = plain.toLowerCase();
  const places = words.flatMap((word) => firstPlaces(lower, stemOf(word)));
  const start = places.length === 0 ? 0 : bestStart(places.sort((a, b) => a - b));
  return cut(plain, Math.max(0, start - LEAD));
}

/** The part of a word that its other forms mostly share. */
function stemOf(word: string): string {
  return word.length <= MIN_STEM ? word : word.slice(0, Math.max(MIN_STEM, word.length - 3));
}

const MAX_PLACES = 20;

function firstPlaces(text: string, stem: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(stem); at >= 0 && places.length < MAX_PLACES; at = text.indexOf(stem, at + stem.length)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text.charAt(at - 1))) places.push(at);
  }
  return places;
}

/** The place from which most of the others are within one excerpt. */
function bestStart(places: readonly number[]): number {
  let best = places[0] ?? 0;
  let most = 0;
  for (const place of places) {
    const near = places.filter((other) => other >= place && other < place + EXCERPT_LENGTH - LEAD).length;
    if (near > most) [best, most] = [place, near];
  }
  return best;
}

function cut(text: string, from: number): string {
  const start = from === 0 ? 0 : text.indexOf(' ', from) + 1 || from;
  const end = text.length <= start + EXCERPT_LENGTH ? text.length : Math.max(text.lastIndexOf(' ', start + EXCERPT_LENGTH), start + EXCERPT_LENGTH / 2);
  return `${start > 0 ? '…' : ''}${wellFormed(text.slice(start, end))}${end < text.length ? '…' : ''}`;
}

/** Without the half of a character that a cut may leave. */
function wellFormed(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
}
