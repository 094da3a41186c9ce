import type { Type as ClassOf } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';
import { insideOf, type Inside } from './fields.js';

interface DeclaredField {
  readonly name: string;
  /** Elements of a list; undefined for what is none. */
  readonly maxItems: number | undefined;
  readonly inside: Inside | undefined;
}

const fields = new WeakMap<ClassOf, readonly DeclaredField[]>();

function fieldsOf(of: ClassOf): readonly DeclaredField[] {
  const known = fields.get(of);
  if (known) return known;
  const storage = getMetadataStorage();
  const found = Object.entries(storage.groupByPropertyName(storage.getTargetValidationMetadatas(of, '', false, false))).map(([name, checks]) => {
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
 * What of a body its class may take, and of lists no more than shows that they are too long. Everything else would be copied
 * and dropped at microseconds a value, and a body has hundreds of thousands of them; what is wrong stays wrong in the same way.
 */
export function declaredPart(value: unknown, of: ClassOf): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const part: Record<string, unknown> = {};
  for (const { name, maxItems, inside } of fieldsOf(of)) {
    if (!Object.hasOwn(value, name)) continue;
    const given = (value as Record<string, unknown>)[name];
    if (inside !== undefined && Array.isArray(given)) part[name] = given.slice(0, (maxItems ?? 0) + 1).map((each: unknown) => takenOf(each, inside));
    else part[name] = Array.isArray(given) && maxItems !== undefined ? given.slice(0, maxItems + 1) : takenOf(given, inside);
  }
  return part;
}

function takenOf(value: unknown, inside: Inside | undefined): unknown {
  if (typeof inside === 'function') return declaredPart(value, inside());
  if (inside !== 'value' || typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? [] : {};
}
