/** The type of a claim, as customers write it in JSON Schema (draft-07). */
export type ClaimSchema =
  | PrimitiveSchema
  | { readonly type: 'array'; readonly description: string; readonly items: PrimitiveSchema }
  | ClaimsSchema;
type PrimitiveSchema =
  | { readonly type: 'boolean' | 'number'; readonly description: string }
  | { readonly type: 'string'; readonly description: string; readonly enum?: readonly string[] };
interface ClaimsSchema {
  readonly type: 'object';
  readonly description: string;
  readonly properties: ClaimSchemas;
  readonly additionalProperties: false;
}
export type ClaimSchemas = Readonly<Record<string, ClaimSchema>>;

/** The declared claims of a site's visitors; anybody can invent those under `unsigned`. */
export interface AdaptiveSchema {
  readonly $schema?: string;
  readonly type: 'object';
  readonly properties: ClaimSchemas;
  readonly additionalProperties: false;
}

/** One fault: `path` begins with `jsonSchema`. */
interface Fault {
  readonly path: string;
  readonly message: string;
}

const DRAFT = 'http://json-schema.org/draft-07/schema#';
const UNSIGNED = 'Unsigned claims of the site visitor.';
const MAX_DEPTH = 5;
const MAX_PROPERTIES = 100;
const MAX_CHARACTERS = 65_536;
const MAX_NAME = 100;
const MAX_CONDITION = 1024;
/** Names that give access to objects outside of data; expressions cannot read them. */
const FORBIDDEN: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * The faults of a schema from a customer. It is only inspected, never compiled, and everything outside of this small
 * language is refused: references, patterns and formats included.
 */
export function faultsOfSchema(schema: unknown): Fault[] {
  if ((JSON.stringify(schema) ?? '').length > MAX_CHARACTERS)
    return [{ path: 'jsonSchema', message: `must have at most ${MAX_CHARACTERS} characters` }];
  const check = new SchemaCheck();
  check.root(schema);
  return check.faults;
}

class SchemaCheck {
  readonly faults: Fault[] = [];
  private properties = 0;

  root(schema: unknown): void {
    const found = this.object(
      schema,
      'jsonSchema',
      ['$schema', 'type', 'properties', 'additionalProperties'],
      ['type', 'properties', 'additionalProperties'],
    );
    if (!found) return;
    if (Object.hasOwn(found, '$schema') && found['$schema'] !== DRAFT)
      this.fault('jsonSchema.$schema', `must be ${DRAFT}`);
    if (found['type'] !== undefined && found['type'] !== 'object') this.fault('jsonSchema.type', 'must be object');
    this.closed(found, 'jsonSchema');
    this.claims(found['properties'], 'jsonSchema.properties', 1);
  }

  /** The claims of an object at nesting depth `depth`. */
  private claims(given: unknown, path: string, depth: number): void {
    if (given === undefined) return;
    if (!isRecord(given)) return this.fault(path, 'must be an object');
    for (const [name, schema] of Object.entries(given)) {
      const here = `${path}.${name}`;
      if (++this.properties > MAX_PROPERTIES) return this.fault(here, `there can be at most ${MAX_PROPERTIES} claims`);
      if (name === '' || name.length > MAX_NAME)
        this.fault(here, `the name of a claim has 1 to ${MAX_NAME} characters`);
      else if (FORBIDDEN.has(name)) this.fault(here, 'is not a valid name of a claim');
      else this.claim(schema, here, depth, depth === 1 && name === 'unsigned');
    }
  }

  private claim(given: unknown, path: string, depth: number, isUnsigned: boolean): void {
    const type = isRecord(given) ? given['type'] : undefined;
    if (isUnsigned && type !== 'object') return this.fault(`${path}.type`, 'must be object');
    if (type === 'object') return this.nested(given, path, depth, isUnsigned);
    if (type !== 'array') return this.primitive(given, path, 'must be boolean, string, number, array or object');
    const found = this.object(given, path, ['type', 'description', 'items'], ['description', 'items']);
    if (!found) return;
    this.description(found, path);
    if (found['items'] !== undefined)
      this.primitive(found['items'], `${path}.items`, 'must be boolean, string or number');
  }

