import { webAddress } from '../../../kernel/common/web-address.js';
import { isObject } from '../../document/checks.js';
import { followed, listAt, objectAt, textAt, type ApiDescription, type ReadonlyJsonObject } from './description.js';
import type { ApiOperation, Body, Media, Parameter } from './operation.js';
import { consoleServers, policySourceOf, type ConsoleServer } from './console-servers.js';
import { schemaView } from './schema.js';

/** Methods of requests that browsers send for pages. */
const METHODS: ReadonlySet<string> = new Set(['get', 'head', 'post', 'put', 'patch', 'delete', 'options', 'query']);
const MAX_ALTERNATIVES = 8;
const MAX_SCHEMES = 4;
const MAX_SCOPES = 50;
const MAX_FIELDS = 60;
const MAX_VALUES = 100;
const MAX_VALUE = 500;
/** Characters of all facts; examples of bodies are left out of more. */
const MAX_FACTS = 24_000;

/** A secret with which a request is let in, and the place of the request that carries it. */
export interface ConsoleScheme {
  readonly name: string;
  readonly kind: 'bearer' | 'basic' | 'key' | 'oauth2';
  /** The place of a key, and its name there. */
  readonly place?: 'header' | 'query' | 'cookie';
  readonly key?: string;
  readonly scopes?: readonly string[];
  readonly authorizationUrl?: string;
  readonly tokenUrl?: string;
  /** Where clients get tokens for themselves. */
  readonly clientTokenUrl?: string;
}

/** A value that a reader gives: one, several, or one in JSON. */
export interface ConsoleField {
  readonly name: string;
  readonly kind: 'text' | 'list' | 'json' | 'file';
  readonly isRequired: boolean;
  readonly value: string;
  readonly values?: readonly string[];
}

export interface ConsoleParameter extends ConsoleField, Pick<Parameter, 'place' | 'style'> {}

export interface ConsoleMedia {
  readonly type: string;
  readonly example?: string;
  /** The parts of a form. */
  readonly fields?: readonly ConsoleField[];
  readonly isFile?: boolean;
}

/** The facts from which a page makes a request of an operation. */
export interface ApiConsole {
  readonly method: string;
  readonly path: string;
  readonly servers: readonly ConsoleServer[];
  /** Alternatives, each of schemes that let a request in together. */
  readonly security: readonly (readonly ConsoleScheme[])[];
  readonly parameters: readonly ConsoleParameter[];
  readonly body?: { readonly isRequired: boolean; readonly media: readonly ConsoleMedia[] };
}

export interface FoundConsole {
  readonly facts: ApiConsole;
  /** The sources to which its requests go, as a content security policy names them. */
  readonly sources: readonly string[];
}

/**
 * The console of an operation; undefined for one that has no server of its own address, that browsers cannot send, or
 * whose specification says `x-hideTryItPanel`.
 */
export function consoleOf(api: ApiDescription, operation: ApiOperation): FoundConsole | undefined {
  const { method, path } = operation;
  // A path without a slash would be a part of the host.
  if (!METHODS.has(method) || !path.startsWith('/')) return undefined;
  const root = rootOf(api);
  const item = followed(api, api.at(['paths', path]))?.value ?? {};
  const own = objectAt(item, method);
  if ([own, item, root].some((each) => each['x-hideTryItPanel'] === true)) return undefined;
  const { servers, sources } = consoleServers(root, item, own);
  if (servers.length === 0) return undefined;
  const security = alternativesOf(api, root, own);
  const tokens = security.flat().flatMap(({ tokenUrl, clientTokenUrl }) => [tokenUrl, clientTokenUrl]);
  const facts: ApiConsole = {
    method: method.toUpperCase(),
    path,
    servers,
    security,
    parameters: operation.parameters.map((each) => parameterOf(api, each)),
    ...(operation.body && { body: bodyOf(api, operation.body) }),
  };
  const addresses = tokens.flatMap((url) => (url === undefined ? [] : [new URL(url).origin]));
  return { facts: bounded(facts), sources: [...new Set([...sources, ...addresses])] };
}

/** The facts without long examples, where they are too much for a page with many operations. */
function bounded(facts: ApiConsole): ApiConsole {
  if (!facts.body || JSON.stringify(facts).length <= MAX_FACTS) return facts;
  const media = facts.body.media.map(({ type, isFile, fields }) => ({
    type,
    ...(isFile && { isFile }),
    ...(fields && { fields: fields.map((field) => ({ ...field, value: '' })) }),
  }));
  return { ...facts, body: { ...facts.body, media } };
}

function rootOf(api: ApiDescription): ReadonlyJsonObject {
  const root = api.at([]);
  return isObject(root) ? root : {};
}

function alternativesOf(
  api: ApiDescription,
  root: ReadonlyJsonObject,
  operation: ReadonlyJsonObject,
): (readonly ConsoleScheme[])[] {
  const needs = Array.isArray(operation['security']) ? operation['security'] : listAt(root, 'security');
  return needs
    .slice(0, MAX_ALTERNATIVES)
    .filter(isObject)
    .flatMap((need) => {
      const all = Object.entries(need).slice(0, MAX_SCHEMES);
      const known = all.flatMap(
        ([name, scopes]) => schemeOf(api, root, name, Array.isArray(scopes) ? scopes : []) ?? [],
      );
      // With a part of what is needed, no request is let in.
      return known.length === all.length ? [known] : [];
    });
}

