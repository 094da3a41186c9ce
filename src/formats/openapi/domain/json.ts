export type JsonObject = Record<string, unknown>;

export function isJson(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the value at a path of names inside of another one; undefined if there is none. */
export function valueAt(root: unknown, path: readonly string[]): unknown {
  let value = root;
  for (const name of path) {
    if (Array.isArray(value)) value = /^\d+$/.test(name) ? (value as unknown[])[Number(name)] : undefined;
    else value = isJson(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }
  return value;
}

/** Creates an object of entries whose names are unrestricted. */
export function objectOf(entries: Iterable<readonly [string, unknown]>): JsonObject {
  return Object.fromEntries(entries);
}

/** The kind of a value, as named in messages. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'string' ? 'a text' : typeof value === 'number' ? 'a number' : 'nothing';
}
