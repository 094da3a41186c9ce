import { isObject } from '../../document/checks.js';
import { OPERATION_METHODS } from '../../openapi/domain/operation-methods.js';
import { followed, listAt, objectAt, textAt, type ApiDescription, type ReadonlyJsonObject } from './description.js';
import { exampleOf, mediaOf } from './examples.js';
import { responseLinks, type ResponseLink } from './response-links.js';
import { givenSamples, type GivenSamples } from './samples/given-samples.js';

/** An operation of an API, in one form for OpenAPI 3 and Swagger 2. */
export interface ApiOperation {
  readonly method: string;
  /** Its path, or the name of a webhook. */
  readonly path: string;
  readonly summary?: string;
  readonly description?: string;
  readonly isDeprecated: boolean;
  readonly servers: readonly string[];
  readonly security: readonly SecurityNeed[];
  readonly parameters: readonly Parameter[];
  readonly body?: Body;
  readonly responses: readonly Response[];
  readonly samples: GivenSamples;
  /** Requests that the API makes in its turn, to addresses that callers give it. */
  readonly callbacks: readonly Callback[];
}

export interface Callback {
  readonly name: string;
  /** Its path is an expression for the address, such as `{$request.body#/url}`. */
  readonly operation: ApiOperation;
}

export interface SecurityNeed {
  readonly name: string;
  /** Such as `HTTP bearer` or `API key in the header X-Key`. */
  readonly how: string;
  readonly scopes: readonly string[];
  /** The request header that carries it. */
  readonly header?: string;
}

export type ParameterPlace = 'path' | 'query' | 'header' | 'cookie';

/**
 * The form in which several values are sent: `a=1&a=2`, separated in one text, `a[b]=1`, or as JSON. In a path also
 * `a=1,b=2`, `.1,2`, `.1.2`, `;a=1,2` and `;a=1;a=2`.
 */
export type ParameterStyle =
  | 'repeated'
  | 'comma'
  | 'space'
  | 'pipe'
  | 'deep'
  | 'json'
  | 'assigned'
  | 'label'
  | 'label-exploded'
  | 'matrix'
  | 'matrix-exploded';

export interface Parameter {
  readonly name: string;
  readonly place: ParameterPlace;
  readonly style: ParameterStyle;
  readonly isRequired: boolean;
  readonly isDeprecated: boolean;
  readonly description?: string;
  readonly schema: unknown;
  readonly example?: unknown;
}

export interface Body {
  readonly description?: string;
  readonly isRequired: boolean;
  readonly media: readonly Media[];
}

export interface Media {
  readonly type: string;
  readonly schema: unknown;
  readonly example?: string;
}

export interface Response {
  readonly status: string;
  readonly description?: string;
  readonly headers: readonly Parameter[];
  readonly media: readonly Media[];
  readonly links: readonly ResponseLink[];
}

const MAX_PARAMETERS = 100;
const MAX_RESPONSES = 30;
const MAX_SERVERS = 10;
const MAX_CALLBACKS = 10;

/** Finds an operation by its path and method, or a webhook by its name; undefined if the specification has none. */
export function operationOf(
  api: ApiDescription,
  kind: 'paths' | 'webhooks',
  path: string,
  method: string,
): ApiOperation | undefined {
  const item = followed(
    api,
    api.at([kind, path]) ?? (kind === 'webhooks' ? api.at(['x-webhooks', path]) : undefined),
  )?.value;
  const name = method.toLowerCase();
  const operation = item && Object.hasOwn(item, name) ? item[name] : undefined;
  if (!item || !isObject(operation)) return undefined;
  const root = rootOf(api);
  return {
    ...requestOf(api, root, { item, operation, path, method: name }),
    ...(kind === 'paths' && {
      servers: serversOf(root, item, operation),
      security: securityOf(api, root, operation),
      callbacks: callbacksOf(api, root, operation),
    }),
  };
}

interface GivenOperation {
  readonly item: ReadonlyJsonObject;
  readonly operation: ReadonlyJsonObject;
  readonly path: string;
  readonly method: string;
}

/** An operation as far as it is alike for callers, webhooks and callbacks. */
function requestOf(
  api: ApiDescription,
  root: ReadonlyJsonObject,
  { item, operation, path, method }: GivenOperation,
): ApiOperation {
  const all = parametersOf(api, [...listAt(operation, 'parameters'), ...listAt(item, 'parameters')]);
  const summary = textAt(operation, 'summary', 250);
  const description = textAt(operation, 'description', 50_000);
  const body = bodyOf(api, operation, all, root);
  return {
    method,
    path,
    ...(summary !== undefined && { summary }),
    ...(description !== undefined && { description }),
    isDeprecated: operation['deprecated'] === true,
    servers: [],
    security: [],
    parameters: all.flatMap(({ parameter }) => parameter ?? []),
    ...(body && { body }),
    responses: responsesOf(api, operation, root),
    samples: givenSamples(operation, item, root),
    callbacks: [],
  };
}

