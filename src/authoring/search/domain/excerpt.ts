import { foldText, isUnspacedScript, wordBeginning } from './text-folding.js';

export const EXCERPT_LENGTH = 240;
const LEAD = 60;
const MAX_PLACES = 20;

/**
 * The excerpt of a text with the most words, at most about `EXCERPT_LENGTH` characters, cut between words; the
 * beginning of the text if none of them occurs. Words are given without accents and match by prefix, so that other
 * forms of them are found.
 */
export function excerptOf(text: string, words: readonly string[]): string {
  const shown = text.replace(/\s+/g, ' ').trim();
  if (shown.length <= EXCERPT_LENGTH) return shown;
  const plain = comparable(shown);
  const places = words.flatMap((word) => placesOf(plain.text, word)).map((place) => plain.places?.[place] ?? place);
  const start = places.length === 0 ? 0 : bestStart(places.sort((a, b) => a - b));
  return cut(shown, Math.max(0, start - LEAD));
}

/** A text in the form for comparing words, and the original position of each of its characters if that differs. */
interface Comparable {
  readonly text: string;
  readonly places?: readonly number[];
}

function comparable(text: string): Comparable {
  if (/^[\0-\x7f]*$/.test(text)) return { text: text.toLowerCase() };
  const places: number[] = [];
  let plain = '';
  let at = 0;
  for (const character of text) {
    const other = character < '\x80' ? character.toLowerCase() : foldText(character);
    for (let i = 0; i < other.length; i++) places.push(at);
    plain += other;
    at += character.length;
  }
  return { text: plain, places };
}

/** The positions of a word; if a word of an unspaced script does not occur as a whole, those of its character pairs. */
function placesOf(text: string, word: string): number[] {
  if (!isUnspacedScript(word))
    return firstPlaces(
      text,
      wordBeginning(word),
      (before) => !/[\p{L}\p{N}]/u.test(before) || isUnspacedScript(before),
    );
  const whole = firstPlaces(text, word, () => true);
  if (whole.length > 0) return whole;
  const characters = [...word];
  return characters.slice(1).flatMap((second, at) => firstPlaces(text, `${characters[at] ?? ''}${second}`, () => true));
}

function firstPlaces(text: string, part: string, mayFollow: (before: string) => boolean): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(part); at >= 0 && places.length < MAX_PLACES; at = text.indexOf(part, at + part.length)) {
    if (at === 0 || mayFollow(text.charAt(at - 1))) places.push(at);
  }
  return places;
}

/** The position from which most of the others are within one excerpt. */
function bestStart(places: readonly number[]): number {
  let best = places[0] ?? 0;
  let most = 0;
  for (const place of places) {
    const near = places.filter((other) => other >= place && other < place + EXCERPT_LENGTH - LEAD).length;
    if (near > most) [best, most] = [place, near];
  }
  return best;
}

/** Cuts between words if there is a blank near by: some scripts have none. */
function cut(text: string, from: number): string {
  const blank = text.indexOf(' ', from);
  const start = from === 0 || blank < 0 || blank > from + LEAD / 2 ? from : blank + 1;
  const end = text.length <= start + EXCERPT_LENGTH ? text.length : endOf(text, start + EXCERPT_LENGTH);
  return `${start > 0 ? '…' : ''}${wellFormed(text.slice(start, end))}${end < text.length ? '…' : ''}`;
}

function endOf(text: string, latest: number): number {
  const blank = text.lastIndexOf(' ', latest);
  return blank > latest - LEAD ? blank : latest;
}

/** Removes half a surrogate pair that a cut may leave. */
function wellFormed(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
}
