import { discriminate, isRecord, pointed, tagsOf, type OpenApiDocument, type Schema } from './json-schema.js';

/**
 * A property's name in the findings: the component schema that declares it, or the operation for what stands in the
 * response itself, then the way to it, as `Space.urls.published` or `listSites.items[].id`.
 */
export type PropertyKey = string;

export interface Observed {
  /** Optional properties that the body carries. */
  readonly seen: Set<PropertyKey>;
  /** Properties that the body carries and no schema declares. */
  readonly undeclared: Set<PropertyKey>;
}

/** A schema with the name under which its properties are reported. */
interface Named {
  readonly schema: Schema;
  readonly name: string;
}

const componentName = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

function opened(document: OpenApiDocument, { schema, name }: Named): Named {
  let at: Named = { schema, name };
  for (let hops = 0; at.schema.$ref !== undefined && hops < 20; hops += 1) {
    const target = pointed(document, at.schema.$ref);
    if (!isRecord(target)) throw new Error(`Reference ${at.schema.$ref} leads nowhere`);
    at = { schema: target, name: componentName(at.schema.$ref) };
  }
  return at;
}

/** What a schema says of an object or a list, its references and `allOf` taken in; unions stay open until a value is there. */
interface Shape {
  readonly name: string;
  readonly properties: ReadonlyMap<
    string,
    readonly { readonly schema: Schema; readonly owner: string; readonly optional: boolean }[]
  >;
  readonly unions: readonly (readonly [branches: Schema[], name: string])[];
  readonly items: Named | undefined;
  /** Schema of the members of a map. */
  readonly members: Named | undefined;
  /** Takes properties that it does not name. */
  readonly free: boolean;
  readonly type: Schema['type'];
  readonly required: readonly string[];
}

const SHAPES = new WeakMap<Schema, Shape>();

function shapeOf(document: OpenApiDocument, named: Named): Shape {
  // A shape's name depends on where an inline schema stands, and an inline schema stands in one place.
  const known = SHAPES.get(named.schema);
  if (known) return known;
  const made = makeShape(document, opened(document, named));
  SHAPES.set(named.schema, made);
  return made;
}

function makeShape(document: OpenApiDocument, { schema, name }: Named): Shape {
  const parts = (schema.allOf ?? []).map((part) => shapeOf(document, { schema: part, name }));
  const properties = new Map<string, { schema: Schema; owner: string; optional: boolean }[]>();
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    properties.set(key, [{ schema: property, owner: name, optional: !schema.required?.includes(key) }]);
  }
  for (const part of parts)
    for (const [key, entries] of part.properties) properties.set(key, [...(properties.get(key) ?? []), ...entries]);
  const branches = schema.oneOf ?? schema.anyOf;
  const extra = schema.additionalProperties;
  return {
    name,
    properties,
    unions: [...(branches ? [[branches, name] as const] : []), ...parts.flatMap((part) => part.unions)],
    items: schema.items ? { schema: schema.items, name: `${name}[]` } : parts.find((part) => part.items)?.items,
    members: isRecord(extra) ? { schema: extra, name: `${name}.*` } : parts.find((part) => part.members)?.members,
    free: extra === true || parts.some((part) => part.free),
    type: schema.type ?? parts.find((part) => part.type)?.type,
    required: [...(schema.required ?? []), ...parts.flatMap((part) => part.required)],
  };
}

const SCALARS = new Set(['string', 'number', 'integer', 'boolean']);

/** Whether a value may be of this schema, judged by its basic type, its required properties and those with fixed values. */
function fits(document: OpenApiDocument, named: Named, value: unknown): boolean {
  const { type, required } = shapeOf(document, named);
  if (Array.isArray(value)) return type === undefined || type === 'array';
  if (!isRecord(value)) return type !== 'object' && type !== 'array';
  if (type === 'array' || (typeof type === 'string' && SCALARS.has(type))) return false;
  if (contradicts(document, named.schema, value)) return false;
  return required.every((name) => name in value && !partContradicts(document, named, name, value[name]));
}

