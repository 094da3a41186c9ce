/** The maximum length of a path that is counted, in characters. */
export const LONGEST_PATH = 1_000;
/** The sign may be encoded, as in the address of a page that led there, and more than once. */
const EMAIL = /[^\s@/](?:@|%(?:25)*40)[^\s@/]+\.\p{L}{2}/u;

/**
 * The form in which a path at which nothing was found is counted; undefined for one that may tell something about a
 * person, which is not stored: one with an e-mail address. Longer ones than `most` characters are not counted.
 */
export function countablePath(path: string, most = LONGEST_PATH): string | undefined {
  const counted = path.replaceAll('\0', '').replace(/\p{Surrogate}/gu, '');
  if (counted === '' || counted.length > most || EMAIL.test(counted)) return undefined;
  return counted;
}
