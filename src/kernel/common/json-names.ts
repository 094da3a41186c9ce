const QUOTE = 0x22;
const COMMA = 0x2c;
const LIST = 0x5b;
const BACKSLASH = 0x5c;
const LIST_END = 0x5d;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;

/** Up to so many names are compared one by one: most objects are small, and a set costs more. */
const FEW = 16;

/** An object or list that is open at the current position of the text. */
interface Level {
  /** The names so far, between quotes; undefined in a list. */
  readonly names: string[] | undefined;
  /** The same names, once there are many. */
  set: Set<string> | undefined;
  /** The name that was read last, between quotes. */
  name: string;
  index: number;
  /** True if the next string is a name. */
  isNamed: boolean;
}

/** A name that occurs twice in an object. */
export interface RepeatedName {
  /** Names and indexes from the root to the name itself. */
  readonly path: readonly (string | number)[];
  /** The index of the character at which it occurs for the second time. */
  readonly at: number;
}

/**
 * Finds the first name that occurs twice in an object anywhere in a JSON text: parsers differ in which of the values
 * they use (RFC 8259, section 4), so that two services could read one text differently. Names are compared after
 * decoding: `"\u0061"` equals `"a"`. `JSON.parse` must accept the text. Takes time proportional to the length of the
 * text, and memory proportional to the names of the objects that are open at once.
 */
export function repeatedName(json: string): RepeatedName | undefined {
  const open: Level[] = [];
  let level: Level | undefined;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(json, at);
      if (level?.names !== undefined && level.isNamed) {
        level.name = nameBetween(json, at, end);
        if (!isAdded(level.name, level, level.names)) return { path: open.map(placeIn), at };
        level.isNamed = false;
      }
      at = end;
    } else if (code === COMMA) {
      if (level === undefined) continue;
      level.index++;
      level.isNamed = true;
    } else if (code === OBJECT || code === LIST) {
      level = { names: code === OBJECT ? [] : undefined, set: undefined, name: '', index: 0, isNamed: true };
      open.push(level);
    } else if (code === OBJECT_END || code === LIST_END) {
      open.pop();
      level = open.at(-1);
    }
  }
  return undefined;
}

/** Parses a JSON text; throws `SyntaxError` if it is not JSON, or if an object has a name twice. */
export function parseUnambiguous(json: string): unknown {
  const value: unknown = JSON.parse(json);
  const repeated = repeatedName(json);
  if (repeated) throw new SyntaxError(`${repeated.path.join('.')} is there twice`);
  return value;
}

/** Adds a name; false if it is already present. */
function isAdded(name: string, level: Level, names: string[]): boolean {
  if (level.set === undefined) {
    if (names.includes(name)) return false;
    if (names.push(name) > FEW) level.set = new Set(names);
    return true;
  }
  if (level.set.has(name)) return false;
  level.set.add(name);
  return true;
}

/** The index of the quote that ends a string: the next one with an even number of backslashes before it. */
function endOfString(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); at >= 0; at = json.indexOf('"', at + 1)) {
    let before = at;
    while (json.charCodeAt(before - 1) === BACKSLASH) before--;
    if ((at - before) % 2 === 0) return at;
  }
  return json.length;
}

/** Keeps the quotes around names: engines give numeric strings hashes that callers could choose to collide. */
function nameBetween(json: string, start: number, end: number): string {
  const token = json.slice(start, end + 1);
  return token.includes('\\') ? `"${JSON.parse(token) as string}"` : token;
}

function placeIn({ names, name, index }: Level): string | number {
  return names === undefined ? index : name.slice(1, -1);
}
