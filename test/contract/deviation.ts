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
  /** The version of the public API that has it too: only earlier ones are changed. */
  readonly since?: '0.167.0' | '0.181.0' | '0.202.0';
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

/** Adds a copy, because an inline schema is named by the one place where it stands. */
export function addProperty(schema: Schema, name: string, property: Schema): void {
  schema.properties = { ...schema.properties, [name]: structuredClone(property) };
}

export function makeOptional(schema: Schema, name: string): void {
  schema.required = schema.required?.filter((required) => required !== name) ?? [];
}

/** Adds a property to all pages with a document. */
export function addToPages(document: OpenApiDocument, name: string, property: Schema): void {
  const page = schemaOf(document, 'RevisionPageDocument');
  const part = page.allOf?.find((member) => member.properties && 'layout' in member.properties);
  if (!part) throw new Error('RevisionPageDocument has no part with a layout');
  addProperty(part, name, property);
}
