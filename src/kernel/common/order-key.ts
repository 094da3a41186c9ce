const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE = DIGITS.length;
const APPEND_WIDTH = 5;

/** The owner of the list re-spaces keys longer than this, under the parent's lock. */
export const MAX_KEY_LENGTH = 64;

/**
 * A key that sorts (byte order) strictly between two others; `undefined` stands for the open end.
 * Keys are base-62 fractions without trailing zeros: the midpoint scheme of fractional indexing
 * (Evan Wallace, "Realtime editing of ordered sequences"), so a move writes one row only.
 */
export function keyBetween(before: string | undefined, after: string | undefined): string {
  if (before !== undefined && after !== undefined && before >= after) {
    throw new RangeError(`order keys are not ascending: ${before}, ${after}`);
  }
  if (after === undefined) return keyAfter(before ?? '');
  return midpoint(before ?? '', after);
}

/** `count` ascending keys of equal length, spread evenly: for a new list or one that is re-spaced. */
export function spacedKeys(count: number): string[] {
  let width = 1;
  while (BASE ** width <= count + 1) width++;
  const step = BASE ** width / (count + 1);
  return Array.from({ length: count }, (_, index) => {
    let value = Math.max(1, Math.floor(step * (index + 1)));
    let key = '';
    for (let i = 0; i < width; i++) {
      key = DIGITS.charAt(value % BASE) + key;
      value = Math.floor(value / BASE);
    }
    return key.replace(/0+$/, '');
  });
}

/** The next key at the end of a list: counts in the first five digits, so appending does not lengthen keys. */
function keyAfter(before: string): string {
  if (before === '') return DIGITS.charAt(BASE / 2);
  let next = 0;
  for (let i = 0; i < APPEND_WIDTH; i++) next = next * BASE + DIGITS.indexOf(before.charAt(i) || '0');
  next += 1;
  if (next % BASE === 0) next += 1;
  if (next >= BASE ** APPEND_WIDTH) return before + DIGITS.charAt(BASE / 2);
  let key = '';
  for (let i = 0; i < APPEND_WIDTH; i++) {
    key = DIGITS.charAt(next % BASE) + key;
    next = Math.floor(next / BASE);
  }
  return key;
}

function midpoint(before: string, after: string): string {
  let prefix = 0;
  while (prefix < after.length && (before.charAt(prefix) || '0') === after.charAt(prefix)) prefix++;
  if (prefix > 0) return after.slice(0, prefix) + midpoint(before.slice(prefix), after.slice(prefix));
  const low = before === '' ? 0 : DIGITS.indexOf(before.charAt(0));
  const high = DIGITS.indexOf(after.charAt(0));
  if (high - low > 1) return DIGITS.charAt(Math.round((low + high) / 2));
  if (after.length > 1) return after.charAt(0);
  return DIGITS.charAt(low) + keyAfter(before.slice(1));
}
