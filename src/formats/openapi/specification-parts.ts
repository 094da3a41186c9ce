import { randomUUID } from 'node:crypto';
import { isObject } from '../document/checks.js';

/** The sections of a specification that are stored separately, with their depth. */
const SECTIONS: Readonly<Record<string, number>> = {
  paths: 1,
  webhooks: 1,
  'x-webhooks': 1,
  components: 2,
  definitions: 1,
  parameters: 1,
  responses: 1,
};
/** Maximum length of all parts of a specification together, in characters. */
const MAX_SIZE = 64 * 1024 ** 2;
const KEPT_PARTS = 200;

/**
 * Splits a parsed specification into parts, each of them JSON under its pointer; null if it is not an object. Values
 * that cannot be written as JSON, such as cycles, are left out. Throws if the parts are too large.
 */
export function splitSpecification(root: unknown): Record<string, string> | null {
  if (!isObject(root)) return null;
  const parts: Record<string, string> = {};
  let size = 0;
  const keep = (pointer: string, value: unknown): void => {
    const json = jsonOf(value);
    if (json === undefined) return;
    size += json.length;
    if (size > MAX_SIZE) throw new Error('the specification is too large');
    parts[pointer] = json;
  };
  const split = (pointer: string, value: Readonly<Record<string, unknown>>, depth: number): void => {
    for (const [name, inside] of Object.entries(value)) {
      const at = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      if (depth > 1 && isObject(inside)) split(at, inside, depth - 1);
      else keep(at, inside);
    }
  };
  const rest: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(root)) {
    const depth = Object.hasOwn(SECTIONS, name) ? SECTIONS[name] : undefined;
    if (depth !== undefined && isObject(value)) split(`/${name}`, value, depth);
    else rest[name] = value;
  }
  keep('', rest);
  return parts;
}

function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** A specification in parts, in memory that threads share, so that sending it to a thread copies nothing. */
export interface SharedParts {
  /** Unique for each specification that was read. */
  readonly id: string;
  /** The start and end of each part in `bytes`, by its pointer, as JSON. */
  readonly index: string;
  /** The parts as JSON in UTF-8, concatenated. */
  readonly bytes: SharedArrayBuffer;
}

/** A parsed specification in parts, of which only the requested ones are parsed. */
export class SpecificationParts {
  private readonly read = new Map<string, unknown>();
  private readonly index: Readonly<Record<string, readonly [begin: number, end: number]>>;
  private readonly bytes: Buffer;

  constructor(readonly shared: SharedParts) {
    this.index = JSON.parse(shared.index) as Readonly<Record<string, readonly [number, number]>>;
    this.bytes = Buffer.from(shared.bytes);
  }

  /** `parts` are JSON by pointer; values outside of all of them are in the part ''. */
  static of(parts: Readonly<Record<string, string>>): SpecificationParts {
    const shared = new SharedArrayBuffer(Object.values(parts).reduce((sum, json) => sum + Buffer.byteLength(json), 0));
    const bytes = Buffer.from(shared);
    let end = 0;
    const index = Object.fromEntries(
      Object.entries(parts).map(([pointer, json]) => [pointer, [end, (end += bytes.write(json, end))]]),
    );
    return new SpecificationParts({ id: randomUUID(), index: JSON.stringify(index), bytes: shared });
  }

  /** Approximate size in memory, in bytes. */
  get size(): number {
    return this.bytes.length + 3 * this.shared.index.length + 1000;
  }

  /**
   * Returns the value at a JSON pointer, given by its names such as `['components', 'schemas', 'Pet']`; undefined if
   * there is none.
   */
  at(pointer: readonly string[]): unknown {
    const depth = Object.hasOwn(SECTIONS, pointer[0] ?? '') ? 1 + (SECTIONS[pointer[0] ?? ''] ?? 0) : 0;
    const part = pointer
      .slice(0, depth)
      .map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`)
      .join('');
    let value = this.part(part);
    for (const name of pointer.slice(depth))
      value =
        typeof value === 'object' && value !== null && Object.hasOwn(value, name)
          ? (value as Record<string, unknown>)[name]
          : undefined;
    return value;
  }

  private part(pointer: string): unknown {
    const place = Object.hasOwn(this.index, pointer) ? this.index[pointer] : undefined;
    if (place === undefined) return undefined;
    if (this.read.size >= KEPT_PARTS) this.read.clear();
    if (!this.read.has(pointer)) this.read.set(pointer, JSON.parse(this.bytes.toString('utf8', ...place)));
    return this.read.get(pointer);
  }
}
