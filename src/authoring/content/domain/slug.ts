import { beginningOf } from '../../../formats/document/characters.js';

const MAX_SLUG_LENGTH = 100;

/**
 * Derives a slug from a title: lower case, accents removed, every other character than letters and digits a hyphen. A
 * title without any letter or digit becomes `page`.
 */
export function slugOf(title: string): string {
  const plain = title
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  return [...plain].slice(0, MAX_SLUG_LENGTH).join('').replace(/-+$/, '') || 'page';
}

/** Tells whether a text is a valid slug: one path segment without special characters. */
export function isSlug(text: string): boolean {
  return /^[\p{L}\p{N}._~-]{1,100}$/u.test(text) && text !== '.' && text !== '..';
}

/** A slug that is not in `taken`: the requested one, or with the first free suffix -1, -2 … */
export function freeSlug(wanted: string, taken: { has(slug: string): boolean }): string {
  for (let number = 0; ; number++) {
    const candidate = numberedSlug(wanted, number);
    if (!taken.has(candidate)) return candidate;
  }
}

/** A slug with a number appended; 0 is the slug itself. */
export function numberedSlug(wanted: string, number: number): string {
  return number === 0 ? wanted : `${beginningOf(wanted, MAX_SLUG_LENGTH - 1 - String(number).length)}-${number}`;
}
