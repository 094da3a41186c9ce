import type { ChangeInput, DocumentInput, FileInput } from '../content/change-input.js';
import type { PageAttributes } from '../content/domain/content-change.js';
import { ROOT, sameValue, type Item, type PageType } from '../content/domain/content-item.js';
import { presentTag } from '../content/present-content.js';
import { namedTags, type PageTag } from '../content/domain/tags.js';
import type { SpooledDocument } from './document-spool.js';
import type { FolderTag } from './domain/tags-file.js';
import type { SpaceOutline } from './space-content.js';
import { longestRun } from '../../kernel/common/longest-run.js';

/** A page in the desired content of a folder; parents precede their children, siblings are in order. */
export interface DesiredPage<Kept = SpooledDocument> {
  readonly id: string;
  readonly parent: string;
  readonly type: PageType;
  readonly attributes: PageAttributes & { readonly title: string };
  readonly document: Kept | null;
  /** True for a page that was not read, since the target has it as it is: only its place may differ. */
  readonly isUnchanged?: true;
}

export interface DesiredReusable<Kept = SpooledDocument> {
  readonly id: string;
  readonly title: string;
  readonly document: Kept | null;
  readonly git?: unknown;
}

export type DesiredFile = FileInput & { readonly id: string; readonly stored: NonNullable<FileInput['stored']> };

/** The desired content of a space according to a folder; ids are new, or those of existing objects. */
export interface DesiredContent<Kept = SpooledDocument> {
  readonly pages: readonly DesiredPage<Kept>[];
  readonly files: readonly DesiredFile[];
  readonly reusables: readonly DesiredReusable<Kept>[];
  readonly variables: Readonly<Record<string, string | number | boolean>>;
  /** Undefined leaves the tags of a space, and those of its pages, as they are. */
  readonly tags?: readonly FolderTag[] | undefined;
}

const ATTRIBUTES = [
  'emoji',
  'icon',
  'linkTitle',
  'description',
  'condition',
  'layout',
  'cover',
  'variables',
  'metaLinks',
  'target',
  'computed',
  'git',
] as const;
const FLAGS = ['hidden', 'noIndex', 'noRobotsIndex'] as const;

/** The hashes of the desired documents, by the id of their page or reusable content; null for an empty one. */
export type StoredHashes = ReadonlyMap<string, string | null>;

/** The changes that make a space equal to a folder, and no others: none if it is equal already. */
export function replacingChanges(wanted: DesiredContent, hashes: StoredHashes, current: SpaceOutline): ChangeInput[] {
  const gone = pageDeletes(wanted, current);
  return [
    ...fileChanges(wanted, current),
    ...reusableChanges(wanted, hashes, current),
    ...tagChanges(wanted, current),
    ...gone,
    ...pageChanges(wanted, hashes, current),
    ...variableChanges(wanted, current),
  ];
}

/**
 * The changes that add the content of a folder to a space: pages come after existing ones, and existing content is not
 * changed.
 */
export function addingChanges<Kept>(
  { pages, files, reusables, variables, tags = [] }: DesiredContent<Kept>,
  inputOf: InputOf<Kept>,
  current: Pick<SpaceOutline, 'files' | 'reusables' | 'variables' | 'tags'>,
): ChangeInput[] {
  const present = new Set([...current.files, ...current.reusables, ...current.variables].map(({ id }) => id));
  const fresh = files.filter(({ id }) => !present.has(id));
  const labelled = new Set(current.tags.map(({ id }) => id));
  const values = Object.entries(variables).filter(([name]) => !present.has(name));
  return [
    ...(fresh.length > 0 ? [{ operation: 'insert_files', files: fresh } as const] : []),
    ...reusables.filter(({ id }) => !present.has(id)).map((reusable) => insertReusable(reusable, inputOf(reusable))),
    ...tags.filter(({ slug }) => !labelled.has(slug)).map(insertTag),
    ...pages.map((page) => insertPage(page, inputOf(page), undefined)),
    ...(values.length > 0 ? [{ operation: 'set_variables', variables: Object.fromEntries(values) } as const] : []),
  ];
}

/** Converts the document of a page or reusable content to the input of a change. */
type InputOf<Kept> = (item: { readonly id: string; readonly document: Kept | null }) => DocumentInput;

/** The input for a document that was stored before. */
export const storedInput =
  (hashes: StoredHashes) =>
  ({ id }: { readonly id: string }): DocumentInput =>
    documentInput(hashes.get(id));

function insertPage(
  { id, parent, type, attributes }: DesiredPage<unknown>,
  document: DocumentInput,
  at: number | undefined,
): ChangeInput {
  return {
    ...attributes,
    operation: 'insert_page',
    id,
    into: parent || null,
    type,
    ...(at !== undefined && { at }),
    document,
  };
}

