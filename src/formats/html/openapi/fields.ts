import type { ElementContent } from 'hast';
import { beginningOf } from '../../document/characters.js';
import { descriptionBlocks } from '../../markdown/description.js';
import { tabsElement } from '../blocks/tabs.js';
import { classes, el, textNode } from '../elements.js';
import type { RenderContext } from '../render-context.js';
import { followed, type ApiDescription } from './description.js';
import { ElementIds, placeBelow } from './element-ids.js';
import type { Parameter } from './operation.js';
import { schemaView, valueText, variantLabel, type SchemaView } from './schema.js';

/** The amount that is shown of one operation or schema: less of it where its page would become too large. */
export interface ShownAmount {
  /** Maximum number of fields; further ones are counted. */
  readonly fields: number;
  /** Maximum number of schemas within each other. */
  readonly depth: number;
  /** Maximum number of examples of responses. */
  readonly examples: number;
  /** Set where bodies have no examples either: the maximum length of descriptions, and of lists of parameters and responses. */
  readonly brief?: { readonly description: number; readonly listed: number };
}

/** The context of fields while those of one operation are rendered. */
export interface FieldContext {
  readonly api: ApiDescription;
  readonly context: RenderContext;
  readonly counted: { left: number; examples: number };
  readonly maxDepth: number;
  readonly brief: ShownAmount['brief'];
  /** Pointers of the enclosing schemas: a recursive schema is named once more, and not expanded again. */
  readonly within: readonly string[];
  readonly ids: ElementIds;
  /** The place of what is rendered, to which the names of fields are added for their addresses. */
  readonly place: string;
}

export function fieldContextOf(
  api: ApiDescription,
  context: RenderContext,
  { fields, depth, examples, brief }: ShownAmount,
  prefix = '',
): FieldContext {
  return {
    api,
    context: brief ? { ...context, longestDescription: brief.description } : context,
    counted: { left: fields, examples },
    maxDepth: depth,
    brief,
    within: [],
    ids: new ElementIds(prefix),
    place: '',
  };
}

const MAX_TABS = 8;

