import { isMap, isScalar, LineCounter, parseDocument, visit, YAMLParseError, type Document, type YAMLMap } from 'yaml';

/** The longest YAML that is read, in characters. */
export const MAX_YAML = 1024 * 1024;
/** Places that repeat what stands elsewhere, and how much they may come to together. */
const MAX_ALIASES = 100;

/**
 * What YAML says, in time that grows with its length only: the parser itself compares every key with all others. Throws an
 * error that says why it is none, with the place where that is known (`YAMLError`).
 */
export function readYaml(source: string): unknown {
  if (source.length > MAX_YAML) throw new Error(`it has more than ${MAX_YAML} characters`);
  const lines = new LineCounter();
  const document = parseDocument(source, { uniqueKeys: false, logLevel: 'error', lineCounter: lines });
  const [fault] = document.errors;
  if (fault) throw fault;
  check(document, lines);
  return document.toJS({ maxAliasCount: MAX_ALIASES });
}

function check(document: Document.Parsed, lines: LineCounter): void {
  let aliases = 0;
  visit(document, {
    Alias: () => {
      if (++aliases > MAX_ALIASES) throw new Error(`it has more than ${MAX_ALIASES} aliases`);
    },
    Map: (_, map) => checkKeys(map, lines),
  });
}

function checkKeys(map: YAMLMap, lines: LineCounter): void {
  const seen = new Set<unknown>();
  for (const { key } of map.items) {
    if (!isScalar(key)) continue;
    if (seen.has(key.value)) throw repeated(key.range?.[0] ?? 0, lines);
    seen.add(key.value);
  }
}

function repeated(offset: number, lines: LineCounter): YAMLParseError {
  const { line, col } = lines.linePos(offset);
  const fault = new YAMLParseError([offset, offset + 1], 'DUPLICATE_KEY', `Map keys must be unique at line ${line}, column ${col}:`);
  fault.linePos = [{ line, col }];
  return fault;
}

/** Where the keys of a YAML file stand; lines count from 1. */
export class YamlLines {
  private readonly counter = new LineCounter();
  private readonly contents: unknown;
  private readonly keys = new Map<unknown, ReadonlyMap<string, Place>>();

  /** Of a source that `readYaml` takes. */
  constructor(source: string) {
    this.contents = parseDocument(source, { uniqueKeys: false, lineCounter: this.counter, logLevel: 'silent' }).contents;
  }

  /** The line of the key at the end of the way, or of the last one that is there. */
  of(...keys: readonly string[]): number {
    return this.find(keys).line;
  }

  /** The line of a redirect, whose path may be written with a slash or `./` before it. */
  ofRedirect(from: string): number {
    const found = [from, `/${from}`, `./${from}`].map((key) => this.find(['redirects', key]));
    return (found.find(({ whole }) => whole) ?? this.find(['redirects'])).line;
  }

  private find(keys: readonly string[]): { line: number; whole: boolean } {
    let node = this.contents;
    let line = 1;
    for (const key of keys) {
      const place = this.keysOf(node).get(key);
      if (!place) return { line, whole: false };
      line = this.counter.linePos(place.offset).line;
      node = place.value;
    }
    return { line, whole: true };
  }

  private keysOf(node: unknown): ReadonlyMap<string, Place> {
    const known = this.keys.get(node);
    if (known) return known;
    const places = new Map<string, Place>();
    if (isMap(node)) for (const { key, value } of node.items) if (isScalar(key) && key.range) places.set(String(key.value), { offset: key.range[0], value });
    this.keys.set(node, places);
    return places;
  }
}

/** A key: where it begins, and what it stands for. */
interface Place {
  readonly offset: number;
  readonly value: unknown;
}
