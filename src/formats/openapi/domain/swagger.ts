/*
 * This conversion is kept instead of the package swagger2openapi (7.0.8). Both give valid descriptions for the cases of
 * test/openapi-reading.spec.ts. The package takes 3 to 8 times as long for 3,000 paths (4 MB), fails for schemas that are
 * nested 800 deep, which are converted here, replaces the body of an operation by the one of its path, and brings 40
 * further packages, among them two clients of HTTP and a reader of files that references may name.
 */

import { isJson, objectOf, valueAt, type JsonObject } from './json.js';
import { localPath, visitReferences } from './references.js';

const METHODS: ReadonlySet<string> = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch']);
/** The sections of a Swagger description, with their paths in OpenAPI 3. */
const MOVED = {
  definitions: 'schemas',
  parameters: 'parameters',
  responses: 'responses',
  securityDefinitions: 'securitySchemes',
} as const;
type Section = keyof typeof MOVED;
/** Names that OpenAPI 3 allows for components; those of Swagger may have any characters, such as `Map«string,Pet»`. */
const COMPONENT_NAME = /^[\w.-]+$/;
/** Properties that Swagger has on a parameter or header itself, and OpenAPI 3 on its schema. */
const OF_SCHEMA: readonly string[] = [
  'type',
  'format',
  'items',
  'default',
  'enum',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'uniqueItems',
  'multipleOf',
];
const FLOWS: Readonly<Record<string, string>> = { application: 'clientCredentials', accessCode: 'authorizationCode' };
const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data';
const JSON_TYPE = 'application/json';

/** The parts of the whole description that are needed while a part of it is converted. */
interface Swagger {
  readonly root: JsonObject;
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
  readonly parameters: JsonObject;
  /** The names of the components of each section in OpenAPI 3. */
  readonly names: Readonly<Record<Section, ReadonlyMap<string, string>>>;
}

/** Converts a description in Swagger 2.0 to an equivalent one in OpenAPI 3.0.3; it must be valid, and is changed. */
export function convertSwagger(root: JsonObject): JsonObject {
  const swagger: Swagger = {
    root,
    consumes: textsOf(root['consumes']),
    produces: textsOf(root['produces']),
    parameters: objectAt(root, 'parameters'),
    names: {
      definitions: componentNames(objectAt(root, 'definitions')),
      parameters: componentNames(objectAt(root, 'parameters')),
      responses: componentNames(objectAt(root, 'responses')),
      securityDefinitions: componentNames(objectAt(root, 'securityDefinitions')),
    },
  };
  const { names } = swagger;
  // Their targets are kept apart: a body does not become a parameter.
  const parameters = Object.entries(swagger.parameters).filter(
    ([, each]) => isJson(each) && each['in'] !== 'body' && each['in'] !== 'formData',
  );
  const components = {
    ...part('schemas', renamed(mapped(objectAt(root, 'definitions'), schemaOf), names.definitions)),
    ...part(
      'responses',
      renamed(
        mapped(objectAt(root, 'responses'), (response) => responseOf(response, swagger.produces)),
        names.responses,
      ),
    ),
    ...part(
      'parameters',
      renamed(objectOf(parameters.map(([name, each]) => [name, parameterOf(each as JsonObject)])), names.parameters),
    ),
    ...part(
      'securitySchemes',
      renamed(mapped(objectAt(root, 'securityDefinitions'), securityOf), names.securityDefinitions),
    ),
  };
  const servers = serversOf(root, root['schemes']);
  const {
    swagger: _,
    host: _host,
    basePath: _base,
    schemes: _schemes,
    consumes: _consumes,
    produces: _produces,
    definitions: _definitions,
    parameters: _parameters,
    responses: _responses,
    securityDefinitions: _security,
    ...rest
  } = root;
  const converted: JsonObject = {
    openapi: '3.0.3',
    ...rest,
    ...requirementsOf(root['security'], names),
    ...(servers.length > 0 && { servers }),
    paths: mapped(objectAt(root, 'paths'), (item) => itemOf(item, swagger), beginsWithX),
    ...(Object.keys(components).length > 0 && { components }),
  };
  visitReferences(converted, (node, target) => void (node['$ref'] = movedTarget(target, names)));
  return converted;
}

