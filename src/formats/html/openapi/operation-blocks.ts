import { descriptionBlocks } from '../../markdown/description.js';
import { block, codeBlock, leaf, mark, paragraph, plain, text } from '../../document/build.js';
import type { Block, Node } from '../../document/types.js';
import type { RenderContext } from '../render-context.js';
import { followed, textAt, type ApiDescription } from './description.js';
import type { ApiOperation, Callback, Media, Parameter, Response } from './operation.js';
import { firstSample, operationIn, sampleLanguage } from './samples.js';
import { schemaView, variantLabel, type SchemaView } from './schema.js';

const MAX_DEPTH = 6;
/** Maximum number of fields of one operation; further ones are left out. */
const MAX_FIELDS = 400;

/** The context while the fields of one block are written. */
interface Writing {
  readonly api: ApiDescription;
  readonly labels: RenderContext['labels'];
  readonly counted: { left: number };
  /** Pointers of the enclosing schemas. */
  readonly within: readonly string[];
  /** Text of the heading above. */
  readonly above: string;
}

/**
 * Converts a block that shows a part of a specification to ordinary blocks, for Markdown: the same content as in HTML.
 * Undefined for all other blocks, and if the specification is missing or has no such part. A summary that is the heading `above` is
 * left out.
 */
export function operationBlocks(
  shown: Block,
  specification: (block: SpecificationBlock) => ApiDescription | undefined,
  labels: RenderContext['labels'],
  above = '',
): Block[] | undefined {
  if (!drawsFromSpecification(shown)) return undefined;
  const api = specification(shown);
  if (!api) return undefined;
  const writing: Writing = { api, labels, counted: { left: MAX_FIELDS }, within: [], above };
  if (shown.type === 'openapi-schemas') return shown.data.schemas.flatMap((name) => namedSchema(name, writing));
  const operation = operationIn(shown, { specification: () => api });
  return operation && wholeOperation(operation, shown.type, writing);
}

export type SpecificationBlock =
  Block<'swagger'> | Block<'openapi-operation'> | Block<'openapi-webhook'> | Block<'openapi-schemas'>;

export function drawsFromSpecification(block: Block): block is SpecificationBlock {
  return (
    block.type === 'swagger' ||
    block.type === 'openapi-operation' ||
    block.type === 'openapi-webhook' ||
    block.type === 'openapi-schemas'
  );
}

function wholeOperation(found: ApiOperation, type: SpecificationBlock['type'], writing: Writing): Block[] {
  const { labels } = writing;
  const sample = firstSample(found);
  const places: [Parameter['place'], string][] = [
    ['path', labels.pathParameters],
    ['query', labels.queryParameters],
    ['header', labels.headerParameters],
    ['cookie', labels.cookieParameters],
  ];
  return [
    paragraph(code(`${found.method.toUpperCase()} ${found.path}`)),
    ...(found.summary === undefined || found.summary === writing.above ? [] : [paragraph(plain(found.summary))]),
    ...(found.isDeprecated ? [paragraph(bold(labels.deprecated))] : []),
    ...described(found.description),
    ...part(labels.servers, list(found.servers.map((url) => [paragraph(code(url))]))),
    ...part(
      labels.authorization,
      list(
        found.security.map(({ name, how, scopes }) => [
          paragraph(
            code(name),
            plain(`${how === '' ? '' : ` · ${how}`}${scopes.length > 0 ? ` (${scopes.join(', ')})` : ''}`),
          ),
        ]),
      ),
    ),
    ...places.flatMap(([place, label]) =>
      part(
        label,
        parameterList(
          found.parameters.filter((each) => each.place === place),
          writing,
        ),
      ),
    ),
    ...(found.body
      ? part(labels.requestBody, [
          ...described(found.body.description),
          ...found.body.media.flatMap((media) => mediaContent(media, writing)),
        ])
      : []),
    ...(type === 'openapi-webhook' || !sample ? [] : [codeBlock(sample.code, { syntax: sample.syntax })]),
    ...part(labels.responses, list(found.responses.map((response) => responseItem(response, writing)))),
    ...part(labels.callbacks, list(found.callbacks.map((callback) => callbackItem(callback, writing)))),
  ];
}

function namedSchema(name: string, writing: Writing): Block[] {
  const schema = writing.api.at(['components', 'schemas', name]) ?? writing.api.at(['definitions', name]);
  const found = followed(writing.api, schema);
  return [
    paragraph(code(name)),
    ...(found ? [...described(textAt(found.value, 'description')), ...wholeSchema(schema, writing)] : []),
  ];
}

function callbackItem({ name, operation }: Callback, writing: Writing): Block[] {
  return [paragraph(bold(name)), ...wholeOperation(operation, 'openapi-webhook', { ...writing, above: '' })];
}

