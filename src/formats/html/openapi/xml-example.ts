import { isObject } from '../../document/checks.js';
import { followed, objectAt, textAt, type ApiDescription, type ReadonlyJsonObject } from './description.js';
import { mergedSchema } from './schema.js';

const MAX_DEPTH = 12;
/** Characters that begin and continue names of elements; others become an underscore. */
const NO_NAME = /^[^\p{L}_]|[^\p{L}\p{N}_.:-]/gu;

/** An example as XML: names, attributes and wrapped lists are those that the `xml` of schemas gives. */
export function xmlOf(api: ApiDescription, schema: unknown, value: unknown): string {
  const found = followed(api, schema);
  const own = found ? mergedSchema(api, found) : {};
  return element(api, { name: nameIn(own) ?? found?.name ?? 'root', schema: own, value, depth: 0 }).join('\n');
}

interface Part {
  readonly name: string;
  readonly schema: ReadonlyJsonObject;
  readonly value: unknown;
  readonly depth: number;
}

/** The lines of an element. */
function element(api: ApiDescription, { name: given, schema, value, depth }: Part): string[] {
  const indent = '  '.repeat(depth);
  const name = given.replace(NO_NAME, '_') || '_';
  if (depth > MAX_DEPTH) return [];
  const space = textAt(objectAt(schema, 'xml'), 'namespace', 300);
  const opening = `${name}${space === undefined ? '' : ` xmlns="${escaped(space)}"`}`;
  if (Array.isArray(value)) {
    const items = (value as unknown[]).flatMap((each) =>
      item(api, { name: given, schema, value: each, depth: depth + 1 }),
    );
    return items.length === 0 ? [`${indent}<${opening}/>`] : [`${indent}<${opening}>`, ...items, `${indent}</${name}>`];
  }
  if (!isObject(value)) return [`${indent}<${opening}>${escaped(textOf(value))}</${name}>`];
  const parts = Object.entries(value).map(([property, each]): Part & { readonly isAttribute: boolean } => {
    const inside = resolved(api, objectAt(schema, 'properties')[property]);
    const isAttribute = objectAt(inside, 'xml')['attribute'] === true;
    return { name: nameIn(inside) ?? property, schema: inside, value: each, depth: depth + 1, isAttribute };
  });
  const attributes = parts
    .filter((part) => part.isAttribute)
    .map((part) => ` ${part.name.replace(NO_NAME, '_')}="${escaped(textOf(part.value))}"`)
    .join('');
  const children = parts.filter((part) => !part.isAttribute).flatMap((part) => child(api, part));
  return children.length === 0
    ? [`${indent}<${opening}${attributes}/>`]
    : [`${indent}<${opening}${attributes}>`, ...children, `${indent}</${name}>`];
}

/** A list without `wrapped` is its items, one after another. */
function child(api: ApiDescription, part: Part): string[] {
  return Array.isArray(part.value) && objectAt(part.schema, 'xml')['wrapped'] !== true
    ? (part.value as unknown[]).flatMap((value) => item(api, { ...part, value }))
    : element(api, part);
}

function item(api: ApiDescription, { name, schema, value, depth }: Part): string[] {
  const found = followed(api, schema['items']);
  const inside = resolved(api, schema['items']);
  return element(api, {
    name: nameIn(inside) ?? (depth === 1 ? (found?.name ?? name) : name),
    schema: inside,
    value,
    depth,
  });
}

function resolved(api: ApiDescription, schema: unknown): ReadonlyJsonObject {
  const found = followed(api, schema);
  return found ? mergedSchema(api, found) : {};
}

function nameIn(schema: ReadonlyJsonObject): string | undefined {
  const xml = objectAt(schema, 'xml');
  const name = textAt(xml, 'name', 100);
  const prefix = textAt(xml, 'prefix', 50);
  return name === undefined || prefix === undefined ? name : `${prefix}:${name}`;
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === null ? '' : (JSON.stringify(value) ?? '');

const escaped = (text: string): string =>
  text.replace(/[<>&"]/g, (character) => `&${{ '<': 'lt', '>': 'gt', '&': 'amp', '"': 'quot' }[character] ?? ''};`);
