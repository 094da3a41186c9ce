import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { DomainError, invalid } from '../../kernel/common/errors.js';
import { computedSourceFault, type ComputedSource } from '../../formats/document/computed-source.js';
import type { ContentRef } from '../../formats/document/types.js';
import type { Item } from '../content/domain/content-item.js';
import { tagsOf } from '../content/domain/tags.js';
import { PageRedirects } from '../content/page-redirects.js';
import { presentTags } from '../content/present-content.js';
import { FileStorage } from '../../kernel/platform/storage/file-storage.js';
import { TaskLimitExceeded, WorkerPool } from '../../kernel/platform/workers/worker-pool.js';
import { followsFromPath, type ExportPage, type ExportSpace } from './domain/export.js';
import { TAGS_FILE, writeTags, type FolderTag } from './domain/tags-file.js';
import type { Targets } from './domain/targets.js';
import type { PlannedAttributes } from './domain/plan-pages.js';
import { PLAN_EXPORT } from './export-tasks.js';
import type { ImportProgressListener } from './folder-reader.js';
import type { GitBlob } from './git/git-objects.js';
import type { PreviousFolder } from './previous-folder.js';
import { SpaceContents, type SpaceOutline } from './space-content.js';
import { placesUsed } from './rename-ids.js';
import { TextWriter, type ExportItem, type OtherPages } from './text-writer.js';

export interface ExportResult {
  readonly pages: number;
  readonly files: number;
  /** Content that a folder cannot represent, by the title of the page. */
  readonly problems: readonly { readonly page: string; readonly message: string }[];
}

/** Maximum number of documents in memory at once. */
const DOCUMENTS_AT_ONCE = 50;
const NO_OTHERS: OtherPages = { paths: new Map() };

interface TreeOptions {
  /** The organization that the work counts for. */
  readonly party?: string;
  /** A revision of the space; the head of its primary line without it. */
  readonly at?: string;
  /** A change request, instead of the primary line. */
  readonly changeRequest?: string;
  /** For the folder of a repository: objects that came from there keep their paths. */
  readonly under?: string;
  /** The present files of the target: their text is kept where it means the same. */
  readonly previous?: PreviousFolder;
  /** For one of several folders: the pages in those of other spaces. */
  readonly others?: OtherPages;
  readonly onProgress?: ImportProgressListener;
  /** Awaited between files; throws to end the work. */
  readonly checkpoint?: () => Promise<void>;
}

export interface ExportedTree extends ExportResult {
  /** The path of each page, reusable content and file, by id. */
  readonly paths: ReadonlyMap<string, string>;
  /** Resolves targets in the files of the folder. */
  readonly targets: Pick<Targets, 'find'>;
  /** The revision that was written. */
  readonly revision: string;
}

const ATTRIBUTES = [
  'description',
  'icon',
  'emoji',
  'hidden',
  'noIndex',
  'noRobotsIndex',
  'condition',
  'layout',
  'cover',
  'variables',
  'metaLinks',
  'computed',
] as const;

/** Writes spaces as folders of Markdown, from which an import creates the same space again. */
@Injectable()
export class Exporter {
  constructor(
    private readonly contents: SpaceContents,
    private readonly redirects: PageRedirects,
    private readonly storage: FileStorage,
    private readonly workers: WorkerPool,
  ) {}

  /**
   * Writes the primary content of a space into an empty or new folder: `SUMMARY.md`, a Markdown file for each page,
   * `.gitbook/assets`, `.gitbook/includes` and `.gitbook.yaml`. Throws `notFound`, and `invalid` if the folder is not
   * empty.
   */
  async exportSpace(
    spaceId: string,
    folder: string,
    onProgress: ImportProgressListener = () => undefined,
  ): Promise<ExportResult> {
    const { pages, files, problems } = await this.exportTree(spaceId, folder, { onProgress });
    return { pages, files, problems };
  }

