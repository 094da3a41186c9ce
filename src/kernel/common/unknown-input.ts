import { currentContext } from './context.js';
import { invalidFields } from './errors.js';

/** The response header that names what of a request was ignored. */
export const IGNORED_HEADER = 'X-Ignored-Fields';

/** At most so many names are kept of a request, each of so many characters. */
export const MAX_UNKNOWN = 20;
const MAX_NAME = 100;

/** Tells whether a `Prefer` header (RFC 7240) asks for `handling=strict`. */
export function prefersStrict(header: string | undefined): boolean {
  return (header ?? '').split(',').some((preference) => /^\s*handling\s*=\s*"?strict"?\s*(?:;|$)/i.test(preference));
}

/**
 * Notes fields or parameters of the request that its operation does not know, by their paths; throws `invalid` where the
 * caller wants to be refused for them.
 */
export function noteUnknown(paths: readonly string[]): void {
  const context = currentContext();
  if (paths.length === 0 || !context) return;
  if (context.isStrict === true)
    throw invalidFields(paths.map((path) => ({ path, message: 'is not known to this operation' })));
  context.unknown = [...(context.unknown ?? []), ...paths].slice(0, MAX_UNKNOWN);
}

/** The value of the header, in ASCII: names come from the caller. */
export function ignoredHeader(paths: readonly string[]): string {
  return paths.map(encoded).join(', ');
}

/** Half of a pair of surrogates, which has no encoding, becomes the replacement character. */
function encoded(path: string): string {
  return encodeURI(Buffer.from(path.slice(0, MAX_NAME)).toString()).replaceAll(',', '%2C');
}
