import { createHash } from 'node:crypto';

/** JSON with sorted keys and without `undefined`: equal values give equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(ordered(value)) ?? 'null';
}

/** The same without the keys of nodes, for comparing content. */
export function contentJson(value: unknown): string {
  return canonicalJson(withoutKeys(value));
}

/**
 * The value with the names of every object in order, which JSON then writes natively; whatever is in order already, as all
 * of a stored document is, is taken as it is.
 */
function ordered(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map(ordered);
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  const record = value as Readonly<Record<string, unknown>>;
  const names = Object.keys(record);
  let same = true;
  for (let i = 1; same && i < names.length; i++) same = (names[i - 1] ?? '') < (names[i] ?? '');
  if (!same) names.sort();
  const copy: Record<string, unknown> = {};
  for (const name of names) {
    const item = (copy[name] = ordered(record[name]));
    same &&= item === record[name];
  }
  return same ? value : copy;
}

/** The SHA-256 of a text, as of the canonical JSON of a document, as 64 hexadecimal digits. */
export function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The SHA-256 of the canonical JSON of a document, keys included. */
export function hashDocument(document: unknown): string {
  return hashText(canonicalJson(document));
}

/** A copy of a document or node without the keys of its nodes, for comparing content. */
export function withoutKeys<T>(value: T): T {
  return strip(value) as T;
}

function strip(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(strip);
  const record = value as Readonly<Record<string, unknown>>;
  const isNode = 'object' in record;
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(record)) if (!(isNode && name === 'key')) copy[name] = strip(record[name]);
  return copy;
}
