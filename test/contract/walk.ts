import { isRecord, pointed, tagsOf, type OpenApiDocument, type Schema } from './json-schema.js';

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

/** Whether a value may be of this schema, judged by properties with fixed values and by its basic type. */
function fits(document: OpenApiDocument, schema: Schema, value: unknown): boolean {
  const { schema: target } = opened(document, { schema, name: '' });
  if (isRecord(value)) {
    if (target.type === 'string' || target.type === 'array' || target.type === 'number' || target.type === 'boolean') return false;
    for (const [name, values] of tagsOf(document, target, 0, false)) {
      if (name in value && !values.has(value[name])) return false;
    }
    return (target.required ?? []).every((name) => name in value);
  }
  if (Array.isArray(value)) return target.type === undefined || target.type === 'array';
  return target.type !== 'object' && target.type !== 'array';
}

/** The parts that together describe a value: the schema, the members of `allOf`, and the members of unions that fit. */
function partsFor(document: OpenApiDocument, named: Named, value: unknown, depth = 0): Named[] {
  if (depth > 16) return [];
  const whole = opened(document, named);
  const { schema, name } = whole;
  const all = (schema.allOf ?? []).flatMap((part) => partsFor(document, { schema: part, name }, value, depth + 1));
  const branches = (schema.oneOf ?? schema.anyOf ?? []).filter((branch) => fits(document, branch, value));
  const chosen = branches.flatMap((branch) => partsFor(document, { schema: branch, name }, value, depth + 1));
  return [whole, ...all, ...chosen];
}

/** Notes which optional properties a body shows and which of its properties no schema declares. */
export function observe(document: OpenApiDocument, root: Named, body: unknown, observed: Observed): void {
  const parts = partsFor(document, root, body);
  if (Array.isArray(body)) observeItems(document, parts, body, observed);
  else if (isRecord(body)) observeProperties(document, parts, body, observed);
}

function observeItems(document: OpenApiDocument, parts: Named[], body: unknown[], observed: Observed): void {
  const holder = parts.find((part) => part.schema.items);
  if (!holder?.schema.items) return;
  const items = { schema: holder.schema.items, name: `${holder.name}[]` };
  for (const item of body) observe(document, items, item, observed);
}

function observeProperties(
  document: OpenApiDocument,
  parts: Named[],
  body: Record<string, unknown>,
  observed: Observed,
): void {
  const [whole] = parts;
  const open = parts.some(({ schema }) => schema.additionalProperties === true) || parts.every(({ schema }) => !schema.properties);
  for (const [key, value] of Object.entries(body)) {
    const declaring = parts.filter(({ schema }) => schema.properties && key in schema.properties);
    for (const { schema, name } of declaring) {
      const property = schema.properties?.[key];
      if (!property) continue;
      if (!schema.required?.includes(key)) observed.seen.add(`${name}.${key}`);
      observe(document, { schema: property, name: `${name}.${key}` }, value, observed);
    }
    if (declaring.length > 0) continue;
    const map = parts.find(({ schema }) => isRecord(schema.additionalProperties));
    if (map && isRecord(map.schema.additionalProperties)) {
      observe(document, { schema: map.schema.additionalProperties, name: `${map.name}.*` }, value, observed);
    } else if (!open) {
      observed.undeclared.add(`${whole?.name ?? ''}.${key}`);
    }
  }
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
    for (const part of [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]) enter({ schema: part, name });
  };
  enter(root);
  return found;
}
