/** The kinds of items of a space's content; all are versioned in the same way. */
export type ItemKind = 'page' | 'file' | 'reusable' | 'variable' | 'tag';

export const PAGE_TYPES = ['document', 'group', 'link', 'computed'] as const;
export type PageType = (typeof PAGE_TYPES)[number];

/** Tells whether pages of a type never have subpages. */
export function holdsNoPages(type: string): boolean {
  return type === 'link' || type === 'computed';
}

/** The parent id of items at the root of a space. */
export const ROOT = '';

/** Attributes beside title, slug, place and document; their names depend on the kind. Absent means unset. */
export type ItemProps = Readonly<Record<string, unknown>>;

/** One version of a page, file, reusable content, variable or tag; the id of a tag is its slug. */
export interface Item {
  readonly kind: ItemKind;
  readonly id: string;
  /** `ROOT`, or the id of the parent page. */
  readonly parentId: string;
  /** Order key among siblings; ties go by id. */
  readonly position: string;
  /** The page type; '' for everything else. */
  readonly type: string;
  /** Pages of type document and group have one, in lower case. */
  readonly slug: string | null;
  readonly title: string;
  readonly props: ItemProps;
  /** Hex SHA-256 of the document, or of a file's bytes; null without either. */
  readonly hash: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A new item at the root without attributes. */
export function blankItem(kind: ItemKind, id: string, title: string, now: Date): Item {
  return {
    kind,
    id,
    parentId: ROOT,
    position: '',
    type: '',
    slug: null,
    title,
    props: {},
    hash: null,
    createdAt: now,
    updatedAt: now,
  };
}

export type ItemKey = `${ItemKind}:${string}`;

export function itemKey(item: { readonly kind: ItemKind; readonly id: string }): ItemKey {
  return `${item.kind}:${item.id}`;
}

export const pageKey = (id: string): ItemKey => `page:${id}`;

/** Splits a key into its kind and id. */
export function splitKey(key: ItemKey): { kind: ItemKind; id: string } {
  const colon = key.indexOf(':');
  return { kind: key.slice(0, colon) as ItemKind, id: key.slice(colon + 1) };
}

/** Sibling order: by position, ties by id, both by code unit (the database's COLLATE "C" for these ASCII keys). */
export function compareSiblings(a: Item, b: Item): number {
  return compareText(a.position, b.position) || compareText(a.id, b.id);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Tells whether two JSON values are equal; the order of an object's keys does not matter. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, index) => sameValue(item, b[index]))
    );
  }
  const [left, right] = [a as Readonly<Record<string, unknown>>, b as Readonly<Record<string, unknown>>];
  const [names, others] = [Object.keys(left), Object.keys(right)];
  // Usually both have the same names in the same order, as stored documents do.
  if (names.length === others.length && names.every((name, index) => name === others[index]))
    return names.every((name) => sameValue(left[name], right[name]));
  return containsAll(left, right, true) && containsAll(right, left, false);
}

/** Tells whether every name of `a` with a value has one in `b`, too, and an equal one if requested. */
function containsAll(
  a: Readonly<Record<string, unknown>>,
  b: Readonly<Record<string, unknown>>,
  alike: boolean,
): boolean {
  for (const name of Object.keys(a)) {
    if (a[name] === undefined) continue;
    if (!Object.hasOwn(b, name) || b[name] === undefined || (alike && !sameValue(a[name], b[name]))) return false;
  }
  return true;
}

/** Tells whether two versions have equal content, apart from times. */
export function sameItem(a: Item, b: Item): boolean {
  return (
    a.parentId === b.parentId &&
    a.position === b.position &&
    a.type === b.type &&
    a.slug === b.slug &&
    a.title === b.title &&
    a.hash === b.hash &&
    sameValue(a.props, b.props)
  );
}
