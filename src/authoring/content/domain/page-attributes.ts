import { expressionFault } from '../../../kernel/common/expressions/parse.js';
import { ICON_NAME } from '../../../kernel/common/icon-name.js';
import {
  anyOf,
  boolean,
  type Check,
  fields,
  listOf,
  map,
  number,
  oneOf,
  optional,
  string,
} from '../../../formats/document/checks.js';
import {
  COVER_HEIGHT,
  COVER_MASKS,
  COVER_SIZES,
  reference,
  type CoverMask,
  type CoverSize,
} from '../../../formats/document/data-checks.js';
import type { PageAttributes } from './content-change.js';

/** The layout of a page with all its parts. */
type Layout = Record<
  | 'cover'
  | 'title'
  | 'description'
  | 'tableOfContents'
  | 'outline'
  | 'pagination'
  | 'metadata'
  | 'tags'
  | 'actions'
  | 'anchors',
  boolean
> & { width: 'default' | 'wide'; coverSize: CoverSize; coverMask: CoverMask };

const DEFAULT_LAYOUT: Layout = {
  width: 'default',
  cover: true,
  coverSize: 'hero',
  coverMask: 'none',
  title: true,
  description: true,
  tableOfContents: true,
  outline: true,
  pagination: true,
  metadata: true,
  tags: true,
  actions: true,
  anchors: true,
};

const flags = Object.fromEntries(
  Object.entries(DEFAULT_LAYOUT).flatMap(([name, value]) =>
    typeof value === 'boolean' ? [[name, optional(boolean)]] : [],
  ),
);
const image = optional(reference('file', 'url'));
const link = reference('page', 'url');

/** An empty condition removes the existing one. */
const condition: Check = (value, path, fault) => {
  const wrong = typeof value === 'string' && value.trim() !== '' ? expressionFault(value) : undefined;
  if (wrong !== undefined) fault(path, wrong);
};

/** An empty icon removes the existing one. */
const icon: Check = (value, path, fault) => {
  if (typeof value === 'string' && value !== '' && !ICON_NAME.test(value)) fault(path, 'must be the name of an icon');
};

const CHECKS: Readonly<Partial<Record<keyof PageAttributes, Check>>> = {
  layout: fields(
    {
      ...flags,
      width: optional(oneOf('default', 'wide')),
      coverSize: optional(oneOf(...COVER_SIZES)),
      coverMask: optional(oneOf(...COVER_MASKS)),
    },
    true,
  ),
  cover: fields({ ref: image, refDark: image, yPos: optional(number()), height: optional(number(COVER_HEIGHT)) }, true),
  variables: map(
    anyOf('a text of at most 256 characters, a number, true or false', string({ max: 256 }), number(), boolean),
  ),
  metaLinks: fields({ canonical: optional(link), alternates: optional(listOf(link)) }, true),
  target: reference(),
  condition,
  icon,
};

/** Returns the first fault in page attributes other than texts and flags; null removes an attribute. */
export function faultOfAttributes(
  attributes: PageAttributes,
): { readonly path: string; readonly message: string } | undefined {
  for (const [name, check] of Object.entries(CHECKS)) {
    const value = attributes[name as keyof PageAttributes];
    let found: { path: string; message: string } | undefined;
    if (value !== undefined && value !== null) check(value, name, (path, message) => (found ??= { path, message }));
    if (found) return found;
  }
  return undefined;
}

/** The layout of a page as shown: complete, with defaults. */
export function wholeLayout(layout: unknown): Layout {
  return { ...DEFAULT_LAYOUT, ...(layout as Partial<Layout> | undefined) };
}

/** The cover of a page as shown, undefined if it has none. */
export function wholeCover(cover: unknown): object | undefined {
  return cover === undefined ? undefined : { yPos: 0, ...(cover as object) };
}
