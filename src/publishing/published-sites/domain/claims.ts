import type { Data, DataObject } from '../../../kernel/common/expressions/tree.js';
import type { AdaptiveSchema, ClaimSchema, ClaimSchemas } from './adaptive-schema.js';

const MAX_TEXT = 1024;
const MAX_ITEMS = 100;

/** Claims as received: those of a signed token, or unsigned ones that anybody can invent. */
export type GivenClaims = Readonly<Record<string, unknown>> | undefined;

/**
 * The scope of expressions for a visitor: the declared claims with values of the declared type; all others are dropped.
 * Declared objects are always present, and so is `unsigned`, which no signed claim can be. Objects here have no
 * prototype, so a claim never replaces or hides anything but itself.
 */
export function visitorOf(schema: AdaptiveSchema | undefined, signed: GivenClaims, unsigned: GivenClaims): DataObject {
  const { unsigned: declared, ...claims } = schema?.properties ?? {};
  return bare({
    claims: bare({
      ...taken(claims, signed),
      unsigned: taken(declared?.type === 'object' ? declared.properties : {}, unsigned),
    }),
  });
}

function taken(declared: ClaimSchemas, given: unknown): DataObject {
  const claims = isRecord(given) ? given : {};
  return bare(
    Object.fromEntries(
      Object.entries(declared).flatMap(([name, schema]) => {
        const value = accepted(schema, Object.hasOwn(claims, name) ? claims[name] : undefined);
        return value === undefined ? [] : [[name, value]];
      }),
    ),
  );
}

/** The value of a claim according to its schema; undefined if it has another type. */
function accepted(schema: ClaimSchema, value: unknown): Data {
  switch (schema.type) {
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined;
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
    case 'string':
      return typeof value === 'string' && value.length <= MAX_TEXT && (!schema.enum || schema.enum.includes(value))
        ? value
        : undefined;
    case 'array': {
      if (!Array.isArray(value) || value.length > MAX_ITEMS) return undefined;
      return value.map((item: unknown) => accepted(schema.items, item)).filter((item) => item !== undefined);
    }
    case 'object':
      return taken(schema.properties, value);
  }
}

function bare(fields: DataObject): DataObject {
  return Object.assign(Object.create(null), fields) as DataObject;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
