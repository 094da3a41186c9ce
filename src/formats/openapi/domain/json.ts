export type JsonObject = Record<string, unknown>;

export function isJson(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at names inside of another one; undefined where there is none. */
export function valueAt(root: unknown, path: readonly string[]): unknown {
  let value = root;
  for (const name of path) {
    if (Array.isArray(value)) value = /^\d+$/.test(name) ? (value as unknown[])[Number(name)] : undefined;
    else value = isJson(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }
  return value;
}

/** An object of entries, in which any name is a name. */
export function objectOf(entries: Iterable<readonly [string, unknown]>): JsonObject {
  return Object.fromEntries(entries);
}

/** What a value is, as people call it. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'string' ? 'a text' : typeof value === 'number' ? 'a number' : 'nothing';
}
