import { placeholdersOf, type OperationTool, type ToolMethod } from './operation-tool.js';
import { isObject } from '../../document/checks.js';
import { joined, pathText, queryPairs, valueAsText } from './parameter-text.js';
import { webAddress } from '../../../kernel/common/web-address.js';

const MAX_ADDRESS = 8_192;
/** A segment that leads out of a path, in any spelling of its dots. */
const DOTS = /^(\.|%2e){1,2}$/i;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** The request of an operation. */
export interface ApiRequest {
  readonly url: string;
  readonly method: ToolMethod;
  readonly headers: Readonly<Record<string, string>>;
  /** The whole header `Authorization`. */
  readonly authorization?: string;
  readonly body?: string;
}

/** Arguments of a caller from which no request can be made; the message is for them. */
export class ArgumentFault extends Error {}

type Arguments = Readonly<Record<string, unknown>>;

/** The request that arguments make of an operation: it never leaves the server of the tool. Throws `ArgumentFault`. */
export function apiRequest(tool: OperationTool, given: Arguments): ApiRequest {
  for (const { name, isRequired } of tool.arguments)
    if (isRequired && valueOf(given, name) === undefined) throw new ArgumentFault(`The argument ${name} is missing.`);
  const headers: Record<string, string> = { accept: 'application/json, */*;q=0.5' };
  for (const parameter of tool.parameters) {
    const value = valueOf(given, parameter.argument);
    if (parameter.place === 'header' && value !== undefined)
      headers[parameter.name.toLowerCase()] = headerValue(joined(parameter, value), parameter.argument);
  }
  const url = addressOf(tool, given);
  let authorization: string | undefined;
  for (const { argument, carrier } of tool.credentials) {
    const secret = valueOf(given, argument);
    if (secret === undefined) continue;
    const text = headerValue(valueAsText(secret), argument);
    switch (carrier.kind) {
      case 'query':
        url.searchParams.set(carrier.name, text);
        break;
      case 'bearer':
        authorization = `Bearer ${text.replace(/^bearer\s+/i, '')}`;
        break;
      case 'basic':
        authorization = `Basic ${Buffer.from(text).toString('base64')}`;
        break;
      case 'header':
        if (carrier.name === 'authorization') authorization = text;
        else headers[carrier.name.toLowerCase()] = text;
    }
  }
  const body = bodyOf(tool, given);
  if (url.href.length > MAX_ADDRESS) throw new ArgumentFault('The arguments make too long an address.');
  return {
    url: url.href,
    method: tool.method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': tool.body?.type ?? 'application/json' }) },
    ...(authorization !== undefined && { authorization }),
    ...(body !== undefined && { body }),
  };
}

/** Null counts as absent: models write it for what they leave out. */
const valueOf = (given: Arguments, name: string): unknown =>
  Object.hasOwn(given, name) && given[name] !== null ? given[name] : undefined;

function addressOf(tool: OperationTool, given: Arguments): URL {
  const values = new Map<string, string>();
  for (const parameter of tool.parameters) {
    if (parameter.place !== 'path') continue;
    const value = valueOf(given, parameter.argument);
    if (joined(parameter, value) === '') throw new ArgumentFault(`The argument ${parameter.argument} is empty.`);
    values.set(parameter.name, pathText(parameter, value, encoded));
  }
  const path = placeholdersOf(tool.path).reduce(
    (filled, name) => filled.replaceAll(`{${name}}`, () => values.get(name) ?? ''),
    tool.path,
  );
  const server = webAddress(tool.server);
  const url = webAddress(`${tool.server}${path}`);
  if (!server || url?.origin !== server.origin || path.split(/[/?#\\]/).some((segment) => DOTS.test(segment)))
    throw new ArgumentFault('The arguments make no address of the API.');
  for (const parameter of tool.parameters) {
    const value = valueOf(given, parameter.argument);
    if (parameter.place === 'query' && value !== undefined)
      for (const [name, text] of queryPairs(parameter, value)) url.searchParams.append(name, text);
  }
  return url;
}

/** A text as one segment of a path. */
function encoded(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    throw new ArgumentFault('An argument has half of a character.');
  }
}

function headerValue(text: string, argument: string): string {
  if (!HEADER_VALUE.test(text)) throw new ArgumentFault(`The argument ${argument} has characters that no header has.`);
  return text;
}

function bodyOf({ body }: OperationTool, given: Arguments): string | undefined {
  const value = body && valueOf(given, body.argument);
  if (!body || value === undefined) return undefined;
  if (/json/i.test(body.type)) return JSON.stringify(value);
  if (!/^application\/x-www-form-urlencoded/i.test(body.type)) return valueAsText(value);
  const fields = isObject(value) ? Object.entries(value) : [];
  return new URLSearchParams(
    fields.flatMap(([name, each]) =>
      Array.isArray(each) ? each.map((one): [string, string] => [name, valueAsText(one)]) : [[name, valueAsText(each)]],
    ),
  ).toString();
}
