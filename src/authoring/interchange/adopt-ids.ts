import { FreeNames } from '../content/domain/free-names.js';
import { numberedSlug } from '../content/domain/slug.js';
import { compareSiblings, holdsNoPages, ROOT, type Item } from '../content/domain/content-item.js';
import type { FolderContent } from './folder-reader.js';
import type { GitBlob } from './git/git-objects.js';
import type { DesiredPage, DesiredReusable } from './import-changes.js';
import { renameIds, type Names } from './rename-ids.js';
import type { SpaceOutline } from './space-content.js';

/** The content of a folder as it will be in a space; `names` maps ids in its documents to ids in the space. */
export interface AdoptedContent {
  readonly content: FolderContent;
  readonly names: Names;
}

/**
 * Reuses ids of the space for the content of a folder: pages match by their file in a repository, also where that was renamed, or by path, files by
 * name (those with the same bytes first), reusable contents by title. `others` are names of pages in other spaces, to which the folder refers.
 */
export function adoptIds(wanted: FolderContent, current: SpaceOutline, others?: Names): AdoptedContent {
  const own = adoptedNames(wanted, current);
  const names = others && {
    get: (id: string): string | undefined => own.get(id) ?? others.get(id),
    size: own.size + others.size,
  };
  return renamed(wanted, names ?? own);
}

/** The ids in the space, by those of the folder. */
export function adoptedNames(wanted: FolderContent, current: SpaceOutline): Map<string, string> {
  return new Map([
    ...samePages(wanted.pages, current),
    ...sameFiles(wanted, current, false),
    ...sameReusables(wanted.reusables, current.reusables),
  ]);
}

/**
 * Prepares the content of a folder for a place under a page (`ROOT` for none) of an existing space: only files with the
 * same name and bytes match. Groups become documents where groups are not allowed.
 */
export function adoptUnder(wanted: FolderContent, current: SpaceOutline, into: string): AdoptedContent {
  const { content, names } = renamed(wanted, new Map(sameFiles(wanted, current, true)));
  const taken = new FreeNames(current.children(into).map((page) => page.slug ?? ''));
  const pages = content.pages.map((page): DesiredPage => {
    if (page.parent !== ROOT) return page;
    const { slug } = page.attributes;
    const free = slug === undefined ? undefined : taken.take((number) => numberedSlug(slug, number));
    const type = page.type === 'group' && into !== ROOT ? 'document' : page.type;
    return {
      ...page,
      parent: into,
      type,
      attributes: { ...page.attributes, ...(free !== undefined && { slug: free }) },
    };
  });
  return { content: { ...content, pages }, names };
}

function renamed(wanted: FolderContent, names: Names): AdoptedContent {
  const { pages, files, reusables, redirects } = renameIds(
    { pages: wanted.pages, files: wanted.files, reusables: wanted.reusables, redirects: wanted.redirects },
    names,
  );
  const sources = new Map([...wanted.sources].map(([id, path]) => [names.get(id) ?? id, path]));
  return { content: { ...wanted, sources, pages, files, reusables, redirects }, names };
}

/** Pages of a repository match by their files wherever they are, and all others by their paths; files that are left over were renamed. */
function samePages(pages: readonly DesiredPage[], current: SpaceOutline): Map<string, string> {
  const same = new Map<string, string>([[ROOT, ROOT], ...sameSources(pages, current.pages)]);
  for (const [id, twin] of renamedSources(pages, current.pages, same, blobOf, blobOfItem)) same.set(id, twin);
  const taken = new Set(same.values());
  const free = new Map<string, string[]>();
  for (const item of current.pages.toSorted(compareSiblings)) {
    if (taken.has(item.id)) continue;
    const name = nameOf(item.parentId, item.type, item.title, item.slug);
    const ids = free.get(name);
    if (ids) ids.push(item.id);
    else free.set(name, [item.id]);
  }
  for (const { id, type, parent, attributes } of pages) {
    const above = same.get(parent);
    if (above === undefined || same.has(id)) continue;
    const twin = free.get(nameOf(above, type, attributes.title, attributes.slug ?? null))?.shift();
    if (twin !== undefined) same.set(id, twin);
  }
  for (const [id, twin] of renamedSources(
    pages,
    current.pages,
    same,
    ({ attributes }) => attributes.title,
    ({ title }) => title,
  ))
    same.set(id, twin);
  same.delete(ROOT);
  return keptWithParents(same, current);
}

/**
 * Pages whose files are gone, by those of new files with the same name for what they hold: the same bytes, or the same title where the text was
 * edited, too. A name that several files have tells nothing.
 */
