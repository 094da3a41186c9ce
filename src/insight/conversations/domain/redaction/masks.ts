/** The words that redaction puts in the place of personal data. */
export const MASK = /\[[a-z][a-z ]{1,19}\]/g;

/** A text with spaces in the place of masks, so that positions in it stay. */
export function blanked(text: string): string {
  return text.replace(MASK, (mask) => ' '.repeat(mask.length));
}
