import { isObject } from '../../document/checks.js';
import {
  followed,
  isInternal,
  listAt,
  objectAt,
  textAt,
  type ApiDescription,
  type Found,
  type ReadonlyJsonObject,
} from './description.js';

/** A schema as shown: references and `allOf` are merged, one level deep. */
export interface SchemaView {
  readonly name?: string;
  readonly pointer?: string;
  /** Such as `string`, `array of Pet` or `integer | null`. */
  readonly type: string;
  readonly description?: string;
  /** Constraints such as a default, with their labels. */
  readonly facts: readonly {
    readonly label: 'defaultValue' | 'possibleValues' | 'example' | 'none';
    readonly text: string;
    /** Further values, and how many there are beyond the text: a long list is folded. */
    readonly more?: { readonly text: string; readonly count: number };
  }[];
  readonly flags: readonly ('deprecated' | 'readOnly' | 'writeOnly')[];
  readonly properties: readonly { readonly name: string; readonly schema: unknown; readonly isRequired: boolean }[];
  readonly items?: unknown;
  readonly otherProperties?: unknown;
  readonly variants?: {
    readonly of: 'oneOf' | 'anyOf';
    readonly schemas: readonly unknown[];
    /** The property that tells which of them a value is. */
    readonly discriminator?: ReadonlyJsonObject;
  };
}

const MAX_PROPERTIES = 200;
/** Values that are shown at once, and those that are shown at all. */
const MAX_SHOWN_VALUES = 12;
const MAX_VALUES = 200;
const MAX_PARTS = 20;
const MAX_TEXT = 300;

/** Reads a schema of OpenAPI 3 or Swagger 2; undefined for other values. */
export function schemaView(api: ApiDescription, schema: unknown): SchemaView | undefined {
  const found = followed(api, schema);
  if (!found) return undefined;
  const merged = mergedSchema(api, found);
  const required = new Set(listAt(merged, 'required').filter((name) => typeof name === 'string'));
  const properties = Object.entries(objectAt(merged, 'properties')).filter(
    ([, each]) => !(isObject(each) && isInternal(each)),
  );
  const of = listAt(merged, 'oneOf').length > 0 ? 'oneOf' : listAt(merged, 'anyOf').length > 0 ? 'anyOf' : undefined;
  const description = textAt(merged, 'description');
  const other = merged['additionalProperties'];
  return {
    ...(found.name !== undefined && { name: found.name }),
    ...(found.pointer !== undefined && { pointer: found.pointer }),
    type: typeOf(api, merged, 0),
    ...(description !== undefined && { description }),
    facts: factsOf(merged),
    flags: (['deprecated', 'readOnly', 'writeOnly'] as const).filter((flag) => merged[flag] === true),
    properties: properties
      .slice(0, MAX_PROPERTIES)
      .map(([name, each]) => ({ name, schema: each, isRequired: required.has(name) })),
    ...(isObject(merged['items']) && { items: merged['items'] }),
    ...(isObject(other) && Object.keys(other).length > 0 && { otherProperties: other }),
    ...(of && {
      variants: {
        of,
        schemas: listAt(merged, of).slice(0, MAX_PARTS),
        ...(isObject(merged['discriminator']) && { discriminator: merged['discriminator'] }),
      },
    }),
  };
}

/** A schema with those of its `allOf`; its own texts take precedence. */
export function mergedSchema(api: ApiDescription, { value, pointer }: Found): ReadonlyJsonObject {
  return withAllOf(api, value, new Set(pointer === undefined ? [] : [pointer]));
}

function withAllOf(api: ApiDescription, schema: ReadonlyJsonObject, seen: Set<string>): ReadonlyJsonObject {
  const parts = listAt(schema, 'allOf').slice(0, MAX_PARTS);
  let merged: ReadonlyJsonObject = schema;
  for (const part of parts) {
    const found = followed(api, part);
    if (!found || (found.pointer !== undefined && seen.has(found.pointer)) || seen.size > 100) continue;
    if (found.pointer !== undefined) seen.add(found.pointer);
    const inside = withAllOf(api, found.value, seen);
    merged = {
      ...inside,
      ...merged,
      // In document order; of two with the same name, the first one counts.
      properties: {
        ...objectAt(merged, 'properties'),
        ...objectAt(inside, 'properties'),
        ...objectAt(merged, 'properties'),
      },
      required: [...listAt(merged, 'required'), ...listAt(inside, 'required')],
    };
  }
  return merged;
}