/** Whether a property with fixed values has another one. */
function contradicts(document: OpenApiDocument, schema: Schema, value: Readonly<Record<string, unknown>>): boolean {
  return [...tagsOf(document, schema, 0, false)].some(([name, values]) => name in value && !values.has(value[name]));
}

/** The same of an object within, by which the members of some unions differ. */
function partContradicts(document: OpenApiDocument, named: Named, name: string, part: unknown): boolean {
  if (!isRecord(part)) return false;
  return (shapeOf(document, named).properties.get(name) ?? []).some(({ schema }) =>
    contradicts(document, schema, part),
  );
}

/** The members of a union that a value may be of. */
function chosen(document: OpenApiDocument, branches: Schema[], owner: string, value: unknown): Schema[] {
  const fitting = (branch: Schema): boolean => fits(document, { schema: branch, name: owner }, value);
  const choice = isRecord(value) ? discriminate(document, branches) : undefined;
  if (!choice || !isRecord(value)) return branches.filter(fitting);
  const candidates = [...(choice.groups.get(value[choice.name]) ?? []), ...choice.rest];
  return candidates.length > 1 ? candidates.filter(fitting) : candidates;
}

/** The shapes that together describe a value: its schema's own and those of the union members that it is of. */
function shapesFor(document: OpenApiDocument, named: Named, value: unknown, depth = 0): Shape[] {
  const shape = shapeOf(document, named);
  if (depth > 16) return [shape];
  const members = shape.unions.flatMap(([branches, name]) =>
    chosen(document, branches, name, value).flatMap((branch) =>
      shapesFor(document, { schema: branch, name }, value, depth + 1),
    ),
  );
  return [shape, ...members];
}

/** Notes which optional properties a body shows and which of its properties no schema declares. */
export function observe(document: OpenApiDocument, root: Named, body: unknown, observed: Observed): void {
  if (typeof body !== 'object' || body === null) return;
  const shapes = shapesFor(document, root, body);
  if (Array.isArray(body)) {
    const items = shapes.find((shape) => shape.items)?.items;
    if (items) for (const item of body) observe(document, items, item, observed);
    return;
  }
  const free = shapes.some((shape) => shape.free) || shapes.every((shape) => shape.properties.size === 0);
  for (const [key, value] of Object.entries(body)) observeProperty(document, shapes, free, key, value, observed);
}

function observeProperty(
  document: OpenApiDocument,
  shapes: readonly Shape[],
  free: boolean,
  key: string,
  value: unknown,
  observed: Observed,
): void {
  let declared = false;
  for (const shape of shapes) {
    for (const { schema, owner, optional } of shape.properties.get(key) ?? []) {
      declared = true;
      if (optional) observed.seen.add(`${owner}.${key}`);
      if (typeof value === 'object' && value !== null)
        observe(document, { schema, name: `${owner}.${key}` }, value, observed);
    }
  }
  if (declared) return;
  const members = shapes.find((shape) => shape.members)?.members;
  if (members) observe(document, members, value, observed);
  else if (!free) observed.undeclared.add(`${shapes[0]?.name ?? ''}.${key}`);
}

/** Every optional property that a schema can show, components included; each component is entered once. */
export function optionalProperties(document: OpenApiDocument, root: Named): Set<PropertyKey> {
  const found = new Set<PropertyKey>();
  const entered = new Set<Schema>();
  const enter = (named: Named): void => {
    const { schema, name } = opened(document, named);
    if (entered.has(schema)) return;
    entered.add(schema);
    for (const [key, property] of Object.entries(schema.properties ?? {})) {
      if (!schema.required?.includes(key)) found.add(`${name}.${key}`);
      enter({ schema: property, name: `${name}.${key}` });
    }
    if (schema.items) enter({ schema: schema.items, name: `${name}[]` });
    if (isRecord(schema.additionalProperties)) enter({ schema: schema.additionalProperties, name: `${name}.*` });
    for (const part of [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])])
      enter({ schema: part, name });
  };
  enter(root);
  return found;
}
