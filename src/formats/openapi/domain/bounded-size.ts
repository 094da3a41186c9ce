import { unreadable } from './specification-problem.js';

/** Maximum number of values of a specification; those of aliases count at each use. */
const MAX_VALUES = 4_000_000;
const MAX_DEPTH = 200;

/**
 * Throws `Unreadable` for values that cannot be serialized: a value that contains itself, by an alias of YAML, and
 * values that are nested too deeply or too numerous once their aliases are expanded. Takes a step for each written
 * value, however large its aliases make it.
 */
export function requireBoundedSize(root: unknown, document?: string): void {
  const known = new Map<object, number>();
  const open = new Set<object>();
  const where = { pointer: '', ...(document !== undefined && { document }) };
  const count = (value: unknown, depth: number): number => {
    if (typeof value !== 'object' || value === null) return 1;
    const before = known.get(value);
    if (before !== undefined) return before;
    if (open.has(value)) throw unreadable('cyclic-alias', 'has an alias that leads back to what it stands in', where);
    if (depth > MAX_DEPTH) throw unreadable('too-deep', `is nested deeper than ${MAX_DEPTH} levels`, where);
    open.add(value);
    let values = 1;
    for (const each of Array.isArray(value) ? (value as unknown[]) : Object.values(value))
      values += count(each, depth + 1);
    open.delete(value);
    known.set(value, values);
    if (values > MAX_VALUES)
      throw unreadable('too-large', `becomes more than ${MAX_VALUES} values once its aliases are followed`, where);
    return values;
  };
  count(root, 0);
}
