/** The beginning of a text, by characters: no pair of code units is cut apart. */
export function beginningOf(text: string, length: number): string {
  // A character has at most two code units.
  return text.length <= length ? text : [...text.slice(0, 2 * length)].slice(0, length).join('');
}

const UNSTORABLE = /[\p{Cs}\0]/u;
const ALL_UNSTORABLE = /[\p{Cs}\0]/gu;

/** Tells whether the database can store a text: halves of pairs and NUL are no characters. */
export function hasOnlyCharacters(text: string): boolean {
  return !UNSTORABLE.test(text);
}

/** A text without what the database cannot store. */
export function storable(text: string): string {
  return text.replace(ALL_UNSTORABLE, '');
}
