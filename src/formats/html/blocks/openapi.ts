import type { ElementContent } from 'hast';
import type { Block, OpenApiExtras } from '../../document/types.js';
import { classes, el, linkAttributes, textNode } from '../elements.js';
import { htmlOf } from '../../../kernel/common/html.js';
import { OPERATION_METHODS } from '../../openapi/domain/operation-methods.js';
import { anchorOf } from '../../document/anchors.js';
import { textAt, followed, type ApiDescription } from '../openapi/description.js';
import { consoleOf } from '../openapi/console.js';
import { placeBelow } from '../openapi/element-ids.js';
import {
  described,
  fieldContextOf,
  parameterField,
  wholeSchema,
  type FieldContext,
  type ShownAmount,
} from '../openapi/fields.js';
import type { ApiOperation, Callback, Media, Parameter, Response } from '../openapi/operation.js';
import type { ResponseLink } from '../openapi/response-links.js';
import { codeSamples, operationIn, sampleLanguage } from '../openapi/samples.js';
import type { LinkFacts, BlockRenderer, RenderContext } from '../render-context.js';
import { plainCode } from './code.js';
import { tabsElement } from './tabs.js';
import { unavailable } from './unavailable.js';

const METHODS: ReadonlySet<string> = new Set(OPERATION_METHODS);

/** The least that is shown: what it is and where it can be read whole. */
const LEAST: ShownAmount = { fields: 20, depth: 1, examples: 0, brief: { description: 200, listed: 20 } };
/**
 * Amounts of an operation or schema, of which the first is shown that its page has room for. Once room is short, those
 * after it on the page begin with that one: trying all amounts for each of hundreds takes long.
 */
const AMOUNTS: readonly ShownAmount[] = [
  { fields: 400, depth: 8, examples: 30 },
  { fields: 200, depth: 4, examples: 1 },
  { fields: 100, depth: 2, examples: 1 },
  { fields: 40, depth: 1, examples: 0 },
  LEAST,
];
/** Room of a page below which nothing but the names of further operations is shown, in bytes of HTML. */
const MIN_ROOM = 2_000;
/** Room in which each operation is tried whole, in bytes of HTML. */
const AMPLE_ROOM = 100_000;
/** Sources of one page to which requests may be sent. */
const MAX_SOURCES = 80;

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
    const id = context.progress.newId(`schema-${anchorOf(name)}`);
    const whole = (amount: ShownAmount, prefix: string): ElementContent[] => {
      const fields = { ...fieldContextOf(api, context, amount, prefix), place: 'schema' };
      return [
        ...described(found && textAt(found.value, 'description'), fields.context),
        ...wholeSchema(schema, fields),
        ...briefNote(fields),
      ];
    };
    return el(
      'div',
      { class: classes('api', data.fullWidth && 'wide'), id },
      endpoint('', name),
      found ? fitted(id, context, whole, () => []) : source(data, { title: data.ref.spec }, context),
    );
  });
};

/**
 * As much of an operation or schema as its page has room for. The first one on a page has the shortest addresses within
 * it, those of the others begin with theirs.
 */
function fitted(
  id: string,
  { progress, labels }: RenderContext,
  render: (amount: ShownAmount, prefix: string) => ElementContent[],
  namesOnly: () => ElementContent[],
): ElementContent[] {
  const prefix = progress.specified++ === 0 ? '' : `${id}:`;
  const { left, hasImage } = progress;
  if (progress.room >= MIN_ROOM)
    for (let tried = progress.room >= AMPLE_ROOM ? 0 : progress.amount; tried < AMOUNTS.length; tried++) {
      progress.amount = tried;
      const content = render(AMOUNTS[tried] ?? LEAST, prefix);
      const size = Buffer.byteLength(htmlOf(content));
      if (size <= progress.room) {
        progress.room -= size;
        return content;
      }
      // Nothing of it is shown.
      Object.assign(progress, { left, hasImage });
    }
  return [...namesOnly(), el('p', { class: 'field-type' }, textNode(labels.notShown))];
}

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
  const attributes = { class: classes('api', data.fullWidth && 'wide') };
  if (!api || !found) return el('div', attributes, head, source(data, otherwise, context));
  const id = context.progress.newId(anchorOf(`${found.method} ${found.path}`));
  const console = block.type === 'openapi-webhook' ? [] : consoleButton(api, found, context);
  const content = fitted(
    id,
    context,
    (amount, prefix) => operationContent(found, block.type, fieldContextOf(api, context, amount, prefix)),
    () => summaryOf(found, context),
  );
  return el('div', { ...attributes, id }, head, console, content);
}

/** The button that opens the console of an operation, with all that it needs, where the page has one and room for it. */
function consoleButton(api: ApiDescription, found: ApiOperation, context: RenderContext): ElementContent[] {
  const { progress, resolver, labels } = context;
  const console = resolver.hasConsole === true ? consoleOf(api, found) : undefined;
  if (!console) return [];
  const button = el(
    'button',
    { type: 'button', class: 'button secondary api-try', dataConsole: JSON.stringify(console.facts) },
    textNode(labels.tryIt),
  );
  const size = Buffer.byteLength(htmlOf([button]));
  const hasSources = new Set([...progress.apiSources, ...console.sources]).size <= MAX_SOURCES;
  if (!hasSources || size > progress.room - AMPLE_ROOM / 10) return [];
  progress.room -= size;
  for (const source of console.sources) progress.apiSources.add(source);
  return [button];
}

