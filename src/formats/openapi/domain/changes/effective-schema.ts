import { canonicalJson } from '../../../document/hash.js';
import { isJson, valueAt, type JsonObject } from '../json.js';
import { localPath } from '../references.js';
import { pointerOf } from '../specification-problem.js';

const MAX_HOPS = 64;
/** Parts by `allOf` of one schema that are merged; further ones are not compared. */
const MAX_PARTS = 64;

/** A value of a specification, and its JSON pointer. */
export interface Located {
  readonly value: unknown;
  readonly pointer: string;
}

export interface LocatedObject {
  readonly value: JsonObject;
  readonly pointer: string;
}

/** A schema with all that it takes over by `$ref` and `allOf`. */
export interface EffectiveSchema {
  /** The schema itself, after references. */
  readonly self: LocatedObject;
  /** Undefined if every type is allowed. */
  readonly types: ReadonlySet<string> | undefined;
  /** The allowed values by their JSON. */
  readonly values: ReadonlyMap<string, unknown> | undefined;
  readonly properties: ReadonlyMap<string, Located>;
  readonly required: ReadonlySet<string>;
  readonly items: Located | undefined;
  readonly additional: Located;
  readonly alternatives: readonly Located[];
  readonly limits: ReadonlyMap<string, number>;
  /** Other keywords that restrict values, by their JSON. */
  readonly rules: ReadonlyMap<string, string>;
  /** The parts beyond those that are merged, as JSON; undefined if all are. */
  readonly rest: string | undefined;
}

export const LOWER_LIMITS = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'] as const;
export const UPPER_LIMITS = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'] as const;
const RULES = [
  'format',
  'pattern',
  'multipleOf',
  'uniqueItems',
  'not',
  'if',
  'then',
  'else',
  'patternProperties',
  'propertyNames',
  'contains',
  'dependentRequired',
  'dependentSchemas',
  'prefixItems',
] as const;

/** Keywords beside a reference that restrict nothing: the schema stays the one that it refers to. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  '$ref',
  '$comment',
  'title',
  'summary',
  'description',
  'default',
  'example',
  'examples',
  'deprecated',
  'externalDocs',
]);

/** One version of a specification. */
export class ComparedDocument {
  private readonly views = new Map<JsonObject, EffectiveSchema>();

  /** Tells whether keywords beside `$ref` count, as they do from OpenAPI 3.1 on. */
  private readonly hasSiblings: boolean;

  constructor(readonly root: JsonObject) {
    this.hasSiblings = /^3\.[1-9]/.test(String(root['openapi']));
  }

  /** The object that a value is, or refers to; undefined if there is none. */
  follow({ value, pointer }: Located): LocatedObject | undefined {
    let at: Located = { value, pointer };
    for (let hops = 0; hops < MAX_HOPS && isJson(at.value); hops++) {
      const target = at.value['$ref'];
      if (typeof target !== 'string') return { value: at.value, pointer: at.pointer };
      const path = localPath(target);
      if (path === undefined) return undefined;
      at = { value: valueAt(this.root, path), pointer: pointerOf(path) };
    }
    return undefined;
  }

  /** A schema with all of its parts; undefined if it is none. */
  view(schema: Located): EffectiveSchema | undefined {
    const self = this.schemaAt(schema);
    if (!self) return undefined;
    const known = this.views.get(self.value);
    if (known) return known;
    const view = this.viewOf(self);
    this.views.set(self.value, view);
    return view;
  }

  /** The schema itself if it says more than its reference does, else the one that it refers to. */
  private schemaAt(schema: Located): LocatedObject | undefined {
    const { value, pointer } = schema;
    const isOwn =
      this.hasSiblings &&
      isJson(value) &&
      typeof value['$ref'] === 'string' &&
      Object.keys(value).some((name) => !ANNOTATIONS.has(name) && !name.startsWith('x-'));
    return isOwn ? (this.follow(schema) ? { value, pointer } : undefined) : this.follow(schema);
  }

  /** The schema, merged with those that it joins by `allOf`, each once. */
  private viewOf(self: LocatedObject): EffectiveSchema {
    const parts: LocatedObject[] = [];
    const seen = new Set<JsonObject>();
    const waiting: Located[] = [self];
    const rest: Located[] = [];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const part = this.schemaAt(next);
      if (!part || seen.has(part.value)) continue;
      if (parts.length >= MAX_PARTS) {
        rest.push(part);
        continue;
      }
      seen.add(part.value);
      parts.push(part);
      const inside = joined(part);
      // A list may have more items than a call has arguments.
      waiting.push(...inside.slice(0, MAX_PARTS).toReversed());
      for (const each of inside.slice(MAX_PARTS)) rest.push(this.follow(each) ?? each);
    }
    return viewOf(self, parts, rest.length === 0 ? undefined : canonicalJson(rest.map(({ value }) => value)));
  }
}

