import type { Block, ContentRef } from '../../document/types.js';
import type { CodeToHighlight } from '../highlighting.js';
import type { ApiDescription } from './description.js';
import { operationOf, sampleOf, type Media, type ApiOperation } from './operation.js';

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

/** The code that is shown with an operation. */
export function samplesOf(operation: ApiOperation): CodeToHighlight[] {
  const examples = [...(operation.body?.media ?? []), ...operation.responses.flatMap(({ media }) => media)].flatMap(
    (media) => (media.example === undefined ? [] : { code: media.example, language: sampleLanguage(media) }),
  );
  return [{ code: sampleOf(operation), language: 'sh' }, ...examples];
}
