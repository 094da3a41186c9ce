import { ROOT, sameValue, type Item } from './content-item.js';
import { wholeCover, wholeLayout } from './page-attributes.js';
import { namedTags } from './tags.js';

/** One item before and after, as shown; absent if it did not exist. */
export interface ItemChange {
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

/** The presentation of items in changes. */
export interface ShowItem {
  page(page: Item, side: 'before' | 'after'): object;
  /** The parent of a page on one side; undefined at the root. */
  parent(page: Item, side: 'before' | 'after'): object | undefined;
  file(file: Item): { readonly downloadURL: string };
  reusable(item: Item): object;
}

interface Delta {
  readonly before?: unknown;
  readonly after?: unknown;
}

/** The compared attributes of a page; an edit names at least one of them. */
const PAGE_ATTRIBUTES = [
  'type',
  'title',
  'description',
  'slug',
  'document',
  'cover',
  'emoji',
  'layout',
  'variables',
  'target',
  'icon',
  'linkTitle',
  'hidden',
  'noIndex',
  'noRobotsIndex',
  'condition',
  'metaLinks',
  'computed',
  'tags',
] as const;

/**
 * The changes in terms of the domain: an item that was moved and edited makes two entries. All variables make one.
 * Without `metadata`, pages of which only git metadata changed are left out.
 */
export function semanticChanges(changes: readonly ItemChange[], show: ShowItem, metadata = true): object[] {
  const result: object[] = [];
  const variables: Record<string, Delta> = {};
  for (const { before, after } of changes) {
    const item = after ?? before;
    if (item?.kind === 'page') result.push(...pageChanges(before, after, show, metadata));
    else if (item?.kind === 'file') result.push(...fileChanges(before, after, show));
    else if (item?.kind === 'tag') result.push(...tagChanges(before, after));
    else if (item?.kind === 'reusable') result.push(...reusableChanges(before, after, show));
    else if (item && !sameValue(before?.props['value'], after?.props['value']))
      variables[item.id] = delta(before?.props['value'], after?.props['value']);
  }
  if (Object.keys(variables).length > 0) result.push({ type: 'variables_edited', variables });
  return result;
}

function pageChanges(before: Item | undefined, after: Item | undefined, show: ShowItem, metadata: boolean): object[] {
  if (!after) return before ? [{ type: 'page_deleted', page: show.page(before, 'before') }] : [];
  const page = show.page(after, 'after');
  if (!before) return [{ type: 'page_created', page }];
  const result: object[] = [];
  if (before.parentId !== after.parentId || before.position !== after.position) {
    const parents = {
      before: before.parentId === ROOT ? undefined : show.parent(before, 'before'),
      after: after.parentId === ROOT ? undefined : show.parent(after, 'after'),
    };
    result.push({ type: 'page_moved', page, parent: delta(parents.before, parents.after) });
  }
  const attributes = deltas(
    [...PAGE_ATTRIBUTES, ...(metadata ? ['git'] : [])],
    pageAttributes(before),
    pageAttributes(after),
  );
  if (Object.keys(attributes).length > 0) result.push({ type: 'page_edited', page, attributes });
  return result;
}

function pageAttributes({ type, title, slug, hash, props }: Item): Record<string, unknown> {
  return {
    ...props,
    tags: props['tags'] === undefined ? undefined : namedTags(props),
    layout: wholeLayout(props['layout']),
    cover: wholeCover(props['cover']),
    type,
    title,
    slug: slug ?? undefined,
    document: hash ?? undefined,
  };
}

/** An attribute of a page that differs; without a side where the page, or the attribute, is not there. */
export interface AttributeChange extends Delta {
  readonly attribute: string;
}

/** The attributes that differ between two versions of a page or a reusable content, besides its document. */
export function attributeChanges(before: Item | undefined, after: Item | undefined): AttributeChange[] {
  const [was, now] = [before, after].map((page) => (page ? pageAttributes(page) : { layout: wholeLayout(undefined) }));
  const isReusable = (after ?? before)?.kind === 'reusable';
  const names = isReusable ? ['title'] : PAGE_ATTRIBUTES.filter((name) => name !== 'document');
  return Object.entries(deltas(names, was ?? {}, now ?? {})).map(([attribute, change]) => ({ attribute, ...change }));
}

function fileChanges(before: Item | undefined, after: Item | undefined, show: ShowItem): object[] {
  if (!after) return before ? [{ type: 'file_deleted', file: show.file(before) }] : [];
  if (!before) return [{ type: 'file_created', file: show.file(after) }];
  const facts = (file: Item) => ({
    name: file.title,
    downloadURL: file.hash,
    size: file.props['size'],
    contentType: file.props['contentType'],
    dimensions: dimensionsOf(file),
  });
  const attributes: Record<string, Delta> = deltas(
    ['name', 'downloadURL', 'size', 'contentType', 'dimensions'],
    facts(before),
    facts(after),
  );
  if (attributes['downloadURL'])
    attributes['downloadURL'] = delta(show.file(before).downloadURL, show.file(after).downloadURL);
  return Object.keys(attributes).length > 0 ? [{ type: 'file_edited', file: show.file(after), attributes }] : [];
}

function dimensionsOf({ props }: Item): object | undefined {
  return props['width'] === undefined ? undefined : { width: props['width'], height: props['height'] };
}

function reusableChanges(before: Item | undefined, after: Item | undefined, show: ShowItem): object[] {
  if (!after) return before ? [{ type: 'reusable_content_deleted', reusableContent: show.reusable(before) }] : [];
  if (!before) return [{ type: 'reusable_content_created', reusableContent: show.reusable(after) }];
  const facts = (item: Item) => ({ title: item.title, document: item.hash ?? undefined });
  const attributes = deltas(['title', 'document'], facts(before), facts(after));
  return Object.keys(attributes).length > 0
    ? [{ type: 'reusable_content_edited', reusableContent: show.reusable(after), attributes }]
    : [];
}

function tagChanges(before: Item | undefined, after: Item | undefined): object[] {
  const shown = ({ id, title }: Item) => ({ slug: id, label: title });
  if (!after) return before ? [{ type: 'tag_deleted', tag: shown(before) }] : [];
  if (!before) return [{ type: 'tag_created', tag: shown(after) }];
  const facts = ({ title, props }: Item) => ({ ...props, label: title });
  const attributes = deltas(['label', 'color', 'emoji', 'icon'], facts(before), facts(after));
  return Object.keys(attributes).length > 0 ? [{ type: 'tag_edited', tag: shown(after), attributes }] : [];
}

function deltas(
  names: readonly string[],
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Record<string, Delta> {
  return Object.fromEntries(
    names.flatMap((name) => (sameValue(before[name], after[name]) ? [] : [[name, delta(before[name], after[name])]])),
  );
}

function delta(before: unknown, after: unknown): Delta {
  return { ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
}