/** The members of an object at a name, with their pointers. */
export function entriesAt(owner: LocatedObject | undefined, name: string): Map<string, Located> {
  const members = owner?.value[name];
  if (!owner || !isJson(members)) return new Map();
  return new Map(
    Object.entries(members).map(([key, value]) => [key, { value, pointer: owner.pointer + pointerOf([name, key]) }]),
  );
}

/** The items of a list at a name, with their pointers. */
export function itemsAt(owner: LocatedObject | undefined, name: string): Located[] {
  const items = owner?.value[name];
  if (!owner || !Array.isArray(items)) return [];
  return (items as unknown[]).map((value, index) => ({ value, pointer: owner.pointer + pointerOf([name, index]) }));
}

/** The value at a name; undefined if there is none. */
export function memberAt(owner: LocatedObject | undefined, name: string): Located | undefined {
  const value = owner?.value[name];
  return !owner || value === undefined ? undefined : { value, pointer: owner.pointer + pointerOf([name]) };
}

const isNull = ({ value }: Located): boolean =>
  isJson(value) && value['type'] === 'null' && Object.keys(value).length === 1;

/** The alternatives of a schema besides null, if there are several. */
function alternativesOf(part: LocatedObject): Located[] {
  const some = (['oneOf', 'anyOf'] as const).flatMap((name) => itemsAt(part, name)).filter((each) => !isNull(each));
  return some.length > 1 ? some : [];
}

/** The schemas that hold for all values: that of a reference, those of `allOf`, and an alternative that is the only one. */
function joined(part: LocatedObject): Located[] {
  const only = (['oneOf', 'anyOf'] as const).flatMap((name) => itemsAt(part, name)).filter((each) => !isNull(each));
  const target = part.value['$ref'];
  const referred = typeof target === 'string' ? [{ value: { $ref: target }, pointer: part.pointer }] : [];
  return [...referred, ...itemsAt(part, 'allOf'), ...(only.length === 1 ? only : [])];
}

function viewOf(self: LocatedObject, parts: readonly LocatedObject[], rest: string | undefined): EffectiveSchema {
  const properties = new Map<string, Located>();
  const required = new Set<string>();
  const limits = new Map<string, number>();
  const rules = new Map<string, string>();
  for (const part of parts) {
    for (const [name, property] of entriesAt(part, 'properties'))
      if (!properties.has(name)) properties.set(name, property);
    for (const { value } of itemsAt(part, 'required')) if (typeof value === 'string') required.add(value);
    for (const name of LOWER_LIMITS) tighten(limits, name, part.value[name], Math.max);
    for (const name of UPPER_LIMITS) tighten(limits, name, part.value[name], Math.min);
    for (const name of RULES) {
      const rule = part.value[name];
      if (rule !== undefined && !rules.has(name)) rules.set(name, canonicalJson(rule));
    }
  }
  return {
    self,
    types: typesOf(parts),
    values: valuesOf(parts),
    properties,
    required,
    items: first(parts, 'items'),
    additional: first(parts, 'additionalProperties') ?? { value: true, pointer: self.pointer },
    alternatives: parts.flatMap(alternativesOf),
    limits,
    rules,
    rest,
  };
}

function first(parts: readonly LocatedObject[], name: string): Located | undefined {
  for (const part of parts) {
    const found = memberAt(part, name);
    if (found) return found;
  }
  return undefined;
}

function tighten(
  limits: Map<string, number>,
  name: string,
  value: unknown,
  tighter: (one: number, other: number) => number,
): void {
  if (typeof value !== 'number') return;
  const known = limits.get(name);
  limits.set(name, known === undefined ? value : tighter(known, value));
}

/** The types of a schema, also where its other keywords tell them. */
function typesOf(parts: readonly LocatedObject[]): ReadonlySet<string> | undefined {
  const given = parts.map(({ value }) => value['type']).find((type) => type !== undefined);
  const types = new Set([given].flat().filter((type) => typeof type === 'string'));
  if (types.size === 0 && parts.some(({ value }) => isJson(value['properties']))) types.add('object');
  if (types.size === 0 && parts.some(({ value }) => value['items'] !== undefined)) types.add('array');
  if (types.size === 0) return undefined;
  const allowsNull = (part: LocatedObject): boolean =>
    part.value['nullable'] === true || ['oneOf', 'anyOf'].some((name) => itemsAt(part, name).some(isNull));
  if (parts.some(allowsNull)) types.add('null');
  return types;
}

function valuesOf(parts: readonly LocatedObject[]): ReadonlyMap<string, unknown> | undefined {
  for (const { value } of parts) {
    const values = value['const'] !== undefined ? [value['const']] : value['enum'];
    if (Array.isArray(values)) return new Map((values as unknown[]).map((each) => [canonicalJson(each), each]));
  }
  return undefined;
}
