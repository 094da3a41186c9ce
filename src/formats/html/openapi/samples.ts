import { isObject } from '../../document/checks.js';
import type { Block, ContentRef } from '../../document/types.js';
import type { CodeToHighlight } from '../highlighting.js';
import type { ApiDescription } from './description.js';
import { curlOf } from './examples.js';
import { operationOf, type ApiOperation, type Media, type Parameter } from './operation.js';

/** The operation that a block shows, if its specification exists and contains it. */
export function operationIn(
  block: Block,
  resolver: { specification?(ref: ContentRef): ApiDescription | undefined },
): ApiOperation | undefined {
  if (block.type !== 'swagger' && block.type !== 'openapi-operation' && block.type !== 'openapi-webhook')
    return undefined;
  const api = resolver.specification?.(block.data.ref);
  if (!api) return undefined;
  return block.type === 'openapi-webhook'
    ? operationOf(api, 'webhooks', block.data.name, block.data.method)
    : operationOf(api, 'paths', block.data.path, block.data.method);
}

/** The language of an example by its media type. */
export function sampleLanguage({ type }: Media): string {
  return /json/i.test(type) ? 'json' : /xml/i.test(type) ? 'xml' : /ya?ml/i.test(type) ? 'yaml' : '';
}

/** The code that is shown with an operation and its callbacks. */
export function samplesOf(operation: ApiOperation): CodeToHighlight[] {
  const examples = [operation, ...operation.callbacks.map((callback) => callback.operation)]
    .flatMap(({ body, responses }) => [...(body?.media ?? []), ...responses.flatMap(({ media }) => media)])
    .flatMap((media) => (media.example === undefined ? [] : { code: media.example, language: sampleLanguage(media) }));
  return [{ code: sampleOf(operation), language: 'sh' }, ...examples];
}

/** The request of an operation as a shell command. */
export function sampleOf({ method, path, servers, security, parameters, body }: ApiOperation): string {
  const query = parameters
    .filter(({ place, isRequired }) => place === 'query' && isRequired)
    .map((each) => `${encodeURIComponent(each.name)}=${encodeURIComponent(sampleValue(each))}`);
  const [media] = body?.media ?? [];
  const own = parameters
    .filter(({ place, isRequired }) => place === 'header' && isRequired)
    .map((each) => `${each.name}: ${sampleValue(each)}`);
  const [need] = security;
  return curlOf({
    method,
    url: `${(servers[0] ?? '').replace(/\/$/, '')}${path}${query.length > 0 ? `?${query.join('&')}` : ''}`,
    headers: [
      ...(need?.header !== undefined ? [need.header] : []),
      ...own,
      ...(media ? [`Content-Type: ${media.type}`] : []),
    ],
    ...(media?.example !== undefined && { body: media.example }),
  });
}

/** A sample value of a parameter. */
function sampleValue({ name, example, schema }: Parameter): string {
  const { default: usual, enum: values, type } = isObject(schema) ? schema : {};
  const value: unknown =
    example ??
    usual ??
    (Array.isArray(values) ? values[0] : undefined) ??
    (type === 'integer' || type === 'number' ? 1 : undefined);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : name;
}