function typeOf(api: ApiDescription, schema: ReadonlyJsonObject, depth: number): string {
  const own = typeNames(schema);
  const isNullable = schema['nullable'] === true && !own.includes('null');
  const names = own.map((name) => (name === 'array' ? arrayType(api, schema, depth) : name));
  const format = textAt(schema, 'format', 40);
  const shown =
    names.length > 0
      ? names.join(' | ')
      : 'const' in schema
        ? valueText(schema['const'])
        : variantsType(api, schema, depth);
  return [shown + (isNullable ? ' | null' : ''), ...(format !== undefined ? [format] : [])]
    .filter((part) => part !== '')
    .join(' · ');
}

function typeNames(schema: ReadonlyJsonObject): string[] {
  const { type } = schema;
  if (typeof type === 'string') return [type.slice(0, 40)];
  if (Array.isArray(type)) return type.filter((each): each is string => typeof each === 'string').slice(0, 7);
  if (isObject(schema['properties']) && Object.keys(schema['properties']).length > 0) return ['object'];
  return isObject(schema['items']) ? ['array'] : [];
}

function arrayType(api: ApiDescription, schema: ReadonlyJsonObject, depth: number): string {
  const items = depth < 3 ? followed(api, schema['items']) : undefined;
  const inside = items && nameOrType(api, items, depth + 1);
  return inside === undefined || inside === '' ? 'array' : `array of ${inside}`;
}

function variantsType(api: ApiDescription, schema: ReadonlyJsonObject, depth: number): string {
  const variants = [...listAt(schema, 'oneOf'), ...listAt(schema, 'anyOf')].slice(0, 6);
  if (depth > 2) return '';
  return [
    ...new Set(variants.flatMap((each) => followed(api, each) ?? []).map((found) => nameOrType(api, found, depth + 1))),
  ]
    .filter((name) => name !== '')
    .join(' | ');
}

/** The label of one of several schemas, with the value of the property that tells them apart. */
export function variantLabel(
  api: ApiDescription,
  found: Found,
  { discriminator }: NonNullable<SchemaView['variants']>,
): string {
  const label = nameOrType(api, found);
  const property = discriminator && textAt(discriminator, 'propertyName', 60);
  if (!discriminator || property === undefined || found.name === undefined) return label;
  // A mapping leads to a schema by reference or by name; without one the name of the schema is the value.
  const [value = found.name] =
    Object.entries(objectAt(discriminator, 'mapping')).find(
      ([, target]) => target === found.pointer || target === found.name,
    ) ?? [];
  return `${label} · ${property}: ${value.slice(0, 100)}`;
}

/** The label of a schema inside another one. */
export function nameOrType(api: ApiDescription, { name, value }: Found, depth = 0): string {
  return name ?? textAt(value, 'title', 60) ?? typeOf(api, value, depth);
}

function factsOf(schema: ReadonlyJsonObject): SchemaView['facts'] {
  const facts: SchemaView['facts'][number][] = [];
  const values = listAt(schema, 'enum');
  if (values.length > 0) facts.push(valuesFact(values));
  if (schema['default'] !== undefined) facts.push({ label: 'defaultValue', text: valueText(schema['default']) });
  const limits = [
    limit(schema, 'minimum', '≥'),
    limit(schema, 'maximum', '≤'),
    limit(schema, 'minLength', 'length ≥'),
    limit(schema, 'maxLength', 'length ≤'),
    limit(schema, 'minItems', 'items ≥'),
    limit(schema, 'maxItems', 'items ≤'),
    limit(schema, 'pattern', 'pattern'),
  ].filter((text) => text !== '');
  if (limits.length > 0) facts.push({ label: 'none', text: limits.join(', ') });
  const example = schema['example'] ?? listAt(schema, 'examples')[0];
  if (example !== undefined && !isObject(example) && !Array.isArray(example))
    facts.push({ label: 'example', text: valueText(example) });
  return facts;
}

function valuesFact(values: readonly unknown[]): SchemaView['facts'][number] {
  const text = (from: number, to: number): string => values.slice(from, to).map(valueText).join(', ');
  // One more takes no more room than saying so.
  return values.length <= MAX_SHOWN_VALUES + 1
    ? { label: 'possibleValues', text: text(0, values.length) }
    : {
        label: 'possibleValues',
        text: text(0, MAX_SHOWN_VALUES),
        more: {
          text: `${text(MAX_SHOWN_VALUES, MAX_VALUES)}${values.length > MAX_VALUES ? ' …' : ''}`,
          count: values.length - MAX_SHOWN_VALUES,
        },
      };
}

function limit(schema: ReadonlyJsonObject, name: string, sign: string): string {
  const value = schema[name];
  return typeof value === 'number' || typeof value === 'string' ? `${sign} ${String(value).slice(0, MAX_TEXT)}` : '';
}

/** A value in JSON, shortened; texts without quotes. */
export function valueText(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}