/** The summary of an operation, unless it stands above already. */
function summaryOf({ summary }: ApiOperation, { progress, resolver }: RenderContext): ElementContent[] {
  return summary === undefined || summary === (progress.outline.at(-1)?.title ?? resolver.title)
    ? []
    : [el('p', { class: 'api-summary' }, textNode(summary))];
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
    ...summaryOf(found, context),
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
          ...found.body.media.flatMap((media) => mediaContent(media, { ...fields, place: 'body' })),
        ])
      : []),
    ...(type === 'openapi-webhook' || fields.brief ? [] : samplesElement(found, context)),
    ...part(labels.responses, listed(found.responses, fields, responseElement, 'p')),
    ...part(labels.callbacks, listed(found.callbacks, fields, callbackElement, 'p')),
    ...briefNote(fields),
  ];
}

/** The request in several languages, or in the only one. */
function samplesElement(found: ApiOperation, context: RenderContext): ElementContent[] {
  const [first, ...others] = codeSamples(found, context.progress.roomForSamples);
  if (!first) return [];
  if (others.length === 0) return plainCode(first.code, first.syntax, context, first.title);
  const tabs = [first, ...others].map(({ title, syntax, code }) => ({
    label: [textNode(title)],
    content: plainCode(code, syntax, context),
  }));
  return tabsElement(tabs, context, 'samples');
}

/** A request that the API makes: what it sends, and what it takes as an answer. */
function callbackElement({ name, operation }: Callback, above: FieldContext): ElementContent {
  const place = placeBelow('callback', name);
  const id = above.ids.take(place);
  return el(
    'details',
    { class: 'expandable', id },
    el('summary', {}, el('span', {}, textNode(name))),
    el(
      'div',
      { class: 'expandable-body' },
      endpoint(operation.method, operation.path),
      // Its own summary is nowhere else.
      operation.summary === undefined ? [] : el('p', { class: 'api-summary' }, textNode(operation.summary)),
      operationContent({ ...withoutSummary(operation), callbacks: [] }, 'openapi-webhook', { ...above, place }),
    ),
  );
}

function withoutSummary({ summary: _, ...operation }: ApiOperation): ApiOperation {
  return operation;
}

/** A note that much is missing. */
function briefNote({ brief, context }: FieldContext): ElementContent[] {
  return brief ? [el('p', { class: 'field-type' }, textNode(context.labels.notShown))] : [];
}

/** The elements of a list, or its first ones with the number of the others. */
function listed<Each>(
  all: readonly Each[],
  fields: FieldContext,
  element: (each: Each, fields: FieldContext) => ElementContent,
  name: 'p' | 'li',
): ElementContent[] {
  const some = all.slice(0, fields.brief?.listed ?? all.length);
  const more = fields.context.labels.andMore.replace('{count}', String(all.length - some.length));
  return [
    ...some.map((each) => element(each, fields)),
    ...(some.length < all.length ? [el(name, { class: 'field' }, textNode(more))] : []),
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
    : [el('ul', { class: 'fields' }, listed(parameters, fields, parameterField, 'li'))];
}

/** A body of one media type: its fields and an example. */
function mediaContent(media: Media, fields: FieldContext): ElementContent[] {
  const isResponse = fields.place !== 'body';
  const example =
    media.example === undefined || fields.brief || (isResponse && fields.counted.examples-- <= 0)
      ? []
      : plainCode(
          media.example,
          sampleLanguage(media),
          fields.context,
          `${fields.context.labels.example} · ${media.type}`,
        );
  return [el('p', { class: 'field-type' }, textNode(media.type)), ...wholeSchema(media.schema, fields), ...example];
}

/** The operations for which a response has values, each with a link to its page. */
function linkList(links: readonly ResponseLink[], context: RenderContext): ElementContent[] {
  const { operations = {} } = context.resolver;
  const items = links.map(({ name, description, operation, values }) => {
    const href = Object.hasOwn(operations, operation) ? operations[operation] : undefined;
    const attributes = linkAttributes({ ...(href !== undefined && { href }) }, context);
    const target = el('code', {}, textNode(operation));
    return el(
      'li',
      { class: 'field' },
      el('div', { class: 'field-head' }, textNode(`${name}: `), attributes ? el('a', attributes, target) : target),
      described(description, context),
      values.length === 0
        ? []
        : el(
            'ul',
            { class: 'facts' },
            values.map((value) => el('li', {}, textNode(`${value.name}: `), el('code', {}, textNode(value.from)))),
          ),
    );
  });
  return items.length === 0 ? [] : [el('ul', { class: 'fields' }, items)];
}

function responseElement(
  { status, description, headers, media, links }: Response,
  above: FieldContext,
): ElementContent {
  const place = placeBelow('response', status);
  const fields = { ...above, place };
  const id = fields.ids.take(place);
  const [first = '', ...rest] = (description ?? '').split('\n');
  const title = [
    el('span', { class: classes('status', `status-${status.charAt(0).toLowerCase()}`) }, textNode(status)),
    el('span', {}, textNode(first)),
  ];
  const inHeaders = { ...fields, place: placeBelow(place, 'header') };
  const content = [
    ...(rest.join('').trim() === '' ? [] : described(description, fields.context)),
    ...part(fields.context.labels.headers, parameterList(headers, inHeaders)),
    ...media.flatMap((each) => mediaContent(each, fields)),
    ...part(fields.context.labels.linkedOperations, linkList(links, fields.context)),
  ];
  return content.length === 0
    ? el('div', { class: ['expandable', 'response'], id }, title)
    : el(
        'details',
        { class: 'expandable', id },
        el('summary', {}, title),
        el('div', { class: 'expandable-body' }, content),
      );
}
