const MAX_LENGTH = 200;
/** Characters that are read of a query. */
const MAX_READ = 1_000;
const EMAIL = /[^\s@]@[^\s@]+\.\p{L}{2}/u;
/** Telephone, account and card numbers, also in groups. */
const LONG_NUMBER = /\p{Nd}(?:[\s.()/-]*\p{Nd}){6}/u;

/**
 * The form in which equal queries are counted together: in lower case, with single blanks, of at most 200 characters.
 * Undefined for an empty query, and for one that may tell something about a person: those with an e-mail address or a
 * number of 7 or more digits are not stored.
 */
export function countableQuery(text: string): string | undefined {
  const query = text
    .slice(0, MAX_READ)
    .replaceAll('\0', '')
    .replace(/\p{Surrogate}/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/\s+/gu, ' ')
    .trim();
  if (query === '' || EMAIL.test(query) || LONG_NUMBER.test(query)) return undefined;
  return Array.from(query).slice(0, MAX_LENGTH).join('').trim();
}
