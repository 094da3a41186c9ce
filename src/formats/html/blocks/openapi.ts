import type { ElementContent } from 'hast';
import type { Block, OpenApiExtras } from '../../document/types.js';
import { classes, el, linkAttributes, words } from '../elements.js';
import { textAt, followed } from '../openapi/description.js';
import { described, fieldsOf, parameterField, wholeSchema, type Fields } from '../openapi/fields.js';
import { sampleOf, type Media, type Operation, type Parameter, type Response } from '../openapi/operation.js';
import { languageOf, operationIn } from '../openapi/samples.js';
import type { LinkFacts, Renderer, Scene } from '../scene.js';
import { plainCode } from './code.js';

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

export const swagger: Renderer<'swagger'> = (block, scene) => {
  const facts = scene.surroundings.link(block.data.ref);
  const source = { ...facts, title: facts.title ?? facts.href ?? '' };
  return [shown(block, endpoint(block.data.method, block.data.path), source, scene)];
};
export const operation: Renderer<'openapi-operation'> = (block, scene) => [
  shown(block, endpoint(block.data.method, block.data.path), { title: block.data.ref.spec }, scene),
];
export const webhook: Renderer<'openapi-webhook'> = (block, scene) => [
  shown(block, endpoint(block.data.method, block.data.name), { title: block.data.ref.spec }, scene),
];

export const schemas: Renderer<'openapi-schemas'> = ({ data }, scene) => {
  const api = scene.surroundings.specification?.(data.ref);
  if (!api)
    return [
      el('div', { class: 'api' }, endpoint('', data.schemas.join(', ')), source(data, { title: data.ref.spec }, scene)),
    ];
  return data.schemas.map((name) => {
    const schema = api.at(['components', 'schemas', name]) ?? api.at(['definitions', name]);
    const found = followed(api, schema);
    const fields = fieldsOf(api, scene);
    return el(
      'div',
      { class: classes('api', data.fullWidth && 'wide') },
      endpoint('', name),
      found
        ? [described(textAt(found.value, 'description'), scene), wholeSchema(schema, fields)]
        : source(data, { title: data.ref.spec }, scene),
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
      : el('span', { class: classes('method', METHODS.has(name) && `method-${name}`) }, words(method.toUpperCase())),
    el('code', { class: 'path' }, words(path)),
  );
}

/** Where the specification is, for those who want to read it themselves. */
function source({ link }: OpenApiExtras, otherwise: LinkFacts, scene: Scene): ElementContent[] {
  const facts: LinkFacts = link ? { href: link.url, title: link.title, isExternal: true } : otherwise;
  const attributes = linkAttributes(facts, scene);
  const title = words(facts.title ?? '');
  return title.value === ''
    ? []
    : [el('div', { class: 'api-source' }, attributes ? el('a', attributes, title) : title)];
}

/** An operation as far as its specification is known, else where that is. */
function shown(
  block: Block<'swagger'> | Block<'openapi-operation'> | Block<'openapi-webhook'>,
  head: ElementContent,
  otherwise: LinkFacts,
  scene: Scene,
): ElementContent {
  const { data } = block;
  const api = scene.surroundings.specification?.(data.ref);
  const found = operationIn(block, scene.surroundings);
  const content =
    api && found ? operationContent(found, block.type, fieldsOf(api, scene)) : source(data, otherwise, scene);
  return el('div', { class: classes('api', data.fullWidth && 'wide') }, head, content);
}

function operationContent(found: Operation, type: Block['type'], fields: Fields): ElementContent[] {
  const { scene } = fields;
  const { labels } = scene;
  const summary =
    type === 'swagger' && found.summary !== undefined ? [el('p', { class: 'api-summary' }, words(found.summary))] : [];
  const places: [Parameter['place'], string][] = [
    ['path', labels.pathParameters],
    ['query', labels.queryParameters],
    ['header', labels.headerParameters],
    ['cookie', labels.cookieParameters],
  ];
  return [
    ...summary,
    ...(found.isDeprecated ? [el('p', {}, el('span', { class: 'option' }, labels.deprecated))] : []),
    ...described(found.description, scene),
    ...part(
      labels.servers,
      found.servers.map((url) => el('p', {}, el('code', {}, words(url)))),
    ),
    ...part(
      labels.authorization,
      found.security.map(({ name, how, scopes }) =>
        el(
          'p',
          {},
          el('code', {}, words(name)),
          words(how === '' ? '' : ` · ${how}`),
          scopes.length > 0 ? words(` (${scopes.join(', ')})`) : [],
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
          ...described(found.body.description, scene),
          ...found.body.media.flatMap((media) => mediaContent(media, fields)),
        ])
      : []),
    ...(type === 'openapi-webhook' ? [] : plainCode(sampleOf(found), 'sh', scene, 'curl')),
    ...part(
      labels.responses,
      found.responses.map((response) => responseElement(response, fields)),
    ),
  ];
}

function part(label: string, content: ElementContent[]): ElementContent[] {
  return content.length === 0
    ? []
    : [el('div', { class: 'api-part' }, el('p', { class: 'api-label' }, words(label)), content)];
}

function parameterList(parameters: readonly Parameter[], fields: Fields): ElementContent[] {
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
function mediaContent(media: Media, fields: Fields): ElementContent[] {
  const example =
    media.example === undefined
      ? []
      : plainCode(media.example, languageOf(media), fields.scene, `${fields.scene.labels.example} · ${media.type}`);
  return [el('p', { class: 'field-type' }, words(media.type)), ...wholeSchema(media.schema, fields), ...example];
}

function responseElement({ status, description, headers, media }: Response, fields: Fields): ElementContent {
  const [first = '', ...rest] = (description ?? '').split('\n');
  const title = [
    el('span', { class: classes('status', `status-${status.charAt(0).toLowerCase()}`) }, words(status)),
    el('span', {}, words(first)),
  ];
  const content = [
    ...(rest.join('').trim() === '' ? [] : described(description, fields.scene)),
    ...part(fields.scene.labels.headers, parameterList(headers, fields)),
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
