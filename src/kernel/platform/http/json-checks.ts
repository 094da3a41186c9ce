import { invalid, type DomainError } from '../../common/errors.js';
import { repeatedName } from '../../common/json-names.js';

const MAX_DEPTH = 100;
/** Maximum number of values (objects, lists and their content): a document of 100,000 nodes has about 500,000. */
const MAX_VALUES = 700_000;
/** Maximum length of a list: as many items as a document has nodes. */
const MAX_ITEMS = 100_000;
/**
 * Maximum number of names of one object: engines look names up in a table for each object, which costs microseconds a
 * name wherever it is copied or checked.
 */
const MAX_NAMES = 20_000;
const LONE_SURROGATE = /\p{Surrogate}/u;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

/**
 * Checks the size of a JSON text by its bytes, before parsing: each value costs microseconds. Returns the fault, if
 * any.
 */
export function sizeFaultOf(json: Uint8Array): string | undefined {
  let depth = 0;
  let values = 1;
  let inString = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (inString) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (byte === COMMA) values++;
    else if (byte === 0x5b || byte === 0x7b) {
      values++;
      if (++depth > MAX_DEPTH) return `The body is nested deeper than ${MAX_DEPTH} levels`;
    } else if (byte === 0x5d || byte === 0x7d) depth--;
  }
  return values > MAX_VALUES ? `The body has more than ${MAX_VALUES} values` : undefined;
}

/** Refuses a valid JSON text in which an object has a name twice: one of the values would be lost silently. */
export function nameFaultOf(json: string): DomainError | undefined {
  const repeated = repeatedName(json);
  return repeated && invalid(repeated.path.join('.'), 'the object has this name twice');
}

/** The fault and its path: names and indexes from the innermost outwards. */
interface Fault {
  readonly message: string;
  readonly way: (string | number)[];
}

/**
 * Finds the first value in parsed JSON that the service does not store: NUL characters and lone surrogates in texts or
 * names, numbers beyond the range of a double, the name `__proto__`, lists of more than 100,000 items, objects of more
 * than 20,000 names.
 */
export function faultOf(value: unknown): DomainError | undefined {
  const fault = find(value);
  return fault && invalid(fault.way.reverse().join('.'), fault.message);
}

/** The path is built while returning: bodies have up to millions of values, and faults are rare. */
function find(value: unknown): Fault | undefined {
  if (typeof value === 'string') return findInText(value);
  if (typeof value === 'number')
    return Number.isFinite(value) ? undefined : { message: 'the number is too large', way: [] };
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) {
    if (value.length > MAX_ITEMS) return { message: `the list has more than ${MAX_ITEMS} items`, way: [] };
    for (let index = 0; index < value.length; index++) {
      const fault = find(value[index]);
      if (fault) return within(fault, index);
    }
    return undefined;
  }
  const entries = Object.entries(value);
  if (entries.length > MAX_NAMES) return { message: `the object has more than ${MAX_NAMES} names`, way: [] };
  for (const [name, item] of entries) {
    if (name === '__proto__') return { message: 'the name __proto__ is not allowed', way: [] };
    const ofName = findInText(name);
    if (ofName) return ofName;
    const fault = find(item);
    if (fault) return within(fault, name);
  }
  return undefined;
}

function within(fault: Fault, name: string | number): Fault {
  fault.way.push(name);
  return fault;
}

function findInText(text: string): Fault | undefined {
  if (text.includes('\0')) return { message: 'text may not contain NUL characters', way: [] };
  if (LONE_SURROGATE.test(text)) return { message: 'text may not contain half of a surrogate pair', way: [] };
  return undefined;
}