/** Maps names of components to names that OpenAPI 3 allows: unchanged if possible. */
function componentNames(components: JsonObject): ReadonlyMap<string, string> {
  const names = Object.keys(components);
  const taken = new Set(names.filter((name) => COMPONENT_NAME.test(name)));
  const counts = new Map<string, number>();
  return new Map(
    names.map((name) => {
      if (taken.has(name)) return [name, name];
      const base = name.replace(/[^\w.-]/g, '_') || '_';
      let count = counts.get(base) ?? 1;
      let free = count === 1 ? base : `${base}_${count}`;
      while (taken.has(free)) free = `${base}_${++count}`;
      counts.set(base, count + 1);
      taken.add(free);
      return [name, free];
    }),
  );
}

function renamed(components: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  return objectOf(Object.entries(components).map(([name, component]) => [names.get(name) ?? name, component]));
}

/** The field `security` with the new names of the schemes. */
function requirementsOf(security: unknown, { securityDefinitions }: Swagger['names']): JsonObject {
  return Array.isArray(security)
    ? { security: security.map((each: unknown) => (isJson(each) ? renamed(each, securityDefinitions) : each)) }
    : {};
}

function movedTarget(target: string, names: Swagger['names']): string {
  const [, section = '', below = ''] = /^#\/(\w+)\/[^/]+(.*)$/s.exec(target) ?? [];
  if (!isSection(section)) return target;
  const name = localPath(target)?.[1] ?? '';
  return `#/components/${MOVED[section]}/${names[section].get(name) ?? name}${below}`;
}

const isSection = (name: string): name is Section => Object.hasOwn(MOVED, name);

function itemOf(given: JsonObject, swagger: Swagger): JsonObject {
  // Path items of other documents are merged into this one: in their own document they would not be converted.
  const path = typeof given['$ref'] === 'string' ? localPath(given['$ref']) : undefined;
  const found = path && valueAt(swagger.root, path);
  const item = isJson(found) ? found : given;
  const shared = listOf(item['parameters']);
  const own = shared.filter((each) => !isOfBody(resolved(each, swagger)));
  const ofBody = shared.filter((each) => isOfBody(resolved(each, swagger)));
  const entries = Object.entries(item).flatMap(([name, value]): [string, unknown][] => {
    if (name === 'parameters') return own.length > 0 ? [[name, own.map(parameterOf)]] : [];
    return [[name, METHODS.has(name) && isJson(value) ? operationOf(value, ofBody, swagger) : value]];
  });
  return objectOf(entries);
}

function operationOf(operation: JsonObject, ofBody: readonly JsonObject[], swagger: Swagger): JsonObject {
  const { consumes, produces, schemes, parameters, responses, ...rest } = operation;
  const all = listOf(parameters);
  const own = all.filter((each) => !isOfBody(resolved(each, swagger)));
  const written = all.filter((each) => isOfBody(resolved(each, swagger)));
  const given = Array.isArray(consumes) ? textsOf(consumes) : swagger.consumes;
  const requestBody = bodyOf(
    (written.length > 0 ? written : ofBody).map((each) => resolved(each, swagger)),
    given,
  );
  const servers = schemes === undefined ? [] : serversOf(swagger.root, schemes);
  const produced = Array.isArray(produces) ? textsOf(produces) : swagger.produces;
  return {
    ...rest,
    ...(own.length > 0 && { parameters: own.map(parameterOf) }),
    ...(requestBody && { requestBody }),
    responses: mapped(isJson(responses) ? responses : {}, (response) => responseOf(response, produced), beginsWithX),
    ...requirementsOf(rest['security'], swagger.names),
    ...(servers.length > 0 && { servers }),
  };
}

