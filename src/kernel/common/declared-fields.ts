import type { Type as ClassOf } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';
import { invalid } from './errors.js';
import { MAX_UNKNOWN } from './unknown-input.js';
import { insideOf, type Inside } from './fields.js';

interface DeclaredField {
  readonly name: string;
  /** The number of elements of a list; undefined for other values. */
  readonly maxItems: number | undefined;
  readonly inside: Inside | undefined;
}

type Way = readonly (string | number)[];

/** A part of a body that may have any shape, and the path to it. */
interface FreeValue {
  readonly way: Way;
  readonly value: object;
}

const fields = new WeakMap<ClassOf, readonly DeclaredField[]>();

function fieldsOf(of: ClassOf): readonly DeclaredField[] {
  const known = fields.get(of);
  if (known) return known;
  const storage = getMetadataStorage();
  const found = Object.entries(
    storage.groupByPropertyName(storage.getTargetValidationMetadatas(of, '', false, false)),
  ).map(([name, checks]) => {
    const [maxItems] = (checks.find((check) => check.name === 'arrayMaxSize')?.constraints ?? []) as number[];
    return { name, maxItems, inside: insideOf(of, name) };
  });
  fields.set(of, found);
  return found;
}

/** The names of the fields that a class declares. */
export function declaredNames(of: ClassOf): readonly string[] {
  return fieldsOf(of).map(({ name }) => name);
}

/**
 * The declared part of a body. Undeclared fields are left out, and values of any shape are replaced until `restored`
 * puts them back: a body can have hundreds of thousands of values, and copying costs microseconds for each of them.
 * Invalid values stay invalid in the same way.
 */
export class DeclaredFields {
  /** The part, with empty objects in place of values of any shape. */
  readonly part: unknown;
  /** Paths of the undeclared fields, the first of them. */
  readonly unknown: string[] = [];
  private readonly free: FreeValue[] = [];

  /** Throws `invalid` for a list that is too long, before any of its elements is examined. */
  constructor(body: unknown, of: ClassOf) {
    this.part = this.ofClass(body, of, []);
  }

  /** Puts the values of any shape into the object that was made of the part. */
  restored<Made>(made: Made): Made {
    for (const { way, value } of this.free) {
      const last = way.at(-1);
      const holder = way
        .slice(0, -1)
        .reduce<unknown>((at, name) => (at as Record<string | number, unknown>)[name], made);
      if (last !== undefined) (holder as Record<string | number, unknown>)[last] = value;
    }
    return made;
  }

  private ofClass(given: unknown, of: ClassOf, way: Way): unknown {
    if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
    const part: Record<string, unknown> = {};
    let known = 0;
    for (const { name, maxItems, inside } of fieldsOf(of)) {
      if (!Object.hasOwn(given, name)) continue;
      known++;
      const value = (given as Record<string, unknown>)[name];
      part[name] = Array.isArray(value)
        ? this.ofList(value, maxItems, inside, [...way, name])
        : this.ofValue(value, inside, [...way, name]);
    }
    if (this.unknown.length < MAX_UNKNOWN && Object.keys(given).length > known) this.noteUnknown(given, of, way);
    return part;
  }

  private noteUnknown(given: object, of: ClassOf, way: Way): void {
    const declared = declaredNames(of);
    const names = Object.keys(given).filter((name) => !declared.includes(name));
    this.unknown.push(...names.slice(0, MAX_UNKNOWN - this.unknown.length).map((name) => [...way, name].join('.')));
  }

  /** One element is sufficient to show that a list is wrong where none is allowed. */
  private ofList(
    given: readonly unknown[],
    maxItems: number | undefined,
    inside: Inside | undefined,
    way: Way,
  ): readonly unknown[] {
    if (maxItems === undefined) return inside === undefined ? given : given.slice(0, 1);
    if (given.length > maxItems) throw invalid(way.join('.'), `must contain no more than ${maxItems} elements`);
    return given.map((each, index) => this.ofValue(each, inside, [...way, index]));
  }

  private ofValue(value: unknown, inside: Inside | undefined, way: Way): unknown {
    if (inside === undefined || typeof value !== 'object' || value === null) return value;
    if (inside === 'value') return Array.isArray(value) ? [] : {};
    if (inside === 'free') return this.leftOut(value, way);
    if (typeof inside === 'function') return this.ofClass(value, inside(value), way);
    const of = inside.only();
    const unknown = Object.keys(value).find((name) => !declaredNames(of).includes(name));
    const part = this.ofClass(value, of, way);
    return unknown === undefined ? part : { ...(part as object), [unknown]: null };
  }

  private leftOut(value: object, way: Way): unknown {
    if (Array.isArray(value)) return value.slice(0, 1);
    this.free.push({ way, value });
    return {};
  }
}
