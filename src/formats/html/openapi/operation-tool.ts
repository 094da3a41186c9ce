import { isObject } from '../../document/checks.js';
import { followed, listAt, objectAt, textAt, type ApiDescription, type ReadonlyJsonObject } from './description.js';
import { inlineSchema, type InlineSchema } from './input-schema.js';
import { operationOf, type ApiOperation, type Parameter } from './operation.js';
import { ToolNames } from './tool-names.js';

export type ToolMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The methods of operations that can be called. */
const METHODS: Readonly<Record<string, ToolMethod>> = {
  get: 'GET',
  head: 'HEAD',
  post: 'POST',
  put: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
};
/** Headers that belong to the request itself, or to those who carry it. */
const RESERVED_HEADER =
  /^(accept(-encoding|-charset)?|authorization|connection|content-.*|cookie|expect|forwarded|host|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|user-agent|via|x-forwarded-.*|x-real-ip)$/i;
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]{1,200}$/;
const FORM = 'application/x-www-form-urlencoded';
const MAX_DESCRIPTION = 800;
const MAX_CREDENTIALS = 4;

/** The servers to which requests may be sent. */
export interface CallableServers {
  /** Origins whose operations can be called. */
  readonly origins: readonly string[];
  /** Those of them whose operations may change something. */
  readonly writable: readonly string[];
}

export interface ToolParameter extends Pick<Parameter, 'name' | 'style' | 'isRequired'> {
  /** The name of the argument. */
  readonly argument: string;
  readonly place: 'path' | 'query' | 'header';
}

/** A secret of the caller, and the place of the request that carries it. */
export interface ToolCredential {
  readonly argument: string;
  readonly carrier:
    | { readonly kind: 'bearer' | 'basic' }
    | { readonly kind: 'header'; readonly name: string }
    | { readonly kind: 'query'; readonly name: string };
}

/** An argument of a tool, as JSON Schema. */
export interface ToolArgument {
  readonly name: string;
  readonly schema: InlineSchema;
  readonly isRequired: boolean;
}

/** An operation of an API that can be called. */
export interface OperationTool {
  /** Its id, or method and path: the name of the tool is made of it. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly method: ToolMethod;
  readonly isReading: boolean;
  /** The address of the server without a slash at the end. */
  readonly server: string;
  /** With names of parameters in braces. */
  readonly path: string;
  readonly parameters: readonly ToolParameter[];
  readonly body?: { readonly argument: string; readonly type: string; readonly isRequired: boolean };
  /** All of them together let the request in. */
  readonly credentials: readonly ToolCredential[];
  readonly arguments: readonly ToolArgument[];
}

/**
 * The tool that calls an operation; undefined for one whose servers are not among those, and for one whose request
 * cannot be made: with cookies, files or certificates.
 */
export function operationTool(
  api: ApiDescription,
  path: string,
  method: string,
  servers: CallableServers,
): OperationTool | undefined {
  const operation = operationOf(api, 'paths', path, method);
  const called = operation && Object.hasOwn(METHODS, operation.method) ? METHODS[operation.method] : undefined;
  if (!operation || called === undefined || !path.startsWith('/')) return undefined;
  const isReading = isReadingMethod(called);
  const server = operation.servers.find((url) => isAmong(url, isReading ? servers.origins : servers.writable));
  const credentials = credentialsOf(api, operation);
  const carried = operation.parameters.filter(isCarried);
  const body = isReading ? undefined : bodyOf(operation);
  if (
    server === undefined ||
    credentials === undefined ||
    body === 'impossible' ||
    operation.parameters.some((each) => each.place === 'cookie' && each.isRequired) ||
    placeholdersOf(path).some((name) => !carried.some((each) => each.place === 'path' && each.name === name))
  )
    return undefined;
  return {
    ...namesOf(api, operation, server),
    method: called,
    isReading,
    server: server.replace(/\/+$/, ''),
    path,
    ...inputOf(api, carried, body, credentials),
  };
}

/** Tells whether operations of a method can be called; `isWriting`: also those that may change something. */
export function isCallableMethod(method: string, { isWriting }: { readonly isWriting: boolean }): boolean {
  const called = Object.hasOwn(METHODS, method) ? METHODS[method] : undefined;
  return called !== undefined && (isWriting || isReadingMethod(called));
}

const isReadingMethod = (method: ToolMethod): boolean => method === 'GET' || method === 'HEAD';

/** The names in braces of a path. */
export const placeholdersOf = (path: string): string[] =>
  [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);

function isAmong(address: string, origins: readonly string[]): boolean {
  try {
    const { origin, username, password, search, hash } = new URL(address);
    return origins.includes(origin) && !/[{}]/.test(address) && `${username}${password}${search}${hash}` === '';
  } catch {
    // Relative to the address of the specification, which is not known.
    return false;
  }
}

function isCarried(parameter: Parameter): parameter is Parameter & Pick<ToolParameter, 'place'> {
  const { place, name } = parameter;
  if (place === 'cookie') return false;
  return place !== 'header' || (HEADER_NAME.test(name) && !RESERVED_HEADER.test(name));
}

interface SentBody {
  readonly type: string;
  readonly schema: unknown;
  readonly description?: string;
  readonly isRequired: boolean;
}