function bodyOf(parameters: readonly JsonObject[], consumes: readonly string[]): JsonObject | undefined {
  const body = parameters.find((each) => each['in'] === 'body');
  if (body) {
    const schema = isJson(body['schema']) ? schemaOf(body['schema']) : {};
    const types = consumes.length > 0 ? consumes : [JSON_TYPE];
    return {
      ...described(body),
      content: objectOf(types.map((type) => [type, { schema }])),
      ...(body['required'] === true && { required: true }),
      ...extensionsOf(body),
    };
  }
  const fields = parameters.filter((each) => each['in'] === 'formData' && typeof each['name'] === 'string');
  if (fields.length === 0) return undefined;
  const hasFile = fields.some((each) => each['type'] === 'file');
  const possible = consumes.filter((type) => type === MULTIPART || (type === FORM && !hasFile));
  const types = possible.length > 0 ? possible : [hasFile ? MULTIPART : FORM];
  const required = fields.filter((each) => each['required'] === true).map((each) => String(each['name']));
  const properties = objectOf(
    fields.map((each) => [String(each['name']), { ...parameterSchema(each), ...described(each) }]),
  );
  const schema = { type: 'object', properties, ...(required.length > 0 && { required: [...new Set(required)] }) };
  return { content: objectOf(types.map((type) => [type, { schema }])), ...(required.length > 0 && { required: true }) };
}

function parameterOf(parameter: JsonObject): JsonObject {
  if (typeof parameter['$ref'] === 'string') return parameter;
  const { collectionFormat, allowEmptyValue, ...rest } = parameter;
  const kept = Object.entries(rest).filter(([name]) => !OF_SCHEMA.includes(name));
  const place = parameter['in'];
  return {
    ...objectOf(kept),
    ...(place === 'path' && { required: true }),
    ...(place === 'query' && allowEmptyValue === true && { allowEmptyValue }),
    ...styleOf(collectionFormat ?? (parameter['type'] === 'array' ? 'csv' : undefined), place),
    schema: parameterSchema(parameter),
  };
}

/** The serialization style of the values of a list. */
function styleOf(format: unknown, place: unknown): JsonObject {
  if (place !== 'query') return {};
  if (format === 'multi') return { style: 'form', explode: true };
  if (format === 'ssv') return { style: 'spaceDelimited' };
  if (format === 'pipes') return { style: 'pipeDelimited' };
  return format === 'csv' ? { style: 'form', explode: false } : {};
}

function parameterSchema(parameter: JsonObject): JsonObject {
  const schema = objectOf(
    OF_SCHEMA.flatMap((name): [string, unknown][] => (Object.hasOwn(parameter, name) ? [[name, parameter[name]]] : [])),
  );
  if (schema['type'] === 'file') return { type: 'string', format: 'binary' };
  const { items } = schema;
  if (isJson(items)) schema['items'] = parameterSchema(items);
  else if (schema['type'] === 'array') schema['items'] = {};
  return schema;
}

function responseOf(response: JsonObject, produces: readonly string[]): JsonObject {
  if (typeof response['$ref'] === 'string') return response;
  const { schema, examples, headers, description, ...rest } = response;
  const shown = isJson(examples) ? examples : {};
  const types =
    schema === undefined
      ? Object.keys(shown)
      : [...new Set([...(produces.length > 0 ? produces : [JSON_TYPE]), ...Object.keys(shown)])];
  const content = objectOf(
    types.map((type) => [
      type,
      {
        ...(isJson(schema) && { schema: schemaOf(schema) }),
        ...(Object.hasOwn(shown, type) && { example: shown[type] }),
      },
    ]),
  );
  const header = (each: JsonObject): JsonObject => ({
    ...described(each),
    schema: parameterSchema(each),
    ...extensionsOf(each),
  });
  return {
    description: typeof description === 'string' ? description : '',
    ...(isJson(headers) && { headers: mapped(headers, header) }),
    ...(types.length > 0 && { content }),
    ...rest,
  };
}

