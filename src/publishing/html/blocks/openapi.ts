import type { ElementContent } from 'hast';
import { h } from 'hastscript';
import type { OpenApiExtras } from '../../../content/domain/document/types.js';
import { classes, linkAttributes, words } from '../elements.js';
import type { LinkFacts, Renderer, Scene } from '../scene.js';

const METHODS: ReadonlySet<string> = new Set(['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace', 'query']);

export const swagger: Renderer<'swagger'> = ({ data }, scene) => {
  const facts = scene.surroundings.link(data.ref);
  return [endpoint(data.method, data.path, data, { ...facts, title: facts.title ?? facts.href ?? '' }, scene)];
};
export const operation: Renderer<'openapi-operation'> = ({ data }, scene) => [endpoint(data.method, data.path, data, { title: data.ref.spec }, scene)];
export const webhook: Renderer<'openapi-webhook'> = ({ data }, scene) => [endpoint(data.method, data.name, data, { title: data.ref.spec }, scene)];
export const schemas: Renderer<'openapi-schemas'> = ({ data }, scene) => [endpoint('', data.schemas.join(', '), data, { title: data.ref.spec }, scene)];

/** The method and path of an operation, and the specification that says more. */
function endpoint(method: string, path: string, { link }: OpenApiExtras, source: LinkFacts, scene: Scene): ElementContent {
  const facts: LinkFacts = link ? { href: link.url, title: link.title, isExternal: true } : source;
  const attributes = linkAttributes(facts, scene);
  const title = words(facts.title ?? '');
  const name = method.toLowerCase();
  return h('div', { class: 'api' },
    h('div', { class: 'endpoint' }, method === '' ? [] : h('span', { class: classes('method', METHODS.has(name) && `method-${name}`) }, words(method.toUpperCase())), h('code', { class: 'path' }, words(path))),
    title.value === '' ? [] : h('div', { class: 'api-source' }, attributes ? h('a', attributes, title) : title));
}
