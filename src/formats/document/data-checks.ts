import {
  address,
  anyOf,
  anything,
  boolean,
  type Check,
  fields,
  type FieldChecks,
  isObject,
  listOf,
  map,
  number,
  oneOf,
  optional,
  string,
} from './checks.js';
import type { BlockType, Color, ContentRefKind, InlineType } from './types.js';

export const TEXT_COLORS = [
  'default',
  'green',
  'blue',
  'red',
  'orange',
  'yellow',
  'purple',
  'pink',
  'violet',
  'cyan',
  '$tint',
  '$primary',
  '$info',
  '$success',
  '$warning',
  '$danger',
] as const satisfies readonly Color[];

/** The smallest and largest height of a cover, in pixels. */
export const COVER_HEIGHT = { min: 10, max: 700 } as const;
export const COVER_SIZES = ['hero', 'full', 'background'] as const;
export type CoverSize = (typeof COVER_SIZES)[number];
export const COVER_MASKS = ['none', 'radial'] as const;
export type CoverMask = (typeof COVER_MASKS)[number];

const text = string();
const id = string({ max: 1024 });
const color = oneOf(...TEXT_COLORS);
const length = anyOf('a number or {unit, value}', number(), fields({ unit: text, value: number() }, true));
const textAlignment = oneOf('start', 'center', 'end');
const verticalAlignment = oneOf('top', 'middle', 'bottom');
const icon = string({ max: 50 });

const REFERENCES: Readonly<Record<ContentRefKind, FieldChecks>> = {
  file: { file: id, space: optional(id) },
  url: { url: address() },
  page: { page: id, space: optional(id) },
  anchor: { anchor: id, space: optional(id), page: optional(id) },
  user: { user: id },
  collection: { collection: id },
  space: { space: id },
  'reusable-content': { reusableContent: id, space: optional(id) },
  openapi: { spec: id },
  tag: { tag: id, space: optional(id) },
  translation: { translation: id },
};

/** Accepts a reference of one of the given kinds; of any kind if none is given. */
export function reference(...kinds: readonly ContentRefKind[]): Check {
  return referenceIn(REFERENCES, kinds);
}

function referenceIn(
  references: Readonly<Record<ContentRefKind, FieldChecks>>,
  kinds: readonly ContentRefKind[],
): Check {
  return (value, path, fault) => {
    const kind = isObject(value) ? value.kind : undefined;
    if (
      typeof kind !== 'string' ||
      !Object.hasOwn(references, kind) ||
      (kinds.length > 0 && !kinds.includes(kind as ContentRefKind))
    ) {
      fault(`${path}.kind`, `must be one of ${(kinds.length > 0 ? kinds : Object.keys(references)).join(', ')}`);
      return;
    }
    fields({ kind: text, ...references[kind as ContentRefKind] }, true)(value, path, fault);
  };
}

const fileOrUrl = reference('file', 'url');
const picture = referenceIn({ ...REFERENCES, url: { url: address({ isPicture: true }) } }, ['file', 'url']);

const heading: Check = fields({
  id: optional(string({ pattern: /^[-a-z0-9.+_]+$/ })),
  align: optional(textAlignment),
  level: optional(oneOf(4, 5, 6)),
});

const definition: Check = (value, path, fault) => {
  const base = { id, title: text, type: text };
  const type = isObject(value) && typeof value.type === 'string' ? value.type : '';
  const extra = Object.hasOwn(DEFINITIONS, type) ? DEFINITIONS[type] : undefined;
  if (extra === undefined) fault(`${path}.type`, `must be one of ${Object.keys(DEFINITIONS).join(', ')}`);
  else fields({ ...base, ...extra })(value, path, fault);
};

const DEFINITIONS: Readonly<Record<string, FieldChecks>> = {
  text: { textAlignment: oneOf('left', 'center', 'right'), verticalAlignment: optional(verticalAlignment) },
  number: {},
  checkbox: {},
  files: {},
  'content-ref': {},
  image: {},
  users: { multiple: boolean },
  rating: { max: number() },
  select: { multiple: boolean, options: listOf(fields({ value: text, label: text, color: text })) },
};

const view: Check = (value, path, fault) => {
  const type = isObject(value) ? value.type : undefined;
  if (type === 'grid') {
    fields({
      type: text,
      columns: listOf(id),
      columnWidths: optional(map(number())),
      hideHeader: boolean,
      useNewSizing: optional(boolean),
    })(value, path, fault);
  } else if (type === 'cards') {
    const references = {
      targetDefinition: optional(id),
      coverDefinition: optional(id),
      coverDefinitionDark: optional(id),
    };
    fields({
      type: text,
      cardSize: oneOf('medium', 'large'),
      columns: listOf(id),
      ...references,
      hideColumnTitle: optional(boolean),
    })(value, path, fault);
  } else {
    fault(`${path}.type`, 'must be one of grid, cards');
  }
};

const nothing: Check = (value, path, fault) => {
  if (value !== null) fault(path, 'must be null');
};

const tableValue = anyOf(
  'a number, a string, null, true or false, a list of strings, a reference or an image',
  number(),
  text,
  nothing,
  boolean,
  listOf(text),
  picture,
  reference(),
  fields({ ref: picture, objectFit: optional(oneOf('contain', 'fill', 'cover')), alt: optional(text) }),
);

