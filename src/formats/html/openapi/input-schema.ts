import { isObject } from '../../document/checks.js';
import {
  followed,
  isInternal,
  listAt,
  objectAt,
  textAt,
  type ApiDescription,
  type ReadonlyJsonObject,
} from './description.js';
import { mergedSchema } from './schema.js';

/** A JSON Schema without references. */
export type InlineSchema = Readonly<Record<string, unknown>>;

/** Nesting of schemas, deepest first: the first one whose schema is short enough is taken. */
const DEPTHS = [6, 3, 1] as const;
/** Maximum length of the schema of one value, as JSON. */
const MAX_CHARACTERS = 6_000;
const MAX_SCHEMAS = 150;
const MAX_PROPERTIES = 60;
const MAX_VALUES = 50;
const MAX_VARIANTS = 8;
const MAX_DESCRIPTION = 300;
const TYPES: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']);
const LIMITS = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'] as const;

interface Reading {
  readonly api: ApiDescription;
  readonly counted: { left: number };
  readonly maxDepth: number;
  /** Pointers of the enclosing schemas: a recursive one is not expanded again. */
  readonly within: readonly string[];
}

/**
 * The schema of a value that is sent, of OpenAPI 3 or Swagger 2, as JSON Schema that refers to nothing. It is bounded:
 * what does not fit is left open.
 */
export function inlineSchema(api: ApiDescription, schema: unknown): InlineSchema {
  for (const maxDepth of DEPTHS) {
    const inline = expanded(schema, { api, counted: { left: MAX_SCHEMAS }, maxDepth, within: [] });
    if (JSON.stringify(inline).length <= MAX_CHARACTERS) return inline;
  }
  return {};
}

function expanded(given: unknown, reading: Reading): InlineSchema {
  const { api, counted, within, maxDepth } = reading;
  const found = followed(api, given);
  if (!found || counted.left-- <= 0) return {};
  const schema = mergedSchema(api, found);
  const isOpen = within.length >= maxDepth || (found.pointer !== undefined && within.includes(found.pointer));
  return {
    ...ownFacts(schema),
    ...(isOpen ? {} : contentOf(schema, { ...reading, within: [...within, found.pointer ?? ''] })),
  };
}

/** The facts about a value itself. */
function ownFacts(schema: ReadonlyJsonObject): InlineSchema {
  const types = [schema['type']].flat().filter((type) => TYPES.has(type));
  if (types.length > 0 && schema['nullable'] === true && !types.includes('null')) types.push('null');
  const values = listAt(schema, 'enum');
  const format = textAt(schema, 'format', 40);
  const description = textAt(schema, 'description', MAX_DESCRIPTION);
  return {
    ...(types.length > 0 && { type: types.length === 1 ? types[0] : types }),
    ...(description !== undefined && { description }),
    ...(format !== undefined && { format }),
    ...(values.length > 0 && values.length <= MAX_VALUES && values.every(isPlain) && { enum: values }),
    ...(['const', 'default'] as const).reduce<InlineSchema>(
      (facts, name) =>
        schema[name] !== undefined && isPlain(schema[name]) ? { ...facts, [name]: schema[name] } : facts,
      {},
    ),
    ...Object.fromEntries(LIMITS.filter((name) => Number.isFinite(schema[name])).map((name) => [name, schema[name]])),
  };
}

/** The schemas inside of a schema. */
function contentOf(schema: ReadonlyJsonObject, reading: Reading): InlineSchema {
  const properties = Object.entries(objectAt(schema, 'properties'))
    .filter(([, each]) => !(isObject(each) && (isInternal(each) || each['readOnly'] === true)))
    .slice(0, MAX_PROPERTIES);
  const names = new Set(properties.map(([name]) => name));
  const required = [...new Set(listAt(schema, 'required'))].filter((name) => names.has(String(name)));
  const other = schema['additionalProperties'];
  const variants = (['oneOf', 'anyOf'] as const).flatMap((name) => {
    const schemas = listAt(schema, name).slice(0, MAX_VARIANTS);
    return schemas.length > 0 ? [[name, schemas.map((each) => expanded(each, reading))] as const] : [];
  });
  return {
    ...(properties.length > 0 && {
      properties: Object.fromEntries(properties.map(([name, each]) => [name, expanded(each, reading)])),
    }),
    ...(required.length > 0 && { required }),
    ...(isObject(schema['items']) && { items: expanded(schema['items'], reading) }),
    ...(isObject(other) && { additionalProperties: expanded(other, reading) }),
    ...Object.fromEntries(variants),
  };
}

const isPlain = (value: unknown): boolean =>
  value === null ||
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  (typeof value === 'string' && value.length <= MAX_DESCRIPTION);
