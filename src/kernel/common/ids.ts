import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const TIME_LENGTH = 8;
const RANDOM_LENGTH = 12;
/** Makes the first of the eight time characters a letter ('A' until the year 2081). */
const LETTER_OFFSET = 10 * 62 ** (TIME_LENGTH - 1);

const ID_PATTERN = /^[A-Za-z][0-9A-Za-z]{19}$/;

/** Tells whether a part of a path can be an id that this installation has created. */
export function isId(part: unknown): part is string {
  return typeof part === 'string' && ID_PATTERN.test(part);
}

/**
 * Creates a public id: 20 characters [0-9A-Za-z], the first a letter, the first eight the time in milliseconds so that
 * later ids sort later (byte order) and inserts stay local in indexes. Ids are names; they are never secrets.
 */
export function newId(now: number = Date.now()): string {
  return leastIdAt(now) + randomCharacters(RANDOM_LENGTH);
}

/** The prefix of the ids of a time in milliseconds: ids of earlier times sort before it. */
export function leastIdAt(now: number): string {
  let time = '';
  let rest = now + LETTER_OFFSET;
  for (let i = 0; i < TIME_LENGTH; i++) {
    time = ALPHABET.charAt(rest % 62) + time;
    rest = Math.floor(rest / 62);
  }
  return time;
}

/** Random bytes are drawn in advance: a call for each id would cost more than the id. */
const STOCK = 4096;
let stock = Buffer.alloc(0);
let taken = 0;

function randomByte(): number {
  if (taken === stock.length) {
    stock = randomBytes(STOCK);
    taken = 0;
  }
  return stock[taken++] ?? 0;
}

/** `length` characters [0-9A-Za-z], uniformly distributed, from the system's secure source. */
export function randomCharacters(length: number): string {
  let text = '';
  while (text.length < length) {
    const byte = randomByte();
    // 248 is a multiple of 62: higher values would favour the first letters.
    if (byte < 248) text += ALPHABET.charAt(byte % 62);
  }
  return text;
}
