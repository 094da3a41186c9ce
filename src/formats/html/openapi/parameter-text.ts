import { isObject } from '../../document/checks.js';
import type { Parameter } from './operation.js';

type Styled = Pick<Parameter, 'name' | 'style'>;

const SEPARATORS: Readonly<Record<string, string>> = { space: ' ', pipe: '|' };

/** The pairs of a query that a value of a parameter makes. */
export function queryPairs({ name, style }: Styled, value: unknown): [name: string, text: string][] {
  if (style === 'deep' && isObject(value))
    return Object.entries(value).map(([key, each]) => [`${name}[${key}]`, valueAsText(each)]);
  if (style === 'repeated' && Array.isArray(value)) return value.map((each) => [name, valueAsText(each)]);
  if (style === 'repeated' && isObject(value))
    return Object.entries(value).map(([key, each]) => [key, valueAsText(each)]);
  return [[name, joined({ style }, value)]];
}

/** A value as one text. */
export function joined({ style }: Pick<Styled, 'style'>, value: unknown): string {
  if (style === 'json') return JSON.stringify(value) ?? '';
  if (style === 'assigned' && isObject(value)) return assigned(value, valueAsText).join(',');
  return partsOf(value).join(SEPARATORS[style] ?? ',');
}

/**
 * A value as a part of a path, in the style of its parameter: `.a.b` of a label, `;id=a;id=b` of a matrix. Each value is
 * encoded, the characters between them are not.
 */
export function pathText({ name, style }: Styled, value: unknown, encode: (text: string) => string): string {
  const encoded = (each: unknown): string => encode(valueAsText(each));
  const pairs = isObject(value) ? assigned(value, encoded) : undefined;
  const parts = partsOf(value).map(encode);
  switch (style) {
    case 'label':
      return `.${parts.join(',')}`;
    case 'label-exploded':
      return `.${(pairs ?? parts).join('.')}`;
    case 'matrix':
      return `;${encode(name)}=${parts.join(',')}`;
    case 'matrix-exploded':
      return (pairs ?? parts.map((each) => `${encode(name)}=${each}`)).map((each) => `;${each}`).join('');
    case 'assigned':
      return (pairs ?? parts).join(',');
    case 'comma':
      return parts.join(',');
    default:
      return encode(joined({ style }, value));
  }
}

function assigned(value: Readonly<Record<string, unknown>>, text: (value: unknown) => string): string[] {
  return Object.entries(value).map(([key, each]) => `${text(key)}=${text(each)}`);
}

function partsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.map(valueAsText);
  return isObject(value)
    ? Object.entries(value).flatMap(([key, each]) => [key, valueAsText(each)])
    : [valueAsText(value)];
}

/** A text as it is, nothing for null, and other values as JSON. */
export function valueAsText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : (JSON.stringify(value) ?? '');
}