  /** Like `exportSpace`, and returns the path of each page, reusable content and file. */
  async exportTree(
    spaceId: string,
    folder: string,
    { party, under, previous, others = NO_OTHERS, onProgress = () => undefined, checkpoint, ...line }: TreeOptions,
  ): Promise<ExportedTree> {
    const content = await this.contentOf(spaceId, line);
    const redirects = await this.redirects.given(spaceId);
    await mkdir(folder, { recursive: true });
    if ((await readdir(folder)).length > 0) throw invalid('folder', 'is not empty');
    const items = exportedItems(content, under);
    const before = previous && (await factsOf(previous, items.pages));
    const space: ExportSpace = {
      ...items,
      ...before,
      variables: variablesOf(content),
      tags: tagsOfSpace(content),
      redirects,
      others: placesUsed(JSON.stringify([items.pages, redirects]), others.paths),
    };
    const plan = await this.workers.run(PLAN_EXPORT, space, { party });
    const { reusableContents, files } = items;
    const writer = new TextWriter(this.workers, space, plan, { party, previous, others });
    const { pages } = space;
    const total = plan.texts.size + pages.length + reusableContents.length + files.length;
    let done = 0;
    const step = async (write: () => Promise<void>): Promise<void> => {
      await checkpoint?.();
      await write();
      onProgress(++done, total);
    };
    const documents = new DocumentWindow(
      spaceId,
      [...pages, ...reusableContents].map(({ id }) => id),
      content,
      this.contents,
    );
    const text = async (item: ExportItem, write: (json: string | null) => Promise<string | Buffer>): Promise<void> => {
      const json = await documents.of(item.id);
      const path = plan.paths.get(item.id);
      if (path !== undefined) await writeNew(folder, path, await write(json).catch(tooMuchIn(item.title)));
    };
    for (const [path, body] of plan.texts)
      await step(async () => writeNew(folder, path, await writer.other(path, body)));
    const tags = await writer.tagsFile(writeTags(space.tags ?? []));
    if (tags !== undefined) await writeNew(folder, TAGS_FILE, tags);
    for (const page of pages) await step(() => text(page, (json) => writer.page(page, json)));
    for (const reusable of reusableContents)
      await step(() => text(reusable, (json) => writer.reusableContent(reusable, json)));
    for (const { id, hash } of files) await step(() => this.writeFile(folder, plan.paths.get(id), hash));
    return {
      pages: pages.length,
      files: files.length,
      problems: problemsOf(content),
      paths: plan.paths,
      targets: writer.targets,
      revision: content.revisionId,
    };
  }

  private contentOf(
    spaceId: string,
    { at, changeRequest }: Pick<TreeOptions, 'at' | 'changeRequest'>,
  ): Promise<SpaceOutline> {
    return at === undefined ? this.contents.outline(spaceId, changeRequest) : this.contents.outlineAt(spaceId, at);
  }

  /** The paths at which an export below a folder writes items, with the object of a repository that each of them came from. */
  async placesOf(content: SpaceOutline, under: string): Promise<ReadonlyMap<string, GitBlob | undefined>> {
    const items = exportedItems(content, under);
    const { paths } = await this.workers.run(PLAN_EXPORT, { ...items, tags: tagsOfSpace(content) }, {});
    const blobs = new Map(
      [...content.pages, ...content.reusables, ...content.files].map(({ id, props }) => [
        id,
        props['git'] as GitBlob | undefined,
      ]),
    );
    return new Map([...paths].map(([id, path]) => [path, blobs.get(id)]));
  }

  /** The path that each page of the primary content has in an export, by id; those without a file have none. */
  async pathsOf(
    spaceId: string,
    { under, previous, party }: Pick<TreeOptions, 'under' | 'previous' | 'party'> = {},
  ): Promise<ReadonlyMap<string, string>> {
    const content = await this.contents.outline(spaceId);
    const items = exportedItems(content, under);
    const before = previous && (await factsOf(previous, items.pages));
    const { paths } = await this.workers.run(PLAN_EXPORT, { ...items, ...before }, { party });
    return new Map(content.pages.flatMap(({ id }) => (paths.has(id) ? [[id, paths.get(id) ?? '']] : [])));
  }

  private async writeFile(folder: string, path: string | undefined, hash: string): Promise<void> {
    if (path === undefined) return;
    const stream = await this.storage.get(hash);
    await writeNew(folder, path, stream);
  }
}

/** The facts of a folder that decide where files are, and which of them the table of contents names. */
async function factsOf(
  previous: PreviousFolder,
  pages: readonly ExportPage[],
): Promise<Pick<ExportSpace, 'pages' | 'summary' | 'unlisted'>> {
  const given: ExportPage[] = [];
  for (const page of pages) {
    const asks = page.path !== undefined && !followsFromPath(page, page.path);
    given.push(asks && (await previous.slug(page.path ?? '')) === page.slug ? { ...page, slugWritten: true } : page);
  }
  return { pages: given, summary: previous.config.summary, unlisted: await previous.unlisted() };
}

/** The exported items of a space, each kind by title. */
function exportedItems(content: SpaceOutline, under: string | undefined) {
  return {
    pages: exportPages(content, { under, tags: new Set(content.tags.map(({ id }) => id)) }),
    reusableContents: content.reusables
      .toSorted(byTitle)
      .map((item) => ({ id: item.id, title: item.title, ...wantedPath(item, under) })),
    files: content.files
      .toSorted(byTitle)
      .map((item) => ({ id: item.id, name: item.title, hash: item.hash ?? '', ...wantedPath(item, under) })),
  };
}

/** Writes a file that must not exist yet, with its parent folders. */
async function writeNew(folder: string, path: string, body: string | Buffer | Readable): Promise<void> {
  const place = join(folder, path);
  await mkdir(dirname(place), { recursive: true });
  await writeFile(place, body, { flag: 'wx' });
}