/** Converts a schema, and those inside of it. */
function schemaOf(schema: JsonObject): JsonObject {
  if (typeof schema['$ref'] === 'string') return { $ref: schema['$ref'] };
  const entries = Object.entries(schema).flatMap(([name, value]): [string, unknown][] => {
    if (name === 'discriminator')
      return typeof value === 'string' ? [[name, { propertyName: value }]] : [[name, value]];
    if (name === 'x-nullable') return [['nullable', value === true]];
    if (name === 'type' && value === 'file')
      return [
        ['type', 'string'],
        ['format', 'binary'],
      ];
    if (name === 'properties' && isJson(value)) return [[name, mapped(value, schemaOf)]];
    if (name === 'allOf' && Array.isArray(value)) return [[name, listOf(value).map(schemaOf)]];
    if (name === 'items')
      return [
        [name, Array.isArray(value) ? { oneOf: listOf(value).map(schemaOf) } : isJson(value) ? schemaOf(value) : {}],
      ];
    return [[name, name === 'additionalProperties' && isJson(value) ? schemaOf(value) : value]];
  });
  const converted = objectOf(entries);
  if (Array.isArray(converted['type'])) return typesOf(converted, converted['type'] as unknown[]);
  return converted['type'] === 'array' && converted['items'] === undefined ? { ...converted, items: {} } : converted;
}

/** Swagger's schemas accept lists of types; OpenAPI 3.0 has one type, and a separate flag for null. */
function typesOf({ type: _, ...schema }: JsonObject, types: readonly unknown[]): JsonObject {
  const others = types.filter((each) => each !== 'null');
  const nullable = others.length < types.length && { nullable: true };
  const [only] = others;
  if (others.length === 1)
    return {
      ...schema,
      type: only,
      ...nullable,
      ...(only === 'array' && schema['items'] === undefined && { items: {} }),
    };
  return { ...schema, anyOf: others.map((type) => ({ type, ...(type === 'array' && { items: {} }) })), ...nullable };
}

function securityOf(scheme: JsonObject): JsonObject {
  if (scheme['type'] === 'basic')
    return { type: 'http', scheme: 'basic', ...described(scheme), ...extensionsOf(scheme) };
  if (scheme['type'] !== 'oauth2') return scheme;
  const { flow, authorizationUrl, tokenUrl, scopes, ...rest } = scheme;
  const name = FLOWS[String(flow)] ?? String(flow);
  const addresses = {
    ...(authorizationUrl !== undefined && { authorizationUrl }),
    ...(tokenUrl !== undefined && { tokenUrl }),
  };
  return {
    ...rest,
    flows: {
      [name]: {
        ...addresses,
        scopes: isJson(scopes) ? objectOf(Object.entries(scopes).filter(([each]) => !each.startsWith('x-'))) : {},
      },
    },
  };
}

function serversOf(root: JsonObject, schemes: unknown): JsonObject[] {
  const { host, basePath } = root;
  const path = typeof basePath === 'string' ? basePath.replace(/\/$/, '') : '';
  if (typeof host !== 'string') return path === '' ? [] : [{ url: path }];
  const named = textsOf(schemes);
  return (named.length > 0 ? named : ['https']).map((scheme) => ({ url: `${scheme}://${host}${path}` }));
}

function resolved(parameter: JsonObject, { parameters }: Swagger): JsonObject {
  const target = parameter['$ref'];
  if (typeof target !== 'string' || !target.startsWith('#/parameters/')) return parameter;
  const named = objectAt({ found: parameters[localPath(target)?.[1] ?? ''] }, 'found');
  return Object.keys(named).length > 0 ? named : parameter;
}

const isOfBody = (parameter: JsonObject): boolean => parameter['in'] === 'body' || parameter['in'] === 'formData';
const described = ({ description }: JsonObject): JsonObject => (typeof description === 'string' ? { description } : {});
const extensionsOf = (value: JsonObject): JsonObject =>
  objectOf(Object.entries(value).filter(([name]) => name.startsWith('x-')));
const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];
const listOf = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isJson) : []);
const mapped = (
  value: JsonObject,
  convert: (each: JsonObject) => JsonObject,
  isExtension = (_name: string): boolean => false,
): JsonObject =>
  objectOf(
    Object.entries(value).map(([name, each]) => [name, isJson(each) && !isExtension(name) ? convert(each) : each]),
  );
const beginsWithX = (name: string): boolean => name.startsWith('x-');
const part = (name: string, value: JsonObject): JsonObject => (Object.keys(value).length > 0 ? { [name]: value } : {});

function objectAt(value: JsonObject, name: string): JsonObject {
  const found = value[name];
  return isJson(found) ? found : {};
}