function callbacksOf(api: ApiDescription, root: ReadonlyJsonObject, operation: ReadonlyJsonObject): Callback[] {
  const given = Object.entries(objectAt(operation, 'callbacks')).flatMap(([name, value]) =>
    Object.entries(followed(api, value)?.value ?? {}).flatMap(([path, each]) => {
      const item = path.startsWith('x-') ? undefined : followed(api, each)?.value;
      return OPERATION_METHODS.flatMap((method) => {
        const own = item && Object.hasOwn(item, method) ? item[method] : undefined;
        return item && isObject(own) ? [{ name, item, operation: own, path, method }] : [];
      });
    }),
  );
  return given.slice(0, MAX_CALLBACKS).map(({ name, ...each }) => ({
    name: name.slice(0, 200),
    operation: requestOf(api, root, { ...each, path: each.path.slice(0, 1000) }),
  }));
}

function rootOf(api: ApiDescription): ReadonlyJsonObject {
  const root = api.at([]);
  return isObject(root) ? root : {};
}

interface ReadParameter {
  readonly source: ReadonlyJsonObject;
  readonly parameter?: Parameter;
}

/** Parameters of an operation and of its path; the operation's own take precedence. */
function parametersOf(api: ApiDescription, values: readonly unknown[]): ReadParameter[] {
  const seen = new Set<string>();
  return values.slice(0, MAX_PARAMETERS).flatMap((value): ReadParameter[] => {
    const source = followed(api, value)?.value;
    const name = source && textAt(source, 'name', 200);
    if (!source || name === undefined || seen.has(`${String(source['in'])} ${name}`)) return [];
    seen.add(`${String(source['in'])} ${name}`);
    const place = (['path', 'query', 'header', 'cookie'] as const).find((each) => each === source['in']);
    return [{ source, ...(place && { parameter: parameter(name, place, source) }) }];
  });
}

function parameter(name: string, place: ParameterPlace, source: ReadonlyJsonObject): Parameter {
  const description = textAt(source, 'description');
  const [media] = mediaOf(objectAt(source, 'content'));
  const example =
    source['example'] ?? (source['schema'] === undefined ? undefined : objectAt(source, 'schema')['example']);
  return {
    name,
    place,
    style: styleOf(place, source),
    isRequired: source['required'] === true || place === 'path',
    isDeprecated: source['deprecated'] === true,
    ...(description !== undefined && { description }),
    // Swagger 2 states on the parameter itself what OpenAPI 3 states in its schema.
    schema: source['schema'] ??
      media?.media['schema'] ?? {
        ...source,
        description: undefined,
        example: undefined,
        required: undefined,
        deprecated: undefined,
      },
    ...(example !== undefined && { example }),
  };
}

function styleOf(place: ParameterPlace, source: ReadonlyJsonObject): ParameterStyle {
  if (isObject(source['content'])) return 'json';
  const isSwagger = source['schema'] === undefined;
  switch (isSwagger ? source['collectionFormat'] : source['style']) {
    case 'multi':
      return 'repeated';
    case 'ssv':
    case 'spaceDelimited':
      return 'space';
    case 'pipes':
    case 'pipeDelimited':
      return 'pipe';
    case 'deepObject':
      return 'deep';
    case 'label':
      return source['explode'] === true ? 'label-exploded' : 'label';
    case 'matrix':
      return source['explode'] === true ? 'matrix-exploded' : 'matrix';
    default:
      if (place === 'query' && !isSwagger && source['explode'] !== false) return 'repeated';
      return !isSwagger && source['explode'] === true ? 'assigned' : 'comma';
  }
}

function serversOf(root: ReadonlyJsonObject, item: ReadonlyJsonObject, operation: ReadonlyJsonObject): string[] {
  const listed =
    [operation, item, root].map((each) => listAt(each, 'servers')).find((servers) => servers.length > 0) ?? [];
  const urls = listed
    .slice(0, MAX_SERVERS)
    .flatMap((server) =>
      isObject(server) ? withVariables(textAt(server, 'url', 1000), objectAt(server, 'variables')) : [],
    );
  const host = textAt(root, 'host', 300);
  if (urls.length > 0 || host === undefined) return urls;
  const [scheme] = listAt(root, 'schemes').filter((each) => typeof each === 'string');
  return [`${scheme ?? 'https'}://${host}${textAt(root, 'basePath', 500) ?? ''}`];
}

function withVariables(url: string | undefined, variables: ReadonlyJsonObject): string[] {
  if (url === undefined) return [];
  return [
    url.replace(/\{([^{}]+)\}/g, (all, name: string) => textAt(objectAt(variables, name), 'default', 200) ?? all),
  ];
}

