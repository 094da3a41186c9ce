import { createHash } from 'node:crypto';

/** JSON with sorted keys and without `undefined`: equal values give equal text. */
export function canonicalJson(value: unknown): string {
  return written(value, true);
}

/** The same without the keys of nodes, for comparing content. */
export function contentJson(value: unknown): string {
  return written(value, false);
}

function written(value: unknown, withKeys: boolean): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  let text = '';
  if (Array.isArray(value)) {
    for (const item of value) text += `${text === '' ? '' : ','}${written(item, withKeys)}`;
    return `[${text}]`;
  }
  const record = value as Record<string, unknown>;
  const isNode = 'object' in record;
  for (const name of Object.keys(record).sort()) {
    const item = record[name];
    if (item === undefined || (isNode && !withKeys && name === 'key')) continue;
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${written(item, withKeys)}`;
  }
  return `{${text}}`;
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
  const isNode = 'object' in value;
  const copy: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) if (!(isNode && key === 'key')) copy[key] = strip(item);
  return copy;
}