function schemeOf(
  api: ApiDescription,
  root: ReadonlyJsonObject,
  name: string,
  scopes: readonly unknown[],
): ConsoleScheme | undefined {
  const found = followed(
    api,
    api.at(['components', 'securitySchemes', name]) ?? objectAt(root, 'securityDefinitions')[name],
  )?.value;
  if (!found) return undefined;
  const kind = textAt(found, 'scheme', 40)?.toLowerCase();
  switch (found['type']) {
    case 'basic':
      return { name, kind: 'basic' };
    case 'http':
      return { name, kind: kind === 'basic' ? 'basic' : 'bearer' };
    case 'openIdConnect':
      return { name, kind: 'bearer' };
    case 'apiKey': {
      const place = (['header', 'query', 'cookie'] as const).find((each) => each === found['in']);
      const key = textAt(found, 'name', 200);
      return place && key !== undefined ? { name, kind: 'key', place, key } : undefined;
    }
    case 'oauth2':
      return { name, kind: 'oauth2', ...flowsOf(found), scopes: textsOf(scopes).slice(0, MAX_SCOPES) };
    default:
      return undefined;
  }
}

/** The flows that a page can take part in: those of Swagger 2 stand in the scheme itself. */
function flowsOf(scheme: ReadonlyJsonObject): Partial<ConsoleScheme> {
  const flows = objectAt(scheme, 'flows');
  const code = scheme['flow'] === 'accessCode' ? scheme : objectAt(flows, 'authorizationCode');
  const client = scheme['flow'] === 'application' ? scheme : objectAt(flows, 'clientCredentials');
  const [authorizationUrl, tokenUrl] = [addressAt(code, 'authorizationUrl'), addressAt(code, 'tokenUrl')];
  const clientTokenUrl = addressAt(client, 'tokenUrl');
  return {
    ...(authorizationUrl !== undefined && tokenUrl !== undefined && { authorizationUrl, tokenUrl }),
    ...(clientTokenUrl !== undefined && { clientTokenUrl }),
  };
}

/** An address of the web whose host a policy can name. */
function addressAt(value: ReadonlyJsonObject, name: string): string | undefined {
  const text = textAt(value, name, 1_000);
  const url = text === undefined ? undefined : webAddress(text);
  return url && /^https?:$/.test(url.protocol) && policySourceOf(url.href) !== undefined ? url.href : undefined;
}

const textsOf = (values: readonly unknown[]): string[] =>
  values.flatMap((value) => (typeof value === 'string' || typeof value === 'number' ? [String(value)] : []));

function parameterOf(api: ApiDescription, parameter: Parameter): ConsoleParameter {
  const { name, place, style, isRequired, example, schema } = parameter;
  return { ...fieldOf(api, name, schema, isRequired, example), place, style };
}

function fieldOf(
  api: ApiDescription,
  name: string,
  schema: unknown,
  isRequired: boolean,
  example?: unknown,
): ConsoleField {
  const found = followed(api, schema)?.value ?? {};
  const view = schemaView(api, schema);
  const kind = kindOf(found, view?.type ?? '', view?.items !== undefined, (view?.properties.length ?? 0) > 0);
  const values = kind === 'text' ? textsOf(listAt(found, 'enum')).slice(0, MAX_VALUES) : [];
  const given = example ?? found['example'] ?? listAt(found, 'examples')[0] ?? found['default'];
  const value = given ?? (isRequired ? values[0] : undefined);
  return {
    name,
    kind,
    isRequired,
    value: kind === 'file' ? '' : shownValue(value, kind).slice(0, MAX_VALUE),
    ...(values.length > 0 && { values }),
  };
}

function kindOf(
  schema: ReadonlyJsonObject,
  type: string,
  hasItems: boolean,
  hasProperties: boolean,
): ConsoleField['kind'] {
  if (schema['type'] === 'file' || schema['format'] === 'binary' || isBinary(schema['contentMediaType'])) return 'file';
  if (hasItems || /^array\b/.test(type)) {
    const items = schema['items'];
    return isObject(items) && items['format'] === 'binary' ? 'file' : 'list';
  }
  return hasProperties || /^object\b/.test(type) ? 'json' : 'text';
}

const isBinary = (type: unknown): boolean => typeof type === 'string' && !/^text\/|json|xml/.test(type);

function shownValue(value: unknown, kind: ConsoleField['kind']): string {
  if (value === undefined || value === null) return '';
  if (kind === 'list' && Array.isArray(value)) return value.map((each) => shownValue(each, 'text')).join('\n');
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function bodyOf(api: ApiDescription, { isRequired, media }: Body): NonNullable<ApiConsole['body']> {
  return { isRequired, media: media.map((each) => mediaOf(api, each)) };
}

function mediaOf(api: ApiDescription, { type, schema, example }: Media): ConsoleMedia {
  if (/^(multipart\/|application\/x-www-form-urlencoded)/i.test(type)) {
    const properties = schemaView(api, schema)?.properties ?? [];
    if (properties.length > 0)
      return {
        type,
        fields: properties
          .slice(0, MAX_FIELDS)
          .map((each) => fieldOf(api, each.name, each.schema, each.isRequired === true)),
      };
  }
  const isFile = !/json|xml|text|yaml|x-www-form-urlencoded|javascript|graphql/i.test(type);
  return isFile ? { type, isFile } : { type, ...(example !== undefined && { example }) };
}
