import { createHash } from 'node:crypto';

/** JSON with sorted keys and without `undefined`: equal values give equal text. */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(',')}}`;
}

/** The SHA-256 of the canonical JSON of a document, keys included, as 64 hexadecimal digits. */
export function hashDocument(document: unknown): string {
  return createHash('sha256').update(canonicalJson(document)).digest('hex');
}

/** A copy of a document or node without the keys of its nodes, for comparing content. */
export function withoutKeys<T>(value: T): T {
  return strip(value) as T;
}

function strip(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(strip);
  const isNode = 'object' in value;
  const copy: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) if (!(isNode && key === 'key')) copy[key] = strip(item);
  return copy;
}