function responseItem({ status, description, headers, media, links }: Response, writing: Writing): Block[] {
  const [first = '', ...rest] = (description ?? '').split('\n');
  const hasMore = rest.join('').trim() !== '';
  return [
    paragraph(bold(status), ...(hasMore || first === '' ? [] : [plain(` ${first}`)])),
    ...(hasMore ? described(description) : []),
    ...part(writing.labels.headers, parameterList(headers, writing)),
    ...media.flatMap((each) => mediaContent(each, writing)),
    ...part(
      writing.labels.linkedOperations,
      list(
        links.map(({ name, description: about, operation, values }) => [
          paragraph(plain(`${name}: `), code(operation)),
          ...described(about),
          ...list(values.map((value) => [paragraph(plain(`${value.name}: `), code(value.from))])),
        ]),
      ),
    ),
  ];
}

function mediaContent(media: Media, writing: Writing): Block[] {
  const example = media.example === undefined ? [] : [codeBlock(media.example, { syntax: sampleLanguage(media) })];
  return [paragraph(plain(media.type)), ...wholeSchema(media.schema, writing), ...example];
}

function parameterList(parameters: readonly Parameter[], writing: Writing): Block[] {
  return list(
    parameters.map(({ name, isRequired, isDeprecated, description, schema }) =>
      field({ name, isRequired, isDeprecated, description, schema }, writing),
    ),
  );
}

interface FieldFacts {
  readonly name: string;
  readonly isRequired: boolean;
  readonly isDeprecated?: boolean;
  readonly description?: string | undefined;
  readonly schema: unknown;
}

function field({ name, isRequired, isDeprecated = false, description, schema }: FieldFacts, writing: Writing): Block[] {
  const { labels } = writing;
  const view = schemaView(writing.api, schema);
  const flags = (['deprecated', 'readOnly', 'writeOnly'] as const).filter(
    (flag) => view?.flags.includes(flag) || (flag === 'deprecated' && isDeprecated),
  );
  const facts = [
    view?.type ?? '',
    ...(isRequired ? [labels.required] : []),
    ...flags.map((flag) => labels[flag]),
  ].filter((fact) => fact !== '');
  return [
    paragraph(code(name), ...(facts.length > 0 ? [plain(`: ${facts.join(', ')}`)] : [])),
    ...described(description ?? view?.description),
    ...(view ? schemaContent(view, writing) : []),
  ];
}

function wholeSchema(schema: unknown, writing: Writing): Block[] {
  const view = schemaView(writing.api, schema);
  if (!view) return [];
  return [
    ...(view.properties.length === 0 && view.type !== '' ? [paragraph(plain(view.type))] : []),
    ...schemaContent(view, writing),
  ];
}

/** The constraints of a schema and its content; recursive schemas are not expanded again. */
function schemaContent(view: SchemaView, writing: Writing): Block[] {
  const { labels, within } = writing;
  if ((view.pointer !== undefined && within.includes(view.pointer)) || within.length >= MAX_DEPTH) return [];
  const deeper = { ...writing, within: [...within, view.pointer ?? ''] };
  const facts = view.facts.map(({ label, text: words, more: folded }) => [
    paragraph(
      ...(label === 'none' ? [] : [plain(`${labels[label]}: `)]),
      code(folded ? `${words}, ${folded.text}` : words),
    ),
  ]);
  const items = view.items === undefined ? undefined : schemaView(writing.api, view.items);
  const more = view.otherProperties === undefined ? undefined : schemaView(writing.api, view.otherProperties);
  const others = more
    ? [[paragraph(plain(`${labels.otherProperties}: ${more.name ?? more.type}`)), ...schemaContent(more, deeper)]]
    : [];
  return [
    ...list([...facts, ...properties(view, deeper), ...others]),
    ...(items ? schemaContent(items, deeper) : []),
    ...variants(view, deeper),
  ];
}

function properties(view: SchemaView, writing: Writing): Block[][] {
  const written: Block[][] = [];
  for (const { name, schema, isRequired } of view.properties) {
    if (writing.counted.left-- <= 0) break;
    written.push(field({ name, isRequired, schema }, writing));
  }
  return written;
}

function variants({ variants: found }: SchemaView, writing: Writing): Block[] {
  if (!found) return [];
  const items = found.schemas.flatMap((schema) => {
    const [target, view] = [followed(writing.api, schema), schemaView(writing.api, schema)];
    return target && view && writing.counted.left-- > 0
      ? [
          [
            paragraph(plain(variantLabel(writing.api, target, found))),
            ...described(view.description),
            ...schemaContent(view, writing),
          ],
        ]
      : [];
  });
  return part(writing.labels[found.of], list(items));
}

function part(label: string, content: readonly Block[]): Block[] {
  return content.length === 0 ? [] : [paragraph(bold(label)), ...content];
}

function list(items: readonly (readonly Block[])[]): Block[] {
  return items.length === 0
    ? []
    : [
        block(
          'list-unordered',
          {},
          items.map((nodes) => block('list-item', {}, nodes)),
        ),
      ];
}

function described(description: string | undefined): Block[] {
  return description === undefined ? [] : descriptionBlocks(description);
}

const code = (words: string): Node => text(leaf(words, [mark('code')]));
const bold = (words: string): Node => text(leaf(words, [mark('bold')]));
