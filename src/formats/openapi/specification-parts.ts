import { randomUUID } from 'node:crypto';
import { isObject } from '../document/checks.js';

/** The parts of a specification that are kept apart from each other, with how deep they lie. */
const SECTIONS: Readonly<Record<string, number>> = {
  paths: 1,
  webhooks: 1,
  'x-webhooks': 1,
  components: 2,
  definitions: 1,
  parameters: 1,
  responses: 1,
};
/** Characters of all parts of a specification together. */
const MAX_SIZE = 64 * 1024 ** 2;
const KEPT_PARTS = 200;

/**
 * A parsed specification taken to pieces, each of them JSON under its pointer; null for what is no object. What cannot be
 * written as JSON, such as a circle, is left out. Throws where the pieces are too large.
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

/** A specification in pieces, in memory that threads share: nothing of it is copied where it goes to one. */
export interface SharedParts {
  /** Another one for each specification that was read. */
  readonly id: string;
  /** Where each piece begins and ends in `bytes`, by the pointer of what it holds, as JSON. */
  readonly index: string;
  /** The pieces as JSON in UTF-8, one behind the other. */
  readonly bytes: SharedArrayBuffer;
}

/** A parsed specification in pieces, of which only those that are asked for are read. */
export class SpecificationParts {
  private readonly read = new Map<string, unknown>();
  private readonly index: Readonly<Record<string, readonly [begin: number, end: number]>>;
  private readonly bytes: Buffer;

  constructor(readonly shared: SharedParts) {
    this.index = JSON.parse(shared.index) as Readonly<Record<string, readonly [number, number]>>;
    this.bytes = Buffer.from(shared.bytes);
  }

  /** `parts` are JSON by the pointers of what they hold; what lies in none of them is in the one of ''. */
  static of(parts: Readonly<Record<string, string>>): SpecificationParts {
    const shared = new SharedArrayBuffer(Object.values(parts).reduce((sum, json) => sum + Buffer.byteLength(json), 0));
    const bytes = Buffer.from(shared);
    let end = 0;
    const index = Object.fromEntries(
      Object.entries(parts).map(([pointer, json]) => [pointer, [end, (end += bytes.write(json, end))]]),
    );
    return new SpecificationParts({ id: randomUUID(), index: JSON.stringify(index), bytes: shared });
  }

  /** Bytes in memory, about. */
  get size(): number {
    return this.bytes.length + 3 * this.shared.index.length + 1000;
  }

  /** The value at a JSON pointer, given by its names such as `['components', 'schemas', 'Pet']`; undefined where there is none. */
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