/** Renders Markdown of a specification, without anchors of its own. */
export function described(whole: string | undefined, context: RenderContext): ElementContent[] {
  if (whole === undefined) return [];
  const { longestDescription = Infinity } = context;
  // Markdown that is cut may have no end.
  if (whole.length > longestDescription) return [el('p', {}, textNode(`${beginningOf(whole, longestDescription)}…`))];
  const text = whole;
  if (/^[\p{L}\p{N} ,.;:'"()?/%+=-]*$/u.test(text) && !/^\s*(\d+\.|[-+=])/.test(text))
    return [el('p', {}, textNode(text))];
  return context.blocks(descriptionBlocks(text), { ...context, anchors: new Map(), isOutlined: false });
}

export function parameterField(
  { name, place: shownPlace, isRequired, isDeprecated, description, schema, example }: Parameter,
  fields: FieldContext,
): ElementContent {
  const view = schemaView(fields.api, schema);
  const facts =
    example === undefined || view?.facts.some(({ label }) => label === 'example')
      ? []
      : [{ label: 'example' as const, text: valueText(example) }];
  const place = fields.place === '' ? { ...fields, place: shownPlace } : fields;
  return field({ name, isRequired, isDeprecated, description: description ?? view?.description, view, facts }, place);
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
  above: FieldContext,
): ElementContent {
  const fields = { ...above, place: placeBelow(above.place, name) };
  const { labels } = fields.context;
  const id = fields.ids.take(fields.place);
  const flags = (['deprecated', 'readOnly', 'writeOnly'] as const).filter(
    (flag) => view?.flags.includes(flag) || (flag === 'deprecated' && isDeprecated),
  );
  return el(
    'li',
    { class: 'field', id },
    el(
      'div',
      { class: 'field-head' },
      el(
        'code',
        { class: classes('field-name', flags.includes('deprecated') && 'old') },
        linkToItself(name, id, fields.context),
      ),
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

/** A name that leads to its own address, for readers who want to pass it on. */
function linkToItself(name: string, id: string, { resolver, isLinked }: RenderContext): ElementContent {
  return resolver.withoutAnchorLinks === true || isLinked
    ? textNode(name)
    : el('a', { href: `#${encodeURIComponent(id).replaceAll('%3A', ':')}` }, textNode(name));
}

function factsList(facts: SchemaView['facts'], { labels }: RenderContext): ElementContent[] {
  if (facts.length === 0) return [];
  return [
    el(
      'ul',
      { class: 'facts' },
      facts.map(({ label, text, more }) =>
        el(
          'li',
          {},
          label === 'none' ? [] : textNode(`${labels[label]}: `),
          el('code', {}, textNode(text)),
          more
            ? opened(labels.andMore.replace('{count}', String(more.count)), [el('code', {}, textNode(more.text))])
            : [],
        ),
      ),
    ),
  ];
}

/** The content of a schema: its properties, items and variants, each expandable. */
function inside(view: SchemaView, fields: FieldContext): ElementContent[] {
  if ((view.pointer !== undefined && fields.within.includes(view.pointer)) || fields.within.length >= fields.maxDepth)
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
  const { variants: several } = view;
  const variants = (several?.schemas ?? []).flatMap((schema, index): Variant[] => {
    const variant = schemaView(api, schema);
    const found = followed(api, schema);
    const content = variant
      ? [...described(variant.description, fields.context), ...schemaContent(variant, fields)]
      : [];
    const title = `${index + 1}. ${found && several ? variantLabel(api, found, several) : ''}`;
    const hasMore =
      variant &&
      (variant.properties.length > 0 ||
        variant.description !== undefined ||
        variant.variants ||
        variant.items !== undefined ||
        variant.facts.length > 0);
    return content.length === 0 ? [] : [{ title, content, hasMore: Boolean(hasMore) }];
  });
  return [
    ...(items ? inside(items, fields) : []),
    ...(more ? inside({ ...more, name: `${labels.otherProperties}: ${more.name ?? more.type}` }, fields) : []),
    ...(variants.length > 0 && several
      ? [el('p', { class: 'api-label' }, labels[several.of]), ...variantElements(variants, fields.context)]
      : []),
  ];
}

/** One of several schemas; `hasMore` tells that it says more than its title does. */
interface Variant {
  readonly title: string;
  readonly content: ElementContent[];
  readonly hasMore: boolean;
}

/** Few schemas of which one is chosen are tabs; many of them, and those that are types alone, are below each other. */
function variantElements(variants: readonly Variant[], context: RenderContext): ElementContent[] {
  const isTabbed = variants.length > 1 && variants.length <= MAX_TABS && variants.some(({ hasMore }) => hasMore);
  return isTabbed
    ? tabsElement(
        variants.map(({ title, content }) => ({ label: [textNode(title)], content })),
        context,
        'variants',
      )
    : variants
        .map(({ title, content, hasMore }) =>
          hasMore ? opened(title, content) : el('p', { class: 'field-type' }, textNode(title)),
        )
        .flat();
}

function opened(title: string, content: ElementContent[]): ElementContent {
  return el('details', { class: 'fields-more' }, el('summary', {}, textNode(title)), content);
}

function propertyList(view: SchemaView, fields: FieldContext): ElementContent {
  const items: ElementContent[] = [];
  for (const [index, { name, schema, isRequired }] of view.properties.entries()) {
    if (fields.counted.left-- <= 0) {
      const count = String(view.properties.length - index);
      items.push(el('li', { class: 'field' }, textNode(fields.context.labels.andMore.replace('{count}', count))));
      break;
    }
    const own = schemaView(fields.api, schema);
    items.push(field({ name, isRequired, description: own?.description, view: own }, fields));
  }
  return el('ul', { class: 'fields' }, items);
}

/** A schema at the top level: its properties are expanded. */
function schemaContent(view: SchemaView, fields: FieldContext): ElementContent[] {
  if ((view.pointer !== undefined && fields.within.includes(view.pointer)) || fields.within.length >= fields.maxDepth)
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