function securityOf(api: ApiDescription, root: ReadonlyJsonObject, operation: ReadonlyJsonObject): SecurityNeed[] {
  const needs = Array.isArray(operation['security']) ? listAt(operation, 'security') : listAt(root, 'security');
  const names = new Map<string, string[]>();
  for (const need of needs)
    if (isObject(need))
      for (const [name, scopes] of Object.entries(need))
        names.set(name, Array.isArray(scopes) ? scopes.filter((scope) => typeof scope === 'string') : []);
  return [...names].slice(0, 10).map(([name, scopes]) => {
    const scheme =
      followed(api, api.at(['components', 'securitySchemes', name]) ?? objectAt(root, 'securityDefinitions')[name])
        ?.value ?? {};
    return { name, scopes, ...howOf(scheme) };
  });
}

function howOf(scheme: ReadonlyJsonObject): { how: string; header?: string } {
  const kind = textAt(scheme, 'scheme', 40);
  const type = scheme['type'];
  if (type === 'http' || type === 'basic') {
    const isBasic = type === 'basic' || kind?.toLowerCase() === 'basic';
    return {
      how: `HTTP ${isBasic ? 'basic' : (kind ?? '')}`.trim(),
      header: isBasic ? 'Authorization: Basic <credentials>' : 'Authorization: Bearer <token>',
    };
  }
  if (type === 'apiKey') {
    const key = textAt(scheme, 'name', 200) ?? '';
    return {
      how: `API key in ${String(scheme['in']).slice(0, 20)} ${key}`,
      ...(scheme['in'] === 'header' && { header: `${key}: <key>` }),
    };
  }
  if (type === 'oauth2') return { how: 'OAuth 2', header: 'Authorization: Bearer <token>' };
  return type === 'openIdConnect'
    ? { how: 'OpenID Connect', header: 'Authorization: Bearer <token>' }
    : { how: typeof type === 'string' ? type.slice(0, 40) : '' };
}

function bodyOf(
  api: ApiDescription,
  operation: ReadonlyJsonObject,
  parameters: readonly ReadParameter[],
  root: ReadonlyJsonObject,
): Body | undefined {
  const body = followed(api, operation['requestBody'])?.value;
  if (body)
    return {
      ...described(body),
      isRequired: body['required'] === true,
      media: mediaTypes(api, objectAt(body, 'content'), 'readOnly'),
    };
  const source = parameters.find((each) => each.source['in'] === 'body')?.source;
  const type =
    listAt(operation, 'consumes')
      .concat(listAt(root, 'consumes'))
      .find((each) => typeof each === 'string') ?? 'application/json';
  if (source)
    return {
      ...described(source),
      isRequired: source['required'] === true,
      media: mediaTypes(api, { [String(type)]: { schema: source['schema'] } }, 'readOnly'),
    };
  const form = parameters.filter((each) => each.source['in'] === 'formData');
  if (form.length === 0) return undefined;
  const schema = {
    type: 'object',
    properties: Object.fromEntries(form.map((each) => [String(each.source['name']), each.source])),
    required: form.filter((each) => each.source['required'] === true).map((each) => each.source['name']),
  };
  return { isRequired: true, media: [{ type: 'multipart/form-data', schema }] };
}

function responsesOf(api: ApiDescription, operation: ReadonlyJsonObject, root: ReadonlyJsonObject): Response[] {
  return Object.entries(objectAt(operation, 'responses'))
    .slice(0, MAX_RESPONSES)
    .flatMap(([status, value]) => {
      const response = followed(api, value)?.value;
      if (!response || !/^([1-5](\d\d|XX)|default)$/i.test(status)) return [];
      const type =
        listAt(operation, 'produces')
          .concat(listAt(root, 'produces'))
          .find((each) => typeof each === 'string') ?? 'application/json';
      const content = isObject(response['schema'])
        ? { [String(type)]: { schema: response['schema'], example: objectAt(response, 'examples')[String(type)] } }
        : objectAt(response, 'content');
      const headers = Object.entries(objectAt(response, 'headers'))
        .slice(0, 30)
        .flatMap(([name, header]) => {
          const source = followed(api, header)?.value;
          return source ? [parameter(name.slice(0, 200), 'header', source)] : [];
        });
      const media = mediaTypes(api, content, 'writeOnly');
      return [{ status, ...described(response), headers, media, links: responseLinks(api, response) }];
    });
}

function described(value: ReadonlyJsonObject): { description?: string } {
  const description = textAt(value, 'description');
  return description === undefined ? {} : { description };
}

function mediaTypes(api: ApiDescription, content: ReadonlyJsonObject, without: 'readOnly' | 'writeOnly'): Media[] {
  return mediaOf(content).map(({ type, media }) => {
    const example = exampleOf(api, type, media, without);
    return { type, schema: media['schema'], ...(example !== undefined && { example }) };
  });
}
