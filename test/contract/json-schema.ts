/** The parts of JSON Schema and OpenAPI 3.0/3.1 that the harness reads; other keywords pass through untouched. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  allOf?: Schema[];
  oneOf?: Schema[];
  anyOf?: Schema[];
  additionalProperties?: boolean | Schema;
  enum?: unknown[];
  const?: unknown;
  nullable?: boolean;
  pattern?: string;
  [keyword: string]: unknown;
}

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema?: Schema;
}

export interface Media {
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, unknown>;
}

export interface ResponseObject {
  description?: string;
  content?: Record<string, Media>;
  headers?: Record<string, unknown>;
}

export interface OperationObject {
  operationId?: string;
  summary?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content?: Record<string, Media>; required?: boolean } | { $ref: string };
  responses: Record<string, ResponseObject | { $ref: string }>;
}

export interface OpenApiDocument {
  openapi: string;
  paths: Record<string, Record<string, OperationObject | undefined>>;
  components: { schemas: Record<string, Schema>; [kind: string]: Record<string, unknown> };
  security?: Record<string, string[]>[];
  tags?: { name: string }[];
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Follows a local `#/…` pointer; undefined where it leads nowhere. */
export function pointed(document: unknown, pointer: string): unknown {
  let at: unknown = document;
  for (const part of pointer.replace(/^#\//, '').split('/')) {
    if (!isRecord(at)) return undefined;
    at = at[part.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return at;
}

/** The object itself, or what its `$ref` names in the document. */
export function resolved<T extends object>(document: OpenApiDocument, value: T | { $ref: string }): T {
  let at: unknown = value;
  for (let hops = 0; isRecord(at) && typeof at['$ref'] === 'string'; hops += 1) {
    if (hops > 20) throw new Error(`Reference loop at ${String(at['$ref'])}`);
    const target = pointed(document, at['$ref']);
    if (!isRecord(target)) throw new Error(`Reference ${String(at['$ref'])} leads nowhere`);
    at = target;
  }
  return at as T;
}

type Tags = Map<string, Set<unknown>>;

const DEMANDED = new WeakMap<Schema, Tags>();
const POSSIBLE = new WeakMap<Schema, Tags>();

const fixedValues = (schema: Schema): unknown[] | undefined => ('const' in schema ? [schema.const] : schema.enum);

function unionTags(document: OpenApiDocument, branches: Schema[], depth: number, demand: boolean): Tags {
  const [first, ...rest] = branches.map((branch) => tagsOf(document, branch, depth + 1, demand));
  const shared: Tags = new Map();
  for (const [name, values] of first ?? []) {
    if (rest.every((tags) => tags.has(name))) {
      shared.set(name, new Set([...values, ...rest.flatMap((tags) => [...(tags.get(name) ?? [])])]));
    }
  }
  return shared;
}

/**
 * Properties of an object schema that can hold only fixed values (`type`, `kind`, `status` …), with those values.
 * With `demand` only required properties count, as a discriminator must be present.
 */
export function tagsOf(document: OpenApiDocument, schema: Schema, depth = 0, demand = true): Tags {
  const cache = demand ? DEMANDED : POSSIBLE;
  const known = cache.get(schema);
  if (known) return known;
  const tags = depth > 12 ? new Map<string, Set<unknown>>() : collectTags(document, schema, depth, demand);
  if (depth === 0) cache.set(schema, tags);
  return tags;
}

function collectTags(document: OpenApiDocument, schema: Schema, depth: number, demand: boolean): Tags {
  if (schema.$ref) return tagsOf(document, resolved<Schema>(document, schema), depth + 1, demand);
  const tags: Tags = new Map();
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const values = fixedValues(property.$ref ? resolved<Schema>(document, property) : property);
    if (values && (!demand || schema.required?.includes(name))) tags.set(name, new Set(values));
  }
  for (const part of schema.allOf ?? []) {
    for (const [name, values] of tagsOf(document, part, depth + 1, demand)) tags.set(name, values);
  }
  const branches = schema.oneOf ?? schema.anyOf;
  if (branches) for (const [name, values] of unionTags(document, branches, depth, demand)) tags.set(name, values);
  return tags;
}

export interface Discriminated {
  name: string;
  /** Branches by the value of the discriminating property. */
  groups: Map<unknown, Schema[]>;
  rest: Schema[];
}

const CHOICES = new WeakMap<Schema[], Discriminated | null>();

/** The property that tells most branches apart; undefined where none does. */
export function discriminate(document: OpenApiDocument, branches: Schema[]): Discriminated | undefined {
  const known = CHOICES.get(branches);
  if (known !== undefined) return known ?? undefined;
  const found = findDiscriminator(document, branches);
  CHOICES.set(branches, found ?? null);
  return found;
}

function findDiscriminator(document: OpenApiDocument, branches: Schema[]): Discriminated | undefined {
  const tagged = branches
    .map((branch) => ({ branch, tags: tagsOf(document, branch) }))
    .filter(({ tags }) => tags.size > 0);
  const shared = [...(tagged[0]?.tags.keys() ?? [])].filter((name) => tagged.every(({ tags }) => tags.has(name)));
  let best: Discriminated | undefined;
  for (const name of shared) {
    const groups = new Map<unknown, Schema[]>();
    for (const { branch, tags } of tagged) {
      for (const value of tags.get(name) ?? []) groups.set(value, [...(groups.get(value) ?? []), branch]);
    }
    const rest = branches.filter((branch) => !tagged.some((entry) => entry.branch === branch));
    if (groups.size > 1 && groups.size > (best?.groups.size ?? 1)) best = { name, groups, rest };
  }
  return best;
}

/** The type of the values of a schema, whether or not it takes null as well. */
export const typeOf = ({ type }: Pick<Schema, 'type'>): string | undefined =>
  [type ?? []].flat().find((each) => each !== 'null');

/**
 * Turns the schemas of an OpenAPI document into plain JSON Schema. `nullable` becomes a type, and a union whose members
 * differ in one fixed property becomes a choice by that property, which keeps validation linear and its errors readable.
 * Other `oneOf` become `anyOf`: the public document uses them as unions, and some of its members overlap.
 */
export function toJsonSchema(document: OpenApiDocument, schema: Schema): Schema {
  const { nullable, oneOf, anyOf, discriminator: _, ...plain } = schema;
  const result: Schema = {};
  for (const [keyword, value] of Object.entries(plain)) result[keyword] = translateKeyword(document, keyword, value);
  const branches = oneOf ?? anyOf;
  if (branches) result.allOf = [...(result.allOf ?? []), union(document, branches)];
  return nullable ? withNull(result) : result;
}

const SCHEMA_KEYWORDS = new Set(['items', 'not', 'additionalProperties']);

function translateKeyword(document: OpenApiDocument, keyword: string, value: unknown): unknown {
  if (keyword === 'properties' && isRecord(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, property]) => [name, toJsonSchema(document, property as Schema)]),
    );
  }
  if (keyword === 'allOf' && Array.isArray(value)) {
    return value.map((part) => toJsonSchema(document, part as Schema));
  }
  if (SCHEMA_KEYWORDS.has(keyword) && isRecord(value)) return toJsonSchema(document, value);
  return value;
}

function union(document: OpenApiDocument, branches: Schema[]): Schema {
  const choice = discriminate(document, branches);
  if (!choice) return { anyOf: branches.map((branch) => toJsonSchema(document, branch)) };
  const { name, groups, rest } = choice;
  const tagged: Schema = {
    type: 'object',
    required: [name],
    properties: { [name]: { enum: [...groups.keys()] } },
    allOf: [...groups].map(([value, members]) => {
      const [only, ...others] = members.map((member) => toJsonSchema(document, member));
      const then = others.length > 0 ? { anyOf: [only, ...others] } : only;
      return { if: { type: 'object', properties: { [name]: { const: value } }, required: [name] }, then };
    }),
  };
  return rest.length > 0 ? { anyOf: [tagged, ...rest.map((branch) => toJsonSchema(document, branch))] } : tagged;
}

function withNull(schema: Schema): Schema {
  if (schema.$ref || schema.allOf || schema.type === undefined) {
    return schema.enum?.includes(null) ? schema : { anyOf: [schema, { type: 'null' }] };
  }
  const widened: Schema = { ...schema, type: [...new Set([schema.type, 'null'].flat())] };
  if (schema.enum && !schema.enum.includes(null)) widened.enum = [...schema.enum, null];
  return widened;
}
