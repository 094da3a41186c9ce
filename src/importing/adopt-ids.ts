import { ROOT, type Item } from '../content/domain/item.js';
import type { FolderContent } from './folder-reader.js';
import type { WantedPage } from './import-changes.js';
import { renameIds } from './rename-ids.js';
import type { SpaceContent } from './space-content.js';

/**
 * The content of a folder with the ids of what the space has already: pages are the same at the same path, files with
 * the same name (those with the same bytes first), reusable contents with the same title.
 */
export function adoptIds(wanted: FolderContent, current: SpaceContent): FolderContent {
  const names = new Map([...samePages(wanted.pages, current), ...sameFiles(wanted, current), ...sameReusables(wanted, current)]);
  const { pages, files, reusables, redirects } = renameIds({ pages: wanted.pages, files: wanted.files, reusables: wanted.reusables, redirects: wanted.redirects }, names);
  return { ...wanted, pages, files, reusables, redirects };
}

function samePages(pages: readonly WantedPage[], current: SpaceContent): Map<string, string> {
  const same = new Map<string, string>([[ROOT, ROOT]]);
  const used = new Set<string>();
  for (const page of pages) {
    const parent = same.get(page.parent);
    const twin = parent === undefined ? undefined : current.children(parent).find((candidate) => !used.has(candidate.id) && isTwin(candidate, page));
    if (!twin) continue;
    used.add(twin.id);
    same.set(page.id, twin.id);
  }
  same.delete(ROOT);
  return same;
}

/** Links have no path of their own, so their title tells them apart. */
function isTwin(candidate: Item, { attributes, type }: WantedPage): boolean {
  return type === 'link' ? candidate.type === 'link' && candidate.title === attributes.title : candidate.slug !== null && candidate.slug === attributes.slug;
}

function sameFiles({ files }: FolderContent, current: SpaceContent): [string, string][] {
  const unchanged = pairs(files, current.files, (file) => `${file.name}\n${file.stored.hash}`, (file) => `${file.title}\n${file.hash ?? ''}`);
  const [wanted, present] = [new Set(unchanged.map(([id]) => id)), new Set(unchanged.map(([, id]) => id))];
  const changed = pairs(files.filter(({ id }) => !wanted.has(id)), current.files.filter(({ id }) => !present.has(id)), (file) => file.name, (file) => file.title);
  return [...unchanged, ...changed];
}

function sameReusables({ reusables }: FolderContent, current: SpaceContent): [string, string][] {
  return pairs(reusables, current.reusables, (reusable) => reusable.title, (reusable) => reusable.title);
}

/** Ids of things with the same name, each used once. */
function pairs<Wanted extends { readonly id: string }>(wanted: readonly Wanted[], present: readonly Item[], nameOf: (wanted: Wanted) => string, nameOfItem: (item: Item) => string): [string, string][] {
  const free = new Map<string, string[]>();
  for (const item of present) free.set(nameOfItem(item), [...(free.get(nameOfItem(item)) ?? []), item.id]);
  return wanted.flatMap((each): [string, string][] => {
    const id = free.get(nameOf(each))?.shift();
    return id === undefined ? [] : [[each.id, id]];
  });
}
