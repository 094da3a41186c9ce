import { invalid, type DomainError } from '../../common/errors.js';

export const MAX_DEPTH = 100;
const LONE_SURROGATE = /\p{Surrogate}/u;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Whether objects and arrays of a JSON text are nested deeper than `limit`; looks at the bytes before anything is parsed. */
export function isNestedDeeper(json: Uint8Array, limit: number = MAX_DEPTH): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (inString) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (byte === 0x5b || byte === 0x7b) {
      if (++depth > limit) return true;
    } else if (byte === 0x5d || byte === 0x7d) depth--;
  }
  return false;
}

/**
 * The first thing in a parsed JSON value that the service does not store: NUL characters and lone
 * surrogates in texts or names, numbers beyond the range of a double, the name `__proto__`.
 */
export function faultOf(value: unknown, path = ''): DomainError | undefined {
  if (typeof value === 'string') return faultOfText(value, path);
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : invalid(path, 'the number is too large');
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const fault = faultOf(item, child(path, index));
      if (fault) return fault;
    }
    return undefined;
  }
  for (const [name, item] of Object.entries(value)) {
    const fault = name === '__proto__' ? invalid(path, 'the name __proto__ is not allowed') : (faultOfText(name, path) ?? faultOf(item, child(path, name)));
    if (fault) return fault;
  }
  return undefined;
}

function faultOfText(text: string, path: string): DomainError | undefined {
  if (text.includes('\0')) return invalid(path, 'text may not contain NUL characters');
  if (LONE_SURROGATE.test(text)) return invalid(path, 'text may not contain half of a surrogate pair');
  return undefined;
}

function child(path: string, name: string | number): string {
  return path === '' ? String(name) : `${path}.${name}`;
}