const nameAndAttributes = { attributes: optional(map(text)) };
const full = { fullWidth: optional(boolean) };
const api = { ...full, link: optional(fields({ title: text, url: address() })) };
const none = fields({}, true);

const buttonFields = fields({
  label: text,
  kind: oneOf('primary', 'secondary'),
  icon: optional(icon),
  ref: optional(reference()),
  size: optional(oneOf('small', 'medium', 'large')),
  action: optional(fields({ action: oneOf('search', 'ask'), query: optional(text) }, true)),
});

/** A button has a link or an action. */
const button: Check = (value, path, fault) => {
  buttonFields(value, path, fault);
  if (isObject(value) && value.ref === undefined && value.action === undefined)
    fault(`${path}.ref`, 'is missing, and so is action');
};

/**
 * Properties of an integration are its own; `url` is what most of them show, and becomes the published address of the
 * block.
 */
const integrationProps = fields({
  url: optional((value, path, fault) => {
    if (typeof value === 'string') address()(value, path, fault);
  }),
});

/** The checks for the `data` of each block. */
export const BLOCK_DATA: Readonly<Record<BlockType, Check>> = {
  paragraph: fields({ align: optional(textAlignment) }, true),
  'heading-1': heading,
  'heading-2': heading,
  'heading-3': heading,
  'list-ordered': fields({ start: optional(number({ integer: true, min: 0 })) }),
  'list-unordered': none,
  'list-tasks': none,
  'list-item': fields({ checked: optional(boolean) }),
  divider: none,
  blockquote: none,
  hint: fields({ style: oneOf('info', 'warning', 'danger', 'success'), icon: optional(icon) }),
  if: fields({ expression: string({ max: 1024 }) }),
  images: fields({ align: optional(oneOf('center', 'left', 'right')), withFrame: optional(boolean), ...full }),
  image: fields({
    ref: picture,
    refDark: optional(picture),
    width: optional(length),
    height: optional(length),
    alt: optional(text),
    ...nameAndAttributes,
  }),
  file: fields({ ref: reference('file') }),
  drawing: fields({ ref: optional(reference('file')) }),
  embed: fields({ url: address(), ...full }),
  code: fields({
    syntax: optional(text),
    title: optional(text),
    overflow: optional(oneOf('scroll', 'wrap')),
    lineNumbers: optional(boolean),
    expandable: optional(boolean),
    collapsedLineCount: optional(number({ integer: true, min: 1 })),
    meta: optional(text),
    ...full,
  }),
  'code-line': fields({ highlighted: optional(boolean) }),
  math: fields({ formula: text }),
  expandable: fields({ defaultExpanded: optional(boolean) }, true),
  tabs: fields(full, true),
  'tabs-item': fields({ title: optional(text), icon: optional(icon), slug: optional(text) }),
  table: fields({
    view,
    records: map(fields({ orderIndex: text, values: map(tableValue) })),
    definition: map(definition),
    search: optional(boolean),
    ...full,
  }),
  swagger: fields({ ref: fileOrUrl, path: text, method: text, expanded: optional(boolean), ...api }),
  'openapi-operation': fields({ ref: reference('openapi'), path: text, method: text, ...api }),
  'openapi-schemas': fields({ ref: reference('openapi'), schemas: listOf(text), grouped: optional(boolean), ...api }),
  'openapi-webhook': fields({ ref: reference('openapi'), name: text, method: text, ...api }),
  'content-ref': fields({ ref: reference() }),
  integration: fields({
    integration: text,
    block: text,
    props: integrationProps,
    action: optional(anything),
    url: optional(address()),
    ...full,
  }),
  'reusable-content': fields({ ref: reference('reusable-content') }),
  stepper: none,
  'stepper-step': fields({ icon: optional(icon) }),
  columns: fields(full),
  column: fields({ width: optional(length), verticalAlignment: optional(verticalAlignment) }, true),
  updates: fields({ format: optional(oneOf('numeric', 'full', 'short')) }),
  update: fields({ date: text, tags: optional(listOf(reference('tag'))) }),
  prompt: fields({
    description: text,
    icon: optional(icon),
    openInAIProviders: optional(boolean),
    defaultExpanded: optional(oneOf('hidden', 'partial', 'full')),
  }),
};

/** The checks for the `data` of each inline. */
export const INLINE_DATA: Readonly<Record<InlineType, Check>> = {
  link: fields({ ref: reference(), title: optional(text), ...nameAndAttributes }),
  emoji: fields({ code: string({ max: 50 }) }),
  icon: fields({ icon, color: optional(color) }),
  expression: fields({ expression: string({ max: 1024 }), raw: optional(text) }),
  'inline-math': fields({ formula: text }),
  'inline-image': fields({
    ref: picture,
    refDark: optional(picture),
    caption: optional(text),
    alt: optional(text),
    size: optional(oneOf('original', 'line')),
    ...nameAndAttributes,
  }),
  annotation: none,
  mention: fields({ ref: reference(), text: optional(text) }),
  button,
};

/** The checks for the `data` of a mark; marks without an entry have no data. */
export const MARK_DATA: Readonly<Record<string, Check>> = {
  color: fields({ text: color, background: color }),
};