  private nested(given: unknown, path: string, depth: number, isUnsigned: boolean): void {
    const found = this.object(
      given,
      path,
      ['type', 'description', 'properties', 'additionalProperties'],
      ['description', 'properties', 'additionalProperties'],
    );
    if (!found) return;
    if (isUnsigned && found['description'] !== undefined && found['description'] !== UNSIGNED)
      this.fault(`${path}.description`, `must be: ${UNSIGNED}`);
    else this.description(found, path);
    this.closed(found, path);
    if (depth >= MAX_DEPTH) return this.fault(path, `objects can be nested at most ${MAX_DEPTH} deep`);
    this.claims(found['properties'], `${path}.properties`, depth + 1);
  }

  private primitive(given: unknown, path: string, expected: string): void {
    const type = isRecord(given) ? given['type'] : undefined;
    if (isRecord(given) && type !== 'boolean' && type !== 'string' && type !== 'number')
      return this.fault(`${path}.type`, expected);
    const found = this.object(
      given,
      path,
      type === 'string' ? ['type', 'description', 'enum'] : ['type', 'description'],
      ['description'],
    );
    if (!found) return;
    this.description(found, path);
    if (!Object.hasOwn(found, 'enum')) return;
    const values: unknown = found['enum'];
    if (!Array.isArray(values) || values.length === 0)
      return this.fault(`${path}.enum`, 'must be a list of at least one string');
    values.forEach((value, index) => {
      if (typeof value !== 'string') this.fault(`${path}.enum.${index}`, 'must be a string');
    });
  }

  /** Checks that an object has only the known names, and all of the required ones. */
  private object(
    given: unknown,
    path: string,
    known: readonly string[],
    needed: readonly string[],
  ): Readonly<Record<string, unknown>> | undefined {
    if (!isRecord(given)) {
      this.fault(path, 'must be an object');
      return undefined;
    }
    for (const name of Object.keys(given))
      if (!known.includes(name)) this.fault(`${path}.${name}`, 'is not possible here');
    for (const name of needed) if (!Object.hasOwn(given, name)) this.fault(`${path}.${name}`, 'is required');
    return given;
  }

  private description({ description }: Readonly<Record<string, unknown>>, path: string): void {
    if (description !== undefined && typeof description !== 'string')
      this.fault(`${path}.description`, 'must be a string');
  }

  private closed({ additionalProperties }: Readonly<Record<string, unknown>>, path: string): void {
    if (additionalProperties !== undefined && additionalProperties !== false)
      this.fault(`${path}.additionalProperties`, 'must be false');
  }

  private fault(path: string, message: string): void {
    this.faults.push({ path, message });
  }
}

/** A suggested condition, derived from a schema. */
export interface TemplateCondition {
  readonly description: string;
  readonly condition: string;
}

/**
 * Conditions for decidable claims: whether a boolean is true, and whether a text is one of its enumerated values;
 * including those of nested objects, and unsigned ones.
 */
export function templateConditions(
  { properties }: Pick<AdaptiveSchema, 'properties'>,
  above = 'visitor.claims',
): TemplateCondition[] {
  return Object.entries(properties)
    .flatMap(([name, schema]): TemplateCondition[] => {
      const claim = /^[A-Za-z_$][\w$]*$/.test(name) ? `${above}.${name}` : `${above}[${JSON.stringify(name)}]`;
      if (schema.type === 'object') return templateConditions(schema, claim);
      if (schema.type === 'boolean') {
        return [
          { description: `${schema.description}: yes`, condition: `${claim} == true` },
          { description: `${schema.description}: no`, condition: `!${claim}` },
        ];
      }
      if (schema.type !== 'string' || !schema.enum) return [];
      return schema.enum.map((value) => ({
        description: `${schema.description}: ${value}`,
        condition: `${claim} == ${JSON.stringify(value)}`,
      }));
    })
    .filter(({ condition }) => condition.length <= MAX_CONDITION);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
