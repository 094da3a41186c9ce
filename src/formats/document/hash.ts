import { createHash } from 'node:crypto';

/** JSON with sorted keys and without `undefined`: equal values give equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(ordered(value)) ?? 'null';
}

/** The same without the keys of nodes, for comparing content. */
export function contentJson(value: unknown): string {
  return JSON.stringify(withoutKeys(value)) ?? 'null';
}

/**
 * Sorts the names of every object, so that JSON can be written natively. Objects that are already sorted, as in all
 * stored documents, are returned without copying.
 */
function ordered(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    let copy: unknown[] | undefined;
    value.forEach((item, index) => {
      const inOrder = ordered(item);
      if (inOrder !== item) (copy ??= [...(value as unknown[])])[index] = inOrder;
    });
    return copy ?? value;
  }
  const record = value as Readonly<Record<string, unknown>>;
  const names = Object.keys(record);
  const sorted = isSorted(names);
  let copy: Record<string, unknown> | undefined = sorted ? undefined : {};
  for (const name of sorted ? names : names.sort()) {
    const item = record[name];
    const inOrder = ordered(item);
    if (copy || inOrder !== item) (copy ??= { ...record })[name] = inOrder;
  }
  return copy ?? value;
}

/** The SHA-256 of a text, such as the canonical JSON of a document, as 64 hexadecimal digits. */
export function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The SHA-256 of the canonical JSON of a document, keys included. */
export function hashDocument(document: unknown): string {
  return hashText(canonicalJson(document));
}

/** A copy of a document or node without the keys of its nodes and with sorted names, for comparing content. */
export function withoutKeys<T>(value: T): T {
  return strip(value) as T;
}

function strip(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(strip);
  const record = value as Readonly<Record<string, unknown>>;
  const isNode = 'object' in record;
  const names = Object.keys(record);
  const copy: Record<string, unknown> = {};
  for (const name of isSorted(names) ? names : names.sort())
    if (!(isNode && name === 'key')) copy[name] = strip(record[name]);
  return copy;
}

function isSorted(names: readonly string[]): boolean {
  for (let index = 1; index < names.length; index++) if ((names[index - 1] ?? '') >= (names[index] ?? '')) return false;
  return true;
}
