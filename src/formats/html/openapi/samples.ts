import type { Block, ContentRef, Document } from '../../document/types.js';
import type { CodeToHighlight } from '../highlighting.js';
import type { ApiDescription } from './description.js';
import { operationOf, type ApiOperation, type Media } from './operation.js';
import { SAMPLE_LANGUAGES } from './samples/languages.js';
import { sampleRequest } from './samples/sample-request.js';

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

/** Code that shows the request of an operation in one language. */
export interface CodeSample {
  readonly title: string;
  readonly syntax: string;
  readonly code: string;
}

/** Characters of the samples of all operations of a page. */
const MAX_CODE_OF_PAGE = 16_000;

/** Characters of the samples of each operation of a page. */
export function roomForSamples({ nodes }: Document): number {
  const operations = nodes.filter(({ type }) => type === 'openapi-operation' || type === 'swagger').length;
  return Math.floor(MAX_CODE_OF_PAGE / Math.max(1, operations));
}

/** The samples of an operation: the first one, and those after it that there is room for. */
export function codeSamples(operation: ApiOperation, room: number): CodeSample[] {
  const samples: CodeSample[] = [];
  let left = room;
  for (const sample of allSamples(operation)) {
    left -= sample.code.length;
    if (left < 0 && samples.length > 0) continue;
    samples.push(sample);
  }
  return samples;
}

/** The first sample of an operation, where only one is shown. */
export function firstSample(operation: ApiOperation): CodeSample | undefined {
  const [sample] = allSamples(operation);
  return sample;
}

/** Those of the specification come first. */
function* allSamples(operation: ApiOperation): Generator<CodeSample> {
  const { own, areMade, languages } = operation.samples;
  yield* own;
  const request = areMade ? sampleRequest(operation) : undefined;
  if (!request) return;
  const chosen = languages?.flatMap((id) => SAMPLE_LANGUAGES.find((each) => each.id === id) ?? []) ?? SAMPLE_LANGUAGES;
  for (const { title, syntax, write } of new Set(chosen)) {
    const code = own.some((sample) => sample.title.toLowerCase() === title.toLowerCase()) ? undefined : write(request);
    if (code !== undefined) yield { title, syntax, code };
  }
}

/** The code that is shown with an operation and its callbacks. */
export function samplesOf(operation: ApiOperation, room: number): CodeToHighlight[] {
  const [first, ...others] = codeSamples(operation, room).map(({ code, syntax }) => ({ code, language: syntax }));
  const examples = [operation, ...operation.callbacks.map((callback) => callback.operation)]
    .flatMap(({ body, responses }) => [...(body?.media ?? []), ...responses.flatMap(({ media }) => media)])
    .flatMap((media) => (media.example === undefined ? [] : { code: media.example, language: sampleLanguage(media) }));
  // Others are seen once a reader asks for them.
  return [...(first ? [first] : []), ...examples, ...others];
}