function insertReusable({ id, title, git }: DesiredReusable<unknown>, document: DocumentInput): ChangeInput {
  return { operation: 'insert_reusable_content', id, title, document, git };
}

function documentInput(hash: string | null | undefined): DocumentInput {
  return typeof hash === 'string' ? { stored: hash } : {};
}

function fileChanges({ files }: DesiredContent, current: SpaceOutline): ChangeInput[] {
  const present = new Map(current.files.map((file) => [file.id, file]));
  const kept = new Set(files.map((file) => file.id));
  const fresh = files.filter((file) => !present.has(file.id));
  const known = files.filter((file) => present.has(file.id));
  const changed = known.filter((file) => present.get(file.id)?.hash !== file.stored.hash);
  const moved = known.filter(
    ({ id, stored, git }) =>
      present.get(id)?.hash === stored.hash && git !== undefined && !sameValue(present.get(id)?.props['git'], git),
  );
  const gone = current.files.filter((file) => !kept.has(file.id)).map((file) => file.id);
  return [
    ...(fresh.length > 0 ? [{ operation: 'insert_files', files: fresh } as const] : []),
    ...changed.map(({ id, name, stored, git }): ChangeInput => ({
      operation: 'update_file',
      file: id,
      name,
      stored,
      git,
    })),
    ...moved.map(({ id, git }): ChangeInput => ({ operation: 'update_file', file: id, git })),
    ...(gone.length > 0 ? [{ operation: 'delete_files', files: gone } as const] : []),
  ];
}

function reusableChanges({ reusables }: DesiredContent, hashes: StoredHashes, current: SpaceOutline): ChangeInput[] {
  const present = new Map(current.reusables.map((reusable) => [reusable.id, reusable]));
  const changes = reusables.flatMap((reusable): ChangeInput[] => {
    const { id, title } = reusable;
    const before = present.get(id);
    present.delete(id);
    if (!before) return [insertReusable(reusable, documentInput(hashes.get(id)))];
    const rewritten = rewrittenDocument(before, hashes);
    const renamed = before.title === title ? {} : { title };
    const moved =
      reusable.git === undefined || sameValue(before.props['git'], reusable.git) ? {} : { git: reusable.git };
    const change = { ...rewritten, ...renamed, ...moved };
    return Object.keys(change).length === 0
      ? []
      : [{ operation: 'update_reusable_content', reusableContent: id, ...change }];
  });
  return [
    ...changes,
    ...[...present.keys()].map((id): ChangeInput => ({ operation: 'delete_reusable_content', reusableContent: id })),
  ];
}

/** Deleting a page deletes its descendants: kept pages have kept parents. */
function pageDeletes({ pages }: DesiredContent, current: SpaceOutline): ChangeInput[] {
  const kept = new Set([ROOT, ...pages.map((page) => page.id)]);
  return current.pages
    .filter((page) => !kept.has(page.id) && kept.has(page.parentId))
    .map((page): ChangeInput => ({ operation: 'delete_page', page: page.id }));
}

function insertTag(tag: FolderTag): ChangeInput {
  return { operation: 'insert_tag', ...tag };
}

function tagChanges({ tags }: DesiredContent, current: SpaceOutline): ChangeInput[] {
  if (tags === undefined) return [];
  const present = new Map(current.tags.map((tag) => [tag.id, presentTag(tag)]));
  const changes = tags.flatMap((tag): ChangeInput[] => {
    const before = present.get(tag.slug);
    present.delete(tag.slug);
    if (!before) return [insertTag(tag)];
    const { slug, label, color = 'default', emoji, icon } = tag;
    if (sameValue(before, { slug, label, color, emoji, icon })) return [];
    return [{ operation: 'update_tag', tag: slug, label, color, emoji: emoji ?? '', icon: icon ?? '' }];
  });
  return [...changes, ...[...present.keys()].map((tag): ChangeInput => ({ operation: 'delete_tag', tag }))];
}

function pageChanges({ pages, tags }: DesiredContent, hashes: StoredHashes, current: SpaceOutline): ChangeInput[] {
  const present = new Map(current.pages.map((page) => [page.id, page]));
  const places = placesOf(pages, current);
  const slugs = tags && new Set(tags.map(({ slug }) => slug));
  return pages.flatMap((page): ChangeInput[] => {
    const at = places.get(page.id);
    const before = present.get(page.id);
    const { attributes, type } = page;
    if (!before) {
      if (page.isUnchanged) throw new Error(`the page ${attributes.title} was not read, and the space has none of it`);
      return [insertPage(page, documentInput(hashes.get(page.id)), at)];
    }
    const moved = at === undefined ? {} : { into: page.parent || null, at };
    if (page.isUnchanged) return at === undefined ? [] : [{ operation: 'update_page', page: page.id, ...moved }];
    const described = sameAttributes(before, page, slugs)
      ? {}
      : { ...removed(before, attributes, slugs), ...attributes, type };
    const rewritten = rewrittenDocument(before, hashes);
    const change = { ...described, ...moved, ...rewritten };
    return Object.keys(change).length === 0 ? [] : [{ operation: 'update_page', page: page.id, ...change }];
  });
}

