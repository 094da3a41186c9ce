import {
  resolved,
  type OpenApiDocument,
  type OperationObject,
  type Parameter,
  type Schema,
} from '../contract/json-schema.js';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

function operationsOf(document: OpenApiDocument): OperationObject[] {
  return Object.values(document.paths).flatMap((item) => METHODS.flatMap((method) => item[method] ?? []));
}

const branchesOf = ({ oneOf = [], anyOf = [] }: Schema): readonly Schema[] => [...oneOf, ...anyOf];

/** True for a union of everything that a link may lead to; its fields are those of `ContentReference`. */
const isReference = (schema: Schema): boolean => {
  const branches = branchesOf(schema).filter(({ type }) => type !== 'null');
  return branches.length > 4 && branches.every(({ properties }) => properties?.['kind'] !== undefined);
};

/**
 * The fields of all bodies of requests, below the schema of the document that has them, or below the operation:
 * `UpdateSite.title`, `createX.range.from`. Members of lists have no name of their own, those of maps are called `*`.
 */
export function fieldsOf(document: OpenApiDocument): Set<string> {
  const fields = new Set<string>();
  const known = new Set<string>();
  /** Adds the fields below a name; false where it is a field itself. */
  const add = (schema: Schema, name: string): boolean => {
    if (schema.$ref !== undefined) {
      const component = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
      if (!known.has(component)) {
        known.add(component);
        add(resolved<Schema>(document, { $ref: schema.$ref }), component);
      }
      return false;
    }
    const addField = (field: Schema, at: string): void => {
      if (isReference(field))
        for (const { properties = {} } of branchesOf(field))
          for (const each of Object.keys(properties)) fields.add(`ContentReference.${each}`);
      if (isReference(field) || !add(field, at)) fields.add(at);
    };
    const { properties = {}, additionalProperties, items, allOf = [] } = schema;
    for (const [key, field] of Object.entries(properties)) addField(field, `${name}.${key}`);
    if (typeof additionalProperties === 'object') addField(additionalProperties, `${name}.*`);
    const inner = [...allOf, ...branchesOf(schema), ...(items ? [items] : [])].map((each) => add(each, name));
    return inner.includes(true) || Object.keys(properties).length > 0 || typeof additionalProperties === 'object';
  };
  for (const { operationId = '', requestBody } of operationsOf(document)) {
    const { content = {} } = requestBody
      ? resolved<{ content?: Record<string, { schema?: Schema }> }>(document, requestBody)
      : {};
    const [media] = Object.values(content);
    if (media?.schema) add(media.schema, operationId);
  }
  return fields;
}

/**
 * The parameters of queries and the headers of all operations: `?name` where it means the same everywhere, else with the
 * first operation of those where it does.
 */
export function parametersOf(document: OpenApiDocument): string[] {
  const meanings = new Map<string, Map<string, string>>();
  for (const { operationId = '', parameters = [] } of operationsOf(document)) {
    for (const each of parameters) {
      const { name, in: place, schema, description } = resolved<Parameter & { description?: string }>(document, each);
      if (place === 'path') continue;
      const called = place === 'query' ? `?${name}` : `${place}:${name}`;
      const meaning = JSON.stringify([description, schema?.enum, schema?.type]);
      const known = meanings.get(called) ?? new Map<string, string>();
      if (!known.has(meaning)) known.set(meaning, operationId);
      meanings.set(called, known);
    }
  }
  return [...meanings].flatMap(([called, known]) =>
    known.size === 1 ? [called] : [...known.values()].map((operation) => `${operation}${called}`),
  );
}
