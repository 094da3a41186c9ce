import type { OpenApiDocument, Schema } from './json-schema.js';

/**
 * Where this service answers otherwise than the public API's schemas say, each with its reason. Nothing else may differ:
 * a response that does not validate after these changes fails the test that received it.
 */
export interface Deviation {
  /** The operations, schemas or fields concerned. */
  readonly where: string;
  readonly what: string;
  /** The sentence of the interface or of the behaviour decisions that asks for it. */
  readonly reason: string;
  /** Changes the public document; absent where the difference is one of status codes, which the operations table holds. */
  readonly apply?: (document: OpenApiDocument) => void;
}

/** A component schema by its name. */
export function schemaOf(document: OpenApiDocument, name: string): Schema {
  const schema = document.components.schemas[name];
  if (!schema) throw new Error(`The public document has no schema ${name}`);
  return schema;
}

/** The properties beside the given one: of the schema itself, or of the member of its `allOf` that declares it. */
export function propertiesWith(schema: Schema, property: string): Record<string, Schema> {
  const properties = [schema, ...(schema.allOf ?? [])]
    .map((part) => part.properties)
    .find((map) => map && property in map);
  if (!properties) throw new Error(`No part of the schema declares ${property}`);
  return properties;
}

export function addProperty(schema: Schema, name: string, property: Schema): void {
  schema.properties = { ...schema.properties, [name]: property };
}

export function makeOptional(schema: Schema, name: string): void {
  schema.required = schema.required?.filter((required) => required !== name) ?? [];
}
