import { isObject } from '../../../document/checks.js';
import type { ApiOperation, Media, Parameter } from '../operation.js';
import { joined, pathText, queryPairs, valueAsText } from '../parameter-text.js';

/** A request of which samples are written: safe to be put between quotes, in which it has no control characters. */
export interface SampleRequest {
  /** Letters alone, in capitals. */
  readonly method: string;
  /** ASCII without quotes, spaces, backslashes and `$`; parameters without a value are names in braces. */
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: SampleBody;
}

export type SampleBody =
  /** `isData` tells that it is JSON in the form that `JSON.stringify` gives with two spaces, and nothing gets lost. */
  | { readonly kind: 'text'; readonly text: string; readonly isData: boolean }
  | {
      readonly kind: 'form';
      readonly parts: readonly { readonly name: string; readonly value: string; readonly isFile: boolean }[];
    };

const MAX_PARTS = 60;
const TOKEN = /^[\w!#$%&*+.^|~-]{1,200}$/;
// eslint-disable-next-line no-control-regex
const CONTROL = /[\0-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** The request of an operation with its required parameters; undefined for a method that no request has. */
export function sampleRequest({
  method,
  path,
  servers,
  security,
  parameters,
  body,
}: ApiOperation): SampleRequest | undefined {
  if (!/^[a-z]{1,20}$/i.test(method)) return undefined;
  const needed = parameters.filter(({ isRequired }) => isRequired);
  const query = needed
    .filter(({ place }) => place === 'query')
    .flatMap((each) => queryPairs(each, sampleValue(each) ?? each.name))
    .map((pair) => pair.map(encoded).join('='));
  const url = `${(servers[0] ?? '').replace(/\/$/, '')}${filledPath(path, parameters)}`;
  const own = needed
    .filter(({ place }) => place === 'header')
    .map((each) => [each.name, joined(each, sampleValue(each) ?? each.name)] as const);
  const [media] = body?.media ?? [];
  const content = media && bodyOf(media);
  const [authorization = '', ...secret] = security[0]?.header?.split(': ') ?? [];
  // The program that sends a form in parts writes their boundary into this header.
  const type = media && content?.kind !== 'form' ? [['Content-Type', media.type] as const] : [];
  return {
    method: method.toUpperCase(),
    url: `${url}${query.length > 0 ? `${url.includes('?') ? '&' : '?'}${query.join('&')}` : ''}`.replace(
      /[^\x21-\x7e]|["$'<>\\^`|]/gu,
      encoded,
    ),
    headers: [[authorization, secret.join(': ')] as const, ...own, ...type]
      .filter(([name]) => TOKEN.test(name))
      .map(([name, value]) => [name, value.replace(/[^\x20-\x7e]/g, ' ').trim()]),
    ...(content && { body: content }),
  };
}

/** A path with the values that the specification gives: others stay names in braces, for readers to fill in. */
function filledPath(path: string, parameters: readonly Parameter[]): string {
  return parameters
    .filter(({ place }) => place === 'path')
    .reduce((filled, each) => {
      const value = givenValue(each);
      const text =
        value === undefined ? pathText(each, `{${each.name}}`, (part) => part) : pathText(each, value, encoded);
      return filled.replaceAll(`{${each.name}}`, () => text);
    }, path);
}

/** Half of a character cannot be encoded. */
function encoded(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd')).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function givenValue({ example, schema }: Parameter): unknown {
  const { example: own, default: usual, enum: values } = isObject(schema) ? schema : {};
  return [example, own, usual, Array.isArray(values) ? values[0] : undefined].find(
    (value) => value !== undefined && value !== null && value !== '',
  );
}

function sampleValue(parameter: Parameter): unknown {
  const { type } = isObject(parameter.schema) ? parameter.schema : {};
  return givenValue(parameter) ?? (type === 'integer' || type === 'number' ? 1 : undefined);
}

function bodyOf({ type, example = '', schema }: Media): SampleBody | undefined {
  const text = example
    .replace(/\r\n?/g, '\n')
    .replace(CONTROL, '')
    .replace(/\p{Surrogate}/gu, '\ufffd');
  const value = parsed(text);
  if (/^multipart\/form-data/i.test(type)) return formOf(isObject(value) ? value : {}, schema);
  if (/^application\/x-www-form-urlencoded/i.test(type) && isObject(value))
    return { kind: 'text', text: pairsOf(value), isData: false };
  return text === ''
    ? undefined
    : { kind: 'text', text, isData: value !== undefined && JSON.stringify(value, undefined, 2) === text };
}

const pairsOf = (value: Readonly<Record<string, unknown>>): string =>
  Object.entries(value)
    .map(([name, each]) => `${encoded(name)}=${encoded(valueAsText(each))}`)
    .join('&');

function formOf(value: Readonly<Record<string, unknown>>, schema: unknown): SampleBody {
  const properties = isObject(schema) && isObject(schema['properties']) ? schema['properties'] : {};
  const names = [...new Set([...Object.keys(value), ...Object.keys(properties)])].slice(0, MAX_PARTS);
  const parts = names.map((name) => {
    const isFile = isFileSchema(Object.hasOwn(properties, name) ? properties[name] : undefined);
    const text = Object.hasOwn(value, name) ? valueAsText(value[name]) : '';
    return { name: name.replace(/["\\;=\n]/g, ' ').replace(CONTROL, ''), value: isFile ? 'file' : text, isFile };
  });
  return { kind: 'form', parts };
}

function isFileSchema(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  const { type, format, items } = schema;
  return type === 'file' || format === 'binary' || (type === 'array' && isFileSchema(items));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