function variableChanges({ variables }: DesiredContent, current: SpaceOutline): ChangeInput[] {
  const changed: Record<string, string | number | boolean | null> = {};
  for (const variable of current.variables) if (!Object.hasOwn(variables, variable.id)) changed[variable.id] = null;
  const values = new Map(current.variables.map((variable) => [variable.id, variable.props['value']]));
  for (const [name, value] of Object.entries(variables)) if (values.get(name) !== value) changed[name] = value;
  return Object.keys(changed).length === 0 ? [] : [{ operation: 'set_variables', variables: changed }];
}

/** The tags that an import can give to pages; undefined if it leaves those of pages as they are. */
type ImportedTags = ReadonlySet<string> | undefined;

function sameAttributes(before: Item, { attributes, type }: DesiredPage, tags: ImportedTags): boolean {
  return (
    before.type === type &&
    before.title === attributes.title &&
    before.slug === (attributes.slug ?? null) &&
    (tags === undefined || sameValue(tagsAmong(before, tags), attributes.tags ?? [])) &&
    ATTRIBUTES.every((name) => sameValue(before.props[name], attributes[name])) &&
    FLAGS.every((name) => (before.props[name] === true) === (attributes[name] === true))
  );
}

/** The attributes that a page has and must lose; null and false remove them. */
function removed(before: Item, attributes: PageAttributes, tags: ImportedTags): PageAttributes {
  const names = [...ATTRIBUTES, ...FLAGS].filter(
    (name) => before.props[name] !== undefined && attributes[name] === undefined,
  );
  return {
    ...Object.fromEntries(names.map((name) => [name, FLAGS.some((flag) => flag === name) ? false : null])),
    ...(tags !== undefined && attributes.tags === undefined && tagsAmong(before, tags).length > 0 && { tags: null }),
  };
}

/** The tags of a page that are among some. */
function tagsAmong(page: Item, tags: ReadonlySet<string>): PageTag[] {
  return namedTags(page.props).filter(({ tag }) => tags.has(tag.tag));
}

/** The new document of an item, if it has one. */
function rewrittenDocument({ id, hash }: Item, hashes: StoredHashes): { document?: DocumentInput } {
  const now = hashes.get(id) ?? null;
  return now === hash ? {} : { document: documentInput(now) };
}

/**
 * For each page that has to move, its index among its siblings when the changes run in order; pages that keep their
 * place have none. The longest run of siblings that are in order already stays.
 */
function placesOf(pages: readonly DesiredPage[], current: SpaceOutline): Map<string, number> {
  const places = new Map<string, number>();
  const parents = new Map(current.pages.map(({ id, parentId }) => [id, parentId]));
  const wanted = new Set(pages.map((page) => page.id));
  const now = new Map<string, string[]>();
  const childrenOf = (parent: string): string[] => {
    const ids = now.get(parent) ?? current.children(parent).flatMap(({ id }) => (wanted.has(id) ? [id] : []));
    now.set(parent, ids);
    return ids;
  };
  const siblingsOf = new Map<string, string[]>();
  for (const { id, parent } of pages) {
    const ids = siblingsOf.get(parent);
    if (ids) ids.push(id);
    else siblingsOf.set(parent, [id]);
  }
  const staying = new Set(
    [...siblingsOf].flatMap(([parent, ids]) => {
      const order = new Map(childrenOf(parent).map((id, index) => [id, index]));
      return [
        ...longestRun(
          ids.filter((id) => order.has(id)),
          order,
        ),
      ];
    }),
  );
  const last = new Map<string, string>();
  for (const { id, parent } of pages) {
    const before = last.get(parent);
    last.set(parent, id);
    if (staying.has(id)) continue;
    const from = parents.get(id);
    const left = from === undefined ? undefined : childrenOf(from);
    left?.splice(left.indexOf(id), 1);
    const siblings = childrenOf(parent);
    const at = before === undefined ? 0 : siblings.lastIndexOf(before) + 1;
    // Appending a new page does not depend on the siblings.
    if (at < siblings.length || left) places.set(id, at);
    siblings.splice(at, 0, id);
  }
  return places;
}