function renamedSources(
  pages: readonly DesiredPage[],
  present: readonly Item[],
  same: ReadonlyMap<string, string>,
  nameOfPage: (page: DesiredPage) => string | undefined,
  nameOfItem: (item: Item) => string | undefined,
): [string, string][] {
  const taken = new Set(same.values());
  const come = pages.filter(({ id, attributes }) => !same.has(id) && sourceOf(attributes) !== undefined);
  const gone = present.filter(({ id, props }) => !taken.has(id) && sourceOf(props) !== undefined);
  const [onlyCome, onlyGone] = [onlyOnes(come, nameOfPage), onlyOnes(gone, nameOfItem)];
  return [...onlyCome].flatMap(([name, { id, type }]): [string, string][] => {
    const twin = onlyGone.get(name);
    return twin?.type === type ? [[id, twin.id]] : [];
  });
}

/** The objects by their names, without those whose name another one has. */
function onlyOnes<Named>(objects: readonly Named[], nameOf: (each: Named) => string | undefined): Map<string, Named> {
  const found = new Map<string, Named | undefined>();
  for (const each of objects) {
    const name = nameOf(each);
    if (name !== undefined) found.set(name, found.has(name) ? undefined : each);
  }
  return new Map([...found].flatMap(([name, each]) => (each === undefined ? [] : [[name, each] as const])));
}

/** The pages that are read from the same files as pages that are there. */
function sameSources(pages: readonly DesiredPage[], present: readonly Item[]): [string, string][] {
  return pairs(
    pages.filter(({ attributes }) => sourceOf(attributes) !== undefined),
    present.filter(({ props }) => sourceOf(props) !== undefined),
    ({ type, attributes }) => `${type}\n${sourceOf(attributes) ?? ''}`,
    ({ type, props }) => `${type}\n${sourceOf(props) ?? ''}`,
  );
}

const gitOf = ({ git }: { readonly git?: unknown }): GitBlob | undefined => git as GitBlob | undefined;
const sourceOf = (facts: { readonly git?: unknown }): string | undefined => gitOf(facts)?.path;
const blobOf = ({ attributes }: DesiredPage): string | undefined => gitOf(attributes)?.oid;
const blobOfItem = ({ props }: Item): string | undefined => gitOf(props)?.oid;

/** Without the pages that are below one that is not kept: they go with it. */
function keptWithParents(same: ReadonlyMap<string, string>, { pages }: SpaceOutline): Map<string, string> {
  const parents = new Map(pages.map(({ id, parentId }) => [id, parentId]));
  const kept = new Set(same.values());
  const isKept = (id: string | undefined): boolean =>
    id === ROOT || (id !== undefined && kept.has(id) && isKept(parents.get(id)));
  return new Map([...same].filter(([, id]) => isKept(id)));
}

/** Links and computed pages have no path of their own, so their title identifies them. */
function nameOf(parent: string, type: string, title: string, slug: string | null): string {
  return `${parent}\n${holdsNoPages(type) ? `${type}\n${title}` : `page\n${slug ?? '/'}`}`;
}

function sameFiles({ files }: FolderContent, current: SpaceOutline, unchangedOnly: boolean): [string, string][] {
  const unchanged = pairs(
    files,
    current.files,
    (file) => `${file.name}\n${file.stored.hash}`,
    (file) => `${file.title}\n${file.hash ?? ''}`,
  );
  if (unchangedOnly) return unchanged;
  const [wanted, present] = [new Set(unchanged.map(([id]) => id)), new Set(unchanged.map(([, id]) => id))];
  const changed = pairs(
    files.filter(({ id }) => !wanted.has(id)),
    current.files.filter(({ id }) => !present.has(id)),
    (file) => file.name,
    (file) => file.title,
  );
  return [...unchanged, ...changed];
}

function sameReusables(reusables: readonly DesiredReusable[], present: readonly Item[]): [string, string][] {
  return pairs(
    reusables,
    present,
    (reusable) => reusable.title,
    (reusable) => reusable.title,
  );
}

/** Ids of objects with the same name, each used once. */
function pairs<Wanted extends { readonly id: string }>(
  wanted: readonly Wanted[],
  present: readonly Item[],
  nameOf: (wanted: Wanted) => string,
  nameOfItem: (item: Item) => string,
): [string, string][] {
  const free = new Map<string, string[]>();
  for (const item of present) {
    const ids = free.get(nameOfItem(item));
    if (ids) ids.push(item.id);
    else free.set(nameOfItem(item), [item.id]);
  }
  return wanted.flatMap((each): [string, string][] => {
    const id = free.get(nameOf(each))?.shift();
    return id === undefined ? [] : [[each.id, id]];
  });
}
