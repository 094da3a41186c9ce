import { canonicalJson } from './hash.js';

/** A block at the top of a document: its key, and its canonical JSON. */
export interface BlockText {
  readonly key: string;
  readonly json: string;
}

/** The canonical JSON of a document in parts, whose blocks nobody has decoded. */
export interface DocumentText {
  readonly blocks: readonly BlockText[];
  /** All properties of the document in their order, as JSON by name; the list of blocks is empty there. */
  readonly frame: ReadonlyMap<string, string>;
}

const [QUOTE, BACKSLASH, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [...'"\\,[]{}'].map((sign) =>
  sign.charCodeAt(0),
);

/**
 * Splits the canonical JSON of a document, in one pass over the text. Blocks that stand there as in another version of
 * it are compared as a whole, and are the same objects.
 */
export function splitDocument(json: string, other: readonly BlockText[] = []): DocumentText {
  const frame = new Map<string, string>();
  let blocks: BlockText[] = [];
  eachProperty(json, 0, (name, from) => {
    if (name !== 'nodes' || json.charCodeAt(from) !== OPEN_LIST) {
      const end = endOfValue(json, from);
      frame.set(name, json.slice(from, end));
      return end;
    }
    blocks = [];
    frame.set(name, '[]');
    return blocksFrom(json, from, blocks, other);
  });
  return { blocks, frame };
}

/** The canonical JSON of a document with these blocks in place of its own. */
export function joinDocument({ blocks, frame }: DocumentText): string {
  const nodes = `[${blocks.map(({ json }) => json).join(',')}]`;
  const properties = [...frame].map(([name, json]) => `${JSON.stringify(name)}:${name === 'nodes' ? nodes : json}`);
  return `{${properties.join(',')}}`;
}

/** A block as its text. */
export function blockText(block: { readonly key?: string }): BlockText {
  return { key: block.key ?? '', json: canonicalJson(block) };
}

/** Reads the blocks of the list that begins at `from`; returns the end of the list. */
function blocksFrom(json: string, from: number, blocks: BlockText[], other: readonly BlockText[]): number {
  const places = new Map(other.map((block, place) => [block.key, place]));
  let next = 0;
  let at = from + 1;
  while (at < json.length && json.charCodeAt(at) !== CLOSE_LIST) {
    if (json.charCodeAt(at) === COMMA) at++;
    const begin = at;
    const expected = other[next];
    if (expected && json.slice(at, at + expected.json.length) === expected.json) {
      blocks.push(expected);
      at += expected.json.length;
      next++;
      continue;
    }
    let key = '';
    at = eachProperty(json, at, (name, value) => {
      const end = endOfValue(json, value);
      if (name === 'key') key = String(JSON.parse(json.slice(value, end)));
      return end;
    });
    blocks.push({ key, json: json.slice(begin, at) });
    const place = places.get(key);
    if (place !== undefined) next = place + 1;
  }
  return at + 1;
}

/** Visits the properties of the object that begins at `from` with the beginning of their values, whose ends the visitor returns; returns the end of the object. */
function eachProperty(json: string, from: number, visit: (name: string, value: number) => number): number {
  let at = from + 1;
  while (at < json.length && json.charCodeAt(at) !== CLOSE_OBJECT) {
    if (json.charCodeAt(at) === COMMA) at++;
    const end = endOfString(json, at);
    at = visit(nameOf(json.slice(at, end)), end + 1);
  }
  return at + 1;
}

const nameOf = (json: string): string => (json.includes('\\') ? String(JSON.parse(json)) : json.slice(1, -1));

/** The end of the value that begins at `from`. */
function endOfValue(json: string, from: number): number {
  let depth = 0;
  for (let at = from; at < json.length; at++) {
    const sign = json.charCodeAt(at);
    if (sign === QUOTE) {
      at = endOfString(json, at) - 1;
      if (depth === 0) return at + 1;
    } else if (sign === OPEN_OBJECT || sign === OPEN_LIST) depth++;
    else if (sign === CLOSE_OBJECT || sign === CLOSE_LIST) {
      // A number or word ends where its parent does.
      if (depth === 0) return at;
      depth--;
      if (depth === 0) return at + 1;
    } else if (sign === COMMA && depth === 0) return at;
  }
  return json.length;
}

/** The end of the string whose quote is at `from`. */
function endOfString(json: string, from: number): number {
  let at = from + 1;
  for (let sign = json.charCodeAt(at); sign !== QUOTE && at < json.length; sign = json.charCodeAt(at))
    at += sign === BACKSLASH ? 2 : 1;
  return at + 1;
}
