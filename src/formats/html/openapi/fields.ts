import type { ElementContent } from 'hast';
import { descriptionBlocks } from '../../markdown/description.js';
import { classes, el, textNode } from '../elements.js';
import type { RenderContext } from '../render-context.js';
import { followed, type ApiDescription } from './description.js';
import type { Parameter } from './operation.js';
import { nameOrType, schemaView, valueText, type SchemaView } from './schema.js';

const MAX_DEPTH = 8;
/** Maximum number of fields of one operation; further ones are left out. */
const MAX_FIELDS = 400;

/** The context of fields while those of one operation are rendered. */
export interface FieldContext {
  readonly api: ApiDescription;
  readonly context: RenderContext;
  readonly counted: { left: number };
  /** Pointers of the enclosing schemas: a recursive schema is named once more, and not expanded again. */
  readonly within: readonly string[];
}

export function fieldContextOf(api: ApiDescription, context: RenderContext): FieldContext {
  return { api, context, counted: { left: MAX_FIELDS }, within: [] };
}

/** Renders Markdown of a specification, without anchors of its own. */
export function described(text: string | undefined, context: RenderContext): ElementContent[] {
  if (text === undefined) return [];
  if (/^[\p{L}\p{N} ,.;:'"()?/%+=-]*$/u.test(text) && !/^\s*(\d+\.|[-+=])/.test(text))
    return [el('p', {}, textNode(text))];
  return context.blocks(descriptionBlocks(text), { ...context, anchors: new Map(), isOutlined: false });
}

export function parameterField(
  { name, isRequired, isDeprecated, description, schema, example }: Parameter,
  fields: FieldContext,
): ElementContent {
  const view = schemaView(fields.api, schema);
  const facts =
    example === undefined || view?.facts.some(({ label }) => label === 'example')
      ? []
      : [{ label: 'example' as const, text: valueText(example) }];
  return field({ name, isRequired, isDeprecated, description: description ?? view?.description, view, facts }, fields);
}

interface FieldFacts {
  readonly name: string;
  readonly isRequired: boolean;
  readonly isDeprecated?: boolean;
  readonly description: string | undefined;
  readonly view: SchemaView | undefined;
  readonly facts?: SchemaView['facts'];
}

function field(
  { name, isRequired, isDeprecated, description, view, facts = [] }: FieldFacts,
  fields: FieldContext,
): ElementContent {
  const { labels } = fields.context;
  const flags = (['deprecated', 'readOnly', 'writeOnly'] as const).filter(
    (flag) => view?.flags.includes(flag) || (flag === 'deprecated' && isDeprecated),
  );
  return el(
    'li',
    { class: 'field' },
    el(
      'div',
      { class: 'field-head' },
      el('code', { class: classes('field-name', flags.includes('deprecated') && 'old') }, textNode(name)),
      ' ',
      view && view.type !== '' ? [el('span', { class: 'field-type' }, textNode(view.type)), ' '] : [],
      isRequired ? [el('span', { class: 'field-required' }, labels.required), ' '] : [],
      flags.map((flag) => [el('span', { class: 'option' }, labels[flag]), ' ']),
    ),
    described(description, fields.context),
    factsList([...(view?.facts ?? []), ...facts], fields.context),
    view ? inside(view, fields) : [],
  );
}

function factsList(facts: SchemaView['facts'], { labels }: RenderContext): ElementContent[] {
  if (facts.length === 0) return [];
  return [
    el(
      'ul',
      { class: 'facts' },
      facts.map(({ label, text }) =>
        el('li', {}, label === 'none' ? [] : textNode(`${labels[label]}: `), el('code', {}, textNode(text))),
      ),
    ),
  ];
}

/** The content of a schema: its properties, items and variants, each expandable. */
function inside(view: SchemaView, fields: FieldContext): ElementContent[] {
  if ((view.pointer !== undefined && fields.within.includes(view.pointer)) || fields.within.length >= MAX_DEPTH)
    return [];
  const deeper = { ...fields, within: [...fields.within, view.pointer ?? ''] };
  const own =
    view.properties.length > 0
      ? [opened(view.name ?? fields.context.labels.properties, [propertyList(view, deeper)])]
      : [];
  return [...own, ...others(view, deeper)];
}

/** The content of a schema beside its properties. */
function others(view: SchemaView, fields: FieldContext): ElementContent[] {
  const {
    api,
    context: { labels },
  } = fields;
  const items = view.items === undefined ? undefined : schemaView(api, view.items);
  const more = view.otherProperties === undefined ? undefined : schemaView(api, view.otherProperties);
  const variants = (view.variants?.schemas ?? []).flatMap((schema, index): ElementContent[] => {
    const variant = schemaView(api, schema);
    const found = followed(api, schema);
    const content = variant
      ? [...described(variant.description, fields.context), ...schemaContent(variant, fields)]
      : [];
    const title = `${index + 1}. ${found ? nameOrType(api, found) : ''}`;
    const hasMore =
      variant &&
      (variant.properties.length > 0 ||
        variant.description !== undefined ||
        variant.variants ||
        variant.items !== undefined ||
        variant.facts.length > 0);
    return content.length === 0
      ? []
      : [hasMore ? opened(title, content) : el('p', { class: 'field-type' }, textNode(title))];
  });
  return [
    ...(items ? inside(items, fields) : []),
    ...(more ? inside({ ...more, name: `${labels.otherProperties}: ${more.name ?? more.type}` }, fields) : []),
    ...(variants.length > 0 && view.variants
      ? [el('p', { class: 'api-label' }, labels[view.variants.of]), ...variants]
      : []),
  ];
}

function opened(title: string, content: ElementContent[]): ElementContent {
  return el('details', { class: 'fields-more' }, el('summary', {}, textNode(title)), content);
}

function propertyList(view: SchemaView, fields: FieldContext): ElementContent {
  const items: ElementContent[] = [];
  for (const { name, schema, isRequired } of view.properties) {
    if (fields.counted.left-- <= 0) break;
    const own = schemaView(fields.api, schema);
    items.push(field({ name, isRequired, description: own?.description, view: own }, fields));
  }
  return el('ul', { class: 'fields' }, items);
}

/** A schema at the top level: its properties are expanded. */
function schemaContent(view: SchemaView, fields: FieldContext): ElementContent[] {
  if ((view.pointer !== undefined && fields.within.includes(view.pointer)) || fields.within.length >= MAX_DEPTH)
    return [];
  const deeper = { ...fields, within: [...fields.within, view.pointer ?? ''] };
  const type =
    view.properties.length === 0 && view.type !== '' ? [el('p', { class: 'field-type' }, textNode(view.type))] : [];
  return [
    ...type,
    ...factsList(view.facts, fields.context),
    ...(view.properties.length > 0 ? [propertyList(view, deeper)] : []),
    ...others(view, deeper),
  ];
}

/** The schema of a body or of a schema block. */
export function wholeSchema(schema: unknown, fields: FieldContext): ElementContent[] {
  const view = schemaView(fields.api, schema);
  return view ? schemaContent(view, fields) : [];
}
