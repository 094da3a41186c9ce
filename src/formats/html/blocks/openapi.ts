import type { ElementContent } from 'hast';
import type { Block, OpenApiExtras } from '../../document/types.js';
import { classes, el, linkAttributes, textNode } from '../elements.js';
import { textAt, followed } from '../openapi/description.js';
import { described, fieldContextOf, parameterField, wholeSchema, type FieldContext } from '../openapi/fields.js';
import { sampleOf, type Media, type ApiOperation, type Parameter, type Response } from '../openapi/operation.js';
import { sampleLanguage, operationIn } from '../openapi/samples.js';
import type { LinkFacts, BlockRenderer, RenderContext } from '../render-context.js';
import { plainCode } from './code.js';
import { unavailable } from './unavailable.js';

const METHODS: ReadonlySet<string> = new Set([
  'get',
  'post',
  'put',
  'patch',
  'delete',
  'head',
  'options',
  'trace',
  'query',
]);

export const renderSwagger: BlockRenderer<'swagger'> = (block, context) => {
  const facts = context.resolver.link(block.data.ref);
  const source = { ...facts, title: facts.title ?? facts.href ?? '' };
  return [shown(block, endpoint(block.data.method, block.data.path), source, context)];
};
export const renderOperation: BlockRenderer<'openapi-operation'> = (block, context) => [
  shown(block, endpoint(block.data.method, block.data.path), { title: block.data.ref.spec }, context),
];
export const renderWebhook: BlockRenderer<'openapi-webhook'> = (block, context) => [
  shown(block, endpoint(block.data.method, block.data.name), { title: block.data.ref.spec }, context),
];

export const renderSchemas: BlockRenderer<'openapi-schemas'> = ({ data }, context) => {
  const api = context.resolver.specification?.(data.ref);
  if (!api)
    return [
      el(
        'div',
        { class: 'api' },
        endpoint('', data.schemas.join(', ')),
        source(data, { title: data.ref.spec }, context),
      ),
    ];
  return data.schemas.map((name) => {
    const schema = api.at(['components', 'schemas', name]) ?? api.at(['definitions', name]);
    const found = followed(api, schema);
    const fields = fieldContextOf(api, context);
    return el(
      'div',
      { class: classes('api', data.fullWidth && 'wide') },
      endpoint('', name),
      found
        ? [described(textAt(found.value, 'description'), context), wholeSchema(schema, fields)]
        : source(data, { title: data.ref.spec }, context),
    );
  });
};

/** The method and path of an operation. */
function endpoint(method: string, path: string): ElementContent {
  const name = method.toLowerCase();
  return el(
    'div',
    { class: 'endpoint' },
    method === ''
      ? []
      : el('span', { class: classes('method', METHODS.has(name) && `method-${name}`) }, textNode(method.toUpperCase())),
    el('code', { class: 'path' }, textNode(path)),
  );
}

/** A link to the specification, for readers who want to read it themselves, or its name and words that it is not there. */
function source({ link }: OpenApiExtras, otherwise: LinkFacts, context: RenderContext): ElementContent[] {
  const facts: LinkFacts = link ? { href: link.url, title: link.title, isExternal: true } : otherwise;
  const attributes = linkAttributes(facts, context);
  const title = textNode(facts.title ?? '');
  return [
    ...(title.value === ''
      ? []
      : [el('div', { class: 'api-source' }, attributes ? el('a', attributes, title) : title)]),
    ...(attributes ? [] : unavailable(context)),
  ];
}

/** An operation if its specification is known, else a link to the specification. */
function shown(
  block: Block<'swagger'> | Block<'openapi-operation'> | Block<'openapi-webhook'>,
  head: ElementContent,
  otherwise: LinkFacts,
  context: RenderContext,
): ElementContent {
  const { data } = block;
  const api = context.resolver.specification?.(data.ref);
  const found = operationIn(block, context.resolver);
  const content =
    api && found ? operationContent(found, block.type, fieldContextOf(api, context)) : source(data, otherwise, context);
  return el('div', { class: classes('api', data.fullWidth && 'wide') }, head, content);
}

function operationContent(found: ApiOperation, type: Block['type'], fields: FieldContext): ElementContent[] {
  const { context } = fields;
  const { labels } = context;
  const places: [Parameter['place'], string][] = [
    ['path', labels.pathParameters],
    ['query', labels.queryParameters],
    ['header', labels.headerParameters],
    ['cookie', labels.cookieParameters],
  ];
  return [
    ...(found.summary === undefined || found.summary === context.progress.outline.at(-1)?.title
      ? []
      : [el('p', { class: 'api-summary' }, textNode(found.summary))]),
    ...(found.isDeprecated ? [el('p', {}, el('span', { class: 'option' }, labels.deprecated))] : []),
    ...described(found.description, context),
    ...part(
      labels.servers,
      found.servers.map((url) => el('p', {}, el('code', {}, textNode(url)))),
    ),
    ...part(
      labels.authorization,
      found.security.map(({ name, how, scopes }) =>
        el(
          'p',
          {},
          el('code', {}, textNode(name)),
          textNode(how === '' ? '' : ` · ${how}`),
          scopes.length > 0 ? textNode(` (${scopes.join(', ')})`) : [],
        ),
      ),
    ),
    ...places.flatMap(([place, label]) =>
      part(
        label,
        parameterList(
          found.parameters.filter((each) => each.place === place),
          fields,
        ),
      ),
    ),
    ...(found.body
      ? part(labels.requestBody, [
          ...described(found.body.description, context),
          ...found.body.media.flatMap((media) => mediaContent(media, fields)),
        ])
      : []),
    ...(type === 'openapi-webhook' ? [] : plainCode(sampleOf(found), 'sh', context, 'curl')),
    ...part(
      labels.responses,
      found.responses.map((response) => responseElement(response, fields)),
    ),
  ];
}

function part(label: string, content: ElementContent[]): ElementContent[] {
  return content.length === 0
    ? []
    : [el('div', { class: 'api-part' }, el('p', { class: 'api-label' }, textNode(label)), content)];
}

function parameterList(parameters: readonly Parameter[], fields: FieldContext): ElementContent[] {
  return parameters.length === 0
    ? []
    : [
        el(
          'ul',
          { class: 'fields' },
          parameters.map((each) => parameterField(each, fields)),
        ),
      ];
}

/** A body of one media type: its fields and an example. */
function mediaContent(media: Media, fields: FieldContext): ElementContent[] {
  const example =
    media.example === undefined
      ? []
      : plainCode(
          media.example,
          sampleLanguage(media),
          fields.context,
          `${fields.context.labels.example} · ${media.type}`,
        );
  return [el('p', { class: 'field-type' }, textNode(media.type)), ...wholeSchema(media.schema, fields), ...example];
}

function responseElement({ status, description, headers, media }: Response, fields: FieldContext): ElementContent {
  const [first = '', ...rest] = (description ?? '').split('\n');
  const title = [
    el('span', { class: classes('status', `status-${status.charAt(0).toLowerCase()}`) }, textNode(status)),
    el('span', {}, textNode(first)),
  ];
  const content = [
    ...(rest.join('').trim() === '' ? [] : described(description, fields.context)),
    ...part(fields.context.labels.headers, parameterList(headers, fields)),
    ...media.flatMap((each) => mediaContent(each, fields)),
  ];
  return content.length === 0
    ? el('div', { class: ['expandable', 'response'] }, title)
    : el(
        'details',
        { class: 'expandable' },
        el('summary', {}, title),
        el('div', { class: 'expandable-body' }, content),
      );
}
