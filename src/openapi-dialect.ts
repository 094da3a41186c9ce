import type { OpenAPIObject } from '@nestjs/swagger';

type Json = Record<string, unknown>;

/** Keywords whose members are schemas by name, in a list, or one schema. */
const MAPS = ['properties', 'patternProperties', '$defs'] as const;
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'] as const;
const SINGLES = ['items', 'additionalProperties', 'not'] as const;

/** `\p{Cc}` has a meaning only in expressions that are read as Unicode, which not every reader of a document does. */
const CONTROLS = [/\\p\{Cc\}/g, '\\u0000-\\u001f\\u007f-\\u009f'] as const;

/**
 * Turns a document whose schemas are written for OpenAPI 3.0 into one of OpenAPI 3.1, whose schemas are those of JSON Schema
 * 2020-12: null is a type, bounds that are excluded are numbers, and examples have the type of their schema.
 */
export function toOpenApi31(document: OpenAPIObject): void {
  document.openapi = '3.1.0';
  const { schemas = {} } = document.components ?? {};
  for (const [name, schema] of Object.entries(schemas)) (schemas as Json)[name] = schemaOf31(schema as Json);
  convertContents(document.paths);
}

/** Converts the schemas of parameters, bodies and headers below paths, each under `schema`. */
function convertContents(node: unknown): void {
  if (Array.isArray(node)) return node.forEach(convertContents);
  if (!isJson(node)) return;
  for (const [key, value] of Object.entries(node)) {
    if (key === 'schema' && isJson(value)) node[key] = schemaOf31(value);
    else if (key !== 'example' && key !== 'examples') convertContents(value);
  }
}

function schemaOf31(schema: Json): Json {
  const { nullable, exclusiveMinimum, exclusiveMaximum, ...rest } = schema;
  const made: Json = { ...rest };
  for (const key of MAPS) if (isJson(made[key])) made[key] = mapped(made[key]);
  for (const key of LISTS) if (Array.isArray(made[key])) made[key] = made[key].filter(isJson).map(schemaOf31);
  for (const key of SINGLES) if (isJson(made[key])) made[key] = schemaOf31(made[key]);
  if (typeof made['pattern'] === 'string') made['pattern'] = made['pattern'].replace(...CONTROLS);
  excludeBound(made, 'minimum', 'exclusiveMinimum', exclusiveMinimum);
  excludeBound(made, 'maximum', 'exclusiveMaximum', exclusiveMaximum);
  if (made['type'] === 'array' && 'example' in made && !Array.isArray(made['example']))
    made['example'] = [made['example']];
  return nullable === true ? withNull(made) : made;
}

const mapped = (schemas: Json): Json =>
  Object.fromEntries(Object.entries(schemas).map(([name, each]) => [name, isJson(each) ? schemaOf31(each) : each]));

/** In 3.0 an excluded bound is a flag beside the bound. */
function excludeBound(schema: Json, bound: string, excluded: string, value: unknown): void {
  if (value === true) {
    schema[excluded] = schema[bound];
    delete schema[bound];
  } else if (typeof value === 'number') schema[excluded] = value;
}

/** The same schema, which takes null as well; a schema without a type takes it anyway. */
function withNull(schema: Json): Json {
  const { type, anyOf, oneOf, allOf, $ref, enum: members, ...rest } = schema;
  if (type !== undefined)
    return {
      ...rest,
      type: [...new Set([type, 'null'].flat())],
      ...(Array.isArray(members) && { enum: [...new Set([...(members as unknown[]), null])] }),
      ...(anyOf !== undefined && { anyOf }),
      ...(oneOf !== undefined && { oneOf }),
      ...(allOf !== undefined && { allOf }),
    };
  const nothing = { type: 'null' };
  if (Array.isArray(anyOf)) return { ...schema, anyOf: [...(anyOf as unknown[]), nothing] };
  if (Array.isArray(oneOf)) return { ...schema, oneOf: [...(oneOf as unknown[]), nothing] };
  if (allOf !== undefined) return { ...rest, anyOf: [{ allOf }, nothing] };
  return $ref === undefined ? schema : { ...rest, anyOf: [{ $ref }, nothing] };
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