/** A page that cannot be written fails the export: without it the folder would have other content. */
function tooMuchIn(title: string): (error: unknown) => never {
  return (error) => {
    throw error instanceof TaskLimitExceeded
      ? new DomainError(error.code, `The page “${title}” ${error.reason}`)
      : error;
  };
}

/** The documents of items that are requested in a given order; only some of them are in memory at a time. */
class DocumentWindow {
  private readonly items: ReadonlyMap<string, Item>;
  private next = 0;
  private loaded: ReadonlyMap<string, string> = new Map();
  private waiting = new Set<string>();

  constructor(
    private readonly spaceId: string,
    private readonly order: readonly string[],
    content: SpaceOutline,
    private readonly contents: SpaceContents,
  ) {
    this.items = new Map([...content.pages, ...content.reusables].map((item) => [item.id, item]));
  }

  /** As JSON; null for an empty item. */
  async of(id: string): Promise<string | null> {
    while (!this.waiting.has(id) && this.next < this.order.length) await this.load();
    return this.loaded.get(this.items.get(id)?.hash ?? '') ?? null;
  }

  private async load(): Promise<void> {
    const ids = this.order.slice(this.next, this.next + DOCUMENTS_AT_ONCE);
    this.next += ids.length;
    this.waiting = new Set(ids);
    this.loaded = await this.contents.documentTexts(
      this.spaceId,
      ids.flatMap((id) => this.items.get(id) ?? []),
    );
  }
}

interface GivenPlaces {
  readonly under: string | undefined;
  /** The slugs of the tags that exist. */
  readonly tags: ReadonlySet<string>;
}

/** The pages from the root down, siblings in order. */
function exportPages(content: SpaceOutline, given: GivenPlaces, parent?: string): ExportPage[] {
  return content.children(parent).flatMap((page) => {
    if (isUnknown(page)) return [];
    // A page at the root without a file of its own would be read back as a group, if it has subpages.
    const isEmpty = page.hash === null && (parent !== undefined || content.children(page.id).length === 0);
    return [
      { ...exportPage(page, parent, { empty: isEmpty, tags: given.tags }), ...wantedPath(page, given.under) },
      ...exportPages(content, given, page.id),
    ];
  });
}

/** The path of an item in the repository from which it came, if that was below the exported folder. */
function wantedPath({ props }: Item, under: string | undefined): { path?: string } {
  const path = (props['git'] as GitBlob | undefined)?.path;
  if (under === undefined || path === undefined) return {};
  if (under === '') return { path };
  return path.startsWith(`${under}/`) ? { path: path.slice(under.length + 1) } : {};
}

function exportPage(
  page: Item,
  parent: string | undefined,
  { empty, tags }: Pick<GivenPlaces, 'tags'> & { readonly empty: boolean },
): ExportPage {
  const linkTitle = page.props['linkTitle'];
  const named = tagsOf(page, (slug) => tags.has(slug));
  const attributes: PlannedAttributes = Object.fromEntries(
    ATTRIBUTES.flatMap((name) => (page.props[name] === undefined ? [] : [[name, page.props[name]]])),
  );
  if (named.length > 0) attributes.tags = named;
  return {
    id: page.id,
    parent,
    type: page.type as ExportPage['type'],
    title: page.title,
    ...(typeof linkTitle === 'string' && { linkTitle }),
    ...(page.slug !== null && { slug: page.slug }),
    ...(page.type === 'link' && { target: page.props['target'] as ContentRef }),
    ...(page.type === 'computed' && {
      computed: { title: page.title, source: page.props['computed'] as ComputedSource, attributes },
    }),
    attributes,
    empty,
  };
}

function problemsOf(content: SpaceOutline): { page: string; message: string }[] {
  return content.pages.filter(isUnknown).map((page) => ({
    page: page.title,
    message: 'the page is computed from something that is not known, and is not exported',
  }));
}

/** A computed page of an older kind, whose source cannot be expanded. */
function isUnknown(page: Item): boolean {
  return page.type === 'computed' && computedSourceFault(page.props['computed'], 'computed') !== undefined;
}

function variablesOf(content: SpaceOutline): Record<string, string | number | boolean> {
  return Object.fromEntries(
    content.variables
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .map((variable) => [variable.id, variable.props['value'] as string | number | boolean]),
  );
}

function tagsOfSpace(content: SpaceOutline): FolderTag[] {
  return presentTags(content.tags).map(({ color, ...tag }) => ({ ...tag, ...(color !== 'default' && { color }) }));
}

function byTitle(a: Item, b: Item): number {
  return a.title < b.title ? -1 : a.title > b.title ? 1 : a.id < b.id ? -1 : 1;
}