/** The body of a request: JSON, a form or a text; `impossible` for one that has to be of another type. */
function bodyOf({ body }: ApiOperation): SentBody | undefined | 'impossible' {
  if (!body) return undefined;
  const { description, isRequired, media } = body;
  const [found] = [/^[\w.+-]+\/([\w.+-]+\+)?json\b/i, new RegExp(`^${FORM}`, 'i'), /^text\/[\w.+-]+$/i].flatMap(
    (type) => media.filter((each) => type.test(each.type)),
  );
  if (!found) return isRequired ? 'impossible' : undefined;
  return {
    type: found.type.replace(/[^\x20-\x7e]/g, ''),
    schema: found.schema,
    ...(description !== undefined && { description }),
    isRequired,
  };
}

function namesOf(
  api: ApiDescription,
  { method, path, summary, description, isDeprecated }: ApiOperation,
  server: string,
): Pick<OperationTool, 'name' | 'title' | 'description'> {
  const call = `${method.toUpperCase()} ${path}`;
  const item = followed(api, api.at(['paths', path]))?.value ?? {};
  const id = textAt(objectAt(item, method), 'operationId', 200);
  const about = [summary, description].flatMap((text) => text?.replace(/\s+/g, ' ') ?? []).join('. ');
  return {
    name: id ?? call,
    title: (summary ?? id ?? call).slice(0, 100),
    description:
      `Calls ${call} of ${new URL(server).host}${isDeprecated ? ' (deprecated)' : ''}${about === '' ? '' : `: ${about}`}`.slice(
        0,
        MAX_DESCRIPTION,
      ),
  };
}

function inputOf(
  api: ApiDescription,
  carried: readonly (Parameter & Pick<ToolParameter, 'place'>)[],
  body: SentBody | undefined,
  schemes: readonly Scheme[],
): Pick<OperationTool, 'parameters' | 'body' | 'credentials' | 'arguments'> {
  const names = new ToolNames();
  const list: ToolArgument[] = [];
  const add = (wanted: string, schema: InlineSchema, description: string | undefined, isRequired: boolean): string => {
    const name = names.unique(wanted);
    const about = description === undefined ? {} : { description: description.slice(0, MAX_DESCRIPTION) };
    list.push({ name, schema: { ...schema, ...about }, isRequired });
    return name;
  };
  const parameters = carried.map(({ name, place, style, isRequired, description, schema }) => ({
    argument: add(name, inlineSchema(api, schema), description, isRequired),
    name,
    place,
    style,
    isRequired,
  }));
  const bodyArgument = body && add('body', inlineSchema(api, body.schema), body.description, body.isRequired);
  const credentials = schemes.map(({ carrier, about }) => ({
    argument: add('credential', { type: 'string' }, about, false),
    carrier,
  }));
  return {
    parameters,
    ...(body &&
      bodyArgument !== undefined && { body: { argument: bodyArgument, type: body.type, isRequired: body.isRequired } }),
    credentials,
    arguments: list,
  };
}

interface Scheme extends Pick<ToolCredential, 'carrier'> {
  readonly about: string;
}

/**
 * The schemes of the first alternative that a request can carry whole: none for an operation that is open for everybody;
 * undefined if it can carry no alternative.
 */
function credentialsOf(api: ApiDescription, { path, method }: ApiOperation): Scheme[] | undefined {
  const root = api.at([]);
  const item = followed(api, api.at(['paths', path]))?.value ?? {};
  const operation = objectAt(item, method);
  const all = isObject(root) ? root : {};
  const alternatives = Array.isArray(operation['security']) ? operation['security'] : listAt(all, 'security');
  let isFree = alternatives.length === 0;
  for (const need of alternatives.slice(0, 10)) {
    const names = isObject(need) ? Object.keys(need) : [];
    const schemes = names.slice(0, MAX_CREDENTIALS).flatMap((name) => schemeOf(api, all, name) ?? []);
    if (schemes.length > 0 && schemes.length === names.length) return schemes;
    isFree ||= names.length === 0;
  }
  return isFree ? [] : undefined;
}

function schemeOf(api: ApiDescription, root: ReadonlyJsonObject, name: string): Scheme | undefined {
  const found = followed(
    api,
    api.at(['components', 'securitySchemes', name]) ?? objectAt(root, 'securityDefinitions')[name],
  )?.value;
  if (!found) return undefined;
  const kind = textAt(found, 'scheme', 40)?.toLowerCase();
  const label = `Your credential for the API (${name.slice(0, 100)}), sent to it alone`;
  switch (found['type']) {
    case 'oauth2':
    case 'openIdConnect':
      return { carrier: { kind: 'bearer' }, about: `${label}: an access token` };
    case 'basic':
      return { carrier: { kind: 'basic' }, about: `${label}: name:password` };
    case 'http':
      if (kind === 'basic') return { carrier: { kind: 'basic' }, about: `${label}: name:password` };
      return kind === 'bearer' ? { carrier: { kind: 'bearer' }, about: `${label}: a token` } : undefined;
    case 'apiKey':
      return keyOf(found, label);
    default:
      return undefined;
  }
}

function keyOf(scheme: ReadonlyJsonObject, label: string): Scheme | undefined {
  const [place, name] = [scheme['in'], textAt(scheme, 'name', 200)];
  if (name === undefined) return undefined;
  const about = `${label}: a key`;
  if (place === 'query') return { carrier: { kind: 'query', name }, about };
  if (place !== 'header' || !HEADER_NAME.test(name)) return undefined;
  // A whole header, such as `Token abc`.
  if (name.toLowerCase() === 'authorization') return { carrier: { kind: 'header', name: 'authorization' }, about };
  return RESERVED_HEADER.test(name) ? undefined : { carrier: { kind: 'header', name }, about };
}
