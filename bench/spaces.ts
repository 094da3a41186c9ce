import type { Api } from './api.js';
import { pageText, type PageSource } from './pages.js';

/** A measured space. */
export interface Subject {
  readonly label: string;
  readonly spaceId: string;
  /** Number of pages when it was built. */
  readonly pages: number;
  /** Ids of the pages in the order of their numbers. */
  readonly pageIds: readonly string[];
  /** Numbers of the pages on the third level, the only ones that are read and edited. */
  readonly leaves: readonly number[];
  readonly leafPaths: readonly string[];
  readonly buildMs: number;
}

interface PageNode {
  readonly id: string;
  readonly path?: string;
  readonly pages?: readonly PageNode[];
}

interface Written {
  readonly changes: readonly { readonly object: string; readonly page: { readonly id: string } | string }[];
}

export const BATCH = 50;
const FILES_PER_CHANGE = 20;

/** The levels of a tree of pages. */
export interface Levels {
  /** Pages of the first level. */
  readonly top: number;
  /** The number of the first page on the third level. */
  readonly firstLeaf: number;
  parentOf(index: number): number | undefined;
}

/** Three levels whatever the size, so that the depth of a path is the same: cube root, its square, the rest. */
export function levelsOf(count: number): Levels {
  const top = Math.max(2, Math.round(Math.cbrt(count)));
  const middle = top * top;
  return {
    top,
    firstLeaf: Math.min(count - 1, top + middle),
    parentOf: (index) => {
      if (index < top) return undefined;
      return index < top + middle ? Math.floor((index - top) / top) : top + ((index - top - middle) % middle);
    },
  };
}

/** Builds a space with live edits, with `count` pages and a few files, through the API. */
export async function buildSpace(
  api: Api,
  organizationId: string,
  label: string,
  count: number,
  source: PageSource,
  { files = Math.max(150, Math.round(count / 20)) }: { files?: number } = {},
): Promise<Subject> {
  const begin = performance.now();
  const space = await api.post<{ id: string }>(`/v1/orgs/${organizationId}/spaces`, {
    title: `Handbook of ${label}`,
    empty: true,
    editMode: 'live',
  });
  const levels = levelsOf(count);
  const { top, firstLeaf } = levels;
  const pageIds: string[] = [];
  while (pageIds.length < count) {
    const from = pageIds.length;
    // Parents must exist before their children: batches do not cross the levels.
    const to = Math.min(...[from + BATCH, count, top, firstLeaf].filter((end) => end > from));
    const changes = Array.from({ length: to - from }, (_, offset) => insertion(source, from + offset, levels, pageIds));
    const { changes: written } = await api.post<Written>(`/v1/spaces/${space.id}/content`, { changes });
    for (const { object, page } of written)
      if (object === 'created_page' && typeof page !== 'string') pageIds.push(page.id);
    if (pageIds.length !== to) throw new Error(`the space has ${pageIds.length} pages instead of ${to}`);
  }
  await insertFiles(api, space.id, files);
  const leaves = Array.from({ length: count - firstLeaf }, (_, index) => firstLeaf + index);
  const { pages } = await api.get<{ pages: readonly PageNode[] }>(`/v1/spaces/${space.id}/content/pages`);
  const paths = new Map<string, string>();
  collectPaths(pages, paths);
  const leafPaths = leaves.map((index) => paths.get(pageIds[index] ?? '') ?? '');
  return { label, spaceId: space.id, pages: count, pageIds, leaves, leafPaths, buildMs: performance.now() - begin };
}

/** The text of a page with a link to an older page, which all but the very first ones have. */
function markdownOf(
  pageIds: readonly string[],
  source: PageSource,
  index: number,
  mark: number | string = 0,
  place: 'first' | 'last' = 'last',
): string {
  const { markdown } = pageText(source, index, mark, place);
  const older = pageIds[index < 4 * BATCH ? 0 : Math.floor(index * 0.7)];
  return older === undefined
    ? markdown
    : markdown.replace('\n\n## Notes', `\n\nContinue with [an older page](/pages/${older}).\n\n## Notes`);
}

function insertion(source: PageSource, index: number, levels: Levels, pageIds: readonly string[]): object {
  const parent = levels.parentOf(index);
  return {
    operation: 'insert_page',
    title: pageText(source, index).title,
    ...(parent !== undefined && { into: pageIds[parent] }),
    document: { markdown: markdownOf(pageIds, source, index) },
  };
}

async function insertFiles(api: Api, spaceId: string, count: number): Promise<void> {
  for (let from = 0; from < count; from += FILES_PER_CHANGE) {
    const files = Array.from({ length: Math.min(FILES_PER_CHANGE, count - from) }, (_, index) => ({
      name: `attachment-${from + index}.txt`,
      contentType: 'text/plain',
      base64: Buffer.from(`The attachment ${from + index} of the space ${spaceId}.\n`.repeat(20)).toString('base64'),
    }));
    await api.post(`/v1/spaces/${spaceId}/content`, { changes: [{ operation: 'insert_files', files }] });
  }
}

function collectPaths(pages: readonly PageNode[], paths: Map<string, string>): void {
  for (const page of pages) {
    if (page.path !== undefined) paths.set(page.id, page.path);
    if (page.pages) collectPaths(page.pages, paths);
  }
}

/** The change that rewrites a page with one paragraph edited. */
export function edit(
  subject: Subject,
  source: PageSource,
  index: number,
  mark: number | string,
  place: 'first' | 'last' = 'last',
): object {
  return {
    operation: 'update_page',
    page: subject.pageIds[index],
    document: { markdown: markdownOf(subject.pageIds, source, index, mark, place) },
  };
}

/**
 * Edits many pages of a change request or, without one, of the space itself; with as few calls as the interface allows.
 */
export async function editPages(
  api: Api,
  subject: Subject,
  source: PageSource,
  indexes: readonly number[],
  mark: string,
  at: { changeRequest?: string; place?: 'first' | 'last' } = {},
): Promise<void> {
  const target = at.changeRequest === undefined ? '' : `/change-requests/${at.changeRequest}`;
  for (let from = 0; from < indexes.length; from += BATCH) {
    const changes = indexes.slice(from, from + BATCH).map((index) => edit(subject, source, index, mark, at.place));
    await api.post(`/v1/spaces/${subject.spaceId}${target}/content`, { changes });
  }
}

export async function openChangeRequest(api: Api, space: Subject, subject: string): Promise<string> {
  return (await api.post<{ id: string }>(`/v1/spaces/${space.spaceId}/change-requests`, { subject })).id;
}

/** Merges and returns whether it succeeded or has conflicts. */
export async function merge(api: Api, subject: Subject, changeRequest: string): Promise<string> {
  return (await api.post<{ result: string }>(`/v1/spaces/${subject.spaceId}/change-requests/${changeRequest}/merge`))
    .result;
}
