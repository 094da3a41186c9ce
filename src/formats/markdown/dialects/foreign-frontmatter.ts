import type { JsonValue } from '../../document/types.js';
import type { Frontmatter } from '../frontmatter.js';

/** Keys whose meaning is used up by the navigation. */
const USED = new Set(['id', 'sidebar_position', 'sidebar_label', 'sidebarTitle', 'order', 'nav_order', 'weight']);

/** The frontmatter of a page of another tool in our own terms; what has no counterpart is kept. */
export function ownFrontmatter({ extra = {}, slug, ...known }: Frontmatter): Frontmatter {
  const made: Frontmatter = { ...known };
  const rest: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(extra)) {
    const meaning = meaningOf(key, value);
    if (meaning === undefined) rest[key] = value;
    else Object.assign(made, { ...meaning, layout: { ...made.layout, ...meaning.layout } });
  }
  if (made.layout && Object.keys(made.layout).length === 0) delete made.layout;
  const last = slug?.split('/').findLast((part) => part !== '');
  if (last !== undefined) made.slug = last;
  if (Object.keys(rest).length > 0) made.extra = rest;
  return made;
}

/** The label of a page in the navigation, as its own frontmatter gives it. */
export function navigationLabel({ extra = {} }: Frontmatter): string | undefined {
  const { sidebar } = extra;
  const label = extra.sidebar_label ?? extra.sidebarTitle ?? (isRecord(sidebar) ? sidebar.label : undefined);
  return typeof label === 'string' ? label : undefined;
}

/** The place of a page among its siblings, as its own frontmatter gives it. */
export function navigationOrder({ extra = {} }: Frontmatter): number | undefined {
  const { sidebar } = extra;
  const order = extra.sidebar_position ?? extra.nav_order ?? (isRecord(sidebar) ? sidebar.order : undefined);
  return typeof order === 'number' ? order : undefined;
}

function meaningOf(key: string, value: JsonValue): Frontmatter | undefined {
  if (USED.has(key)) return {};
  switch (key) {
    case 'hide_title':
      return value === true ? { layout: { title: false } } : undefined;
    case 'hide_table_of_contents':
      return value === true ? { layout: { outline: false } } : undefined;
    case 'tableOfContents':
    case 'outline':
      return value === false ? { layout: { outline: false } } : undefined;
    case 'mode':
      return value === 'wide' ? { layout: { width: 'wide' } } : undefined;
    case 'noindex':
      return typeof value === 'boolean' ? { noIndex: value } : undefined;
    case 'unlisted':
      return typeof value === 'boolean' ? { hidden: value } : undefined;
    case 'hide':
      return Array.isArray(value) && value.every((part) => part === 'toc' || part === 'navigation')
        ? {
            layout: {
              ...(value.includes('toc') && { outline: false }),
              ...(value.includes('navigation') && { tableOfContents: false }),
            },
          }
        : undefined;
    case 'sidebar':
      return isRecord(value) && Object.keys(value).every((name) => ['label', 'order', 'hidden'].includes(name))
        ? { ...(typeof value.hidden === 'boolean' && { hidden: value.hidden }) }
        : undefined;
    default:
      return undefined;
  }
}

function isRecord(value: JsonValue | undefined): value is Record<string, JsonValue> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
