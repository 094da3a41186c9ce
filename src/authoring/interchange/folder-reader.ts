import { newId } from '../../kernel/common/ids.js';
import { FreeNames } from '../content/domain/free-names.js';
import { isSlug, numberedSlug } from '../content/domain/slug.js';
import type { GivenRedirect } from '../content/page-redirects.js';
import type { SpooledDocument } from './document-spool.js';
import { planImport, type ImportPlan } from './domain/plan.js';
import type { PlannedFile, PlannedPage, PlanProblem, SourceFile } from './domain/plan-model.js';
import type { PlannedDocument } from './domain/plan-pages.js';
import { AnchorChecks } from './domain/anchor-checks.js';
import type { Neighbour } from './domain/folder-neighbours.js';
import type { GitBlob, GitObjects } from './git/git-objects.js';
import type { KnownPage, KnownSources } from './known-pages.js';
import type { SourceReads } from './domain/source-reads.js';
import { bytesFault, MAX_POINTER } from './domain/text-bytes.js';
import type { DesiredContent, DesiredFile, DesiredPage, DesiredReusable } from './import-changes.js';

/** Stores the bytes of a file and returns their metadata. */
export type StoreFile = (file: { readonly name: string; readonly bytes: Buffer }) => Promise<DesiredFile['stored']>;

export interface FolderContent<Kept = SpooledDocument> extends DesiredContent<Kept> {
  /** Paths of the files that blocks of an API are made from. */
  readonly specifications: readonly string[];
  /** The source file of each page that has one. */
  readonly sources: ReadonlyMap<string, string>;
  readonly redirects: readonly GivenRedirect[];
  readonly problems: readonly PlanProblem[];
}

/** Receives the progress of the work; pages and files count as one each. */
export type ImportProgressListener = (done: number, total: number) => void;

/** The resources for reading a folder. */
export interface ReadingTools<Kept> {
  readonly objects: GitObjects;
  readonly reads: SourceReads;
  /** False for a folder that is read as our own, whichever tool it was written for. */
  readonly foreign?: boolean;
  /** For one of several folders that refer to each other. */
  readonly neighbour?: Neighbour | undefined;
  /** The pages and files that the target has from the same sources; unchanged pages are not read again. */
  readonly known?: KnownSources | undefined;
  /** Stores the JSON of a document until the whole folder is read. */
  readonly keep: (json: string) => Kept | Promise<Kept>;
  readonly store: StoreFile;
  /** The number of texts that are read at once; 1 by default. */
  readonly atOnce?: number;
  readonly onProgress?: ImportProgressListener;
  /** Awaited between pages; throws to end the work. */
  readonly checkpoint?: () => Promise<void>;
}

/** Reads a whole folder: its pages, and stores the files that they need. */
export async function readContent<Kept>(
  files: ReadonlyMap<string, SourceFile>,
  tools: ReadingTools<Kept>,
): Promise<FolderContent<Kept>> {
  const { reads, foreign = true, neighbour, known } = tools;
  const titles = new Map(
    [...(known?.pages ?? [])].flatMap(([path, { title, isUnchanged }]) => (isUnchanged ? [[path, title]] : [])),
  );
  const plan = await planImport(files, { newId, reads, foreign, neighbour, titles });
  return new FolderReader(plan, files, known && hasTitles(plan, known) ? tools : { ...tools, known: undefined }).read();
}

/** Tells whether all pages are called as they are known: other pages show their titles. */
const hasTitles = (plan: ImportPlan, { pages }: KnownSources): boolean =>
  plan.pages.every(({ path, type, title }) => {
    const known = path === undefined || type !== 'document' ? undefined : pages.get(plan.original(path));
    return known === undefined || known.title === title;
  });

class FolderReader<Kept> {
  private readonly problems: PlanProblem[];
  private readonly shown = new Set<string>();
  private readonly specifications = new Set<string>();
  private readonly anchors = new AnchorChecks();
  private readonly slugs = new Map<string, FreeNames>();
  private readonly total: number;
  private done = 0;

  constructor(
    private readonly plan: ImportPlan,
    private readonly files: ReadonlyMap<string, SourceFile>,
    private readonly tools: ReadingTools<Kept>,
  ) {
    this.problems = [...plan.problems];
    this.total = plan.pages.length + plan.reusableContents.length + plan.files.length;
  }

  async read(): Promise<FolderContent<Kept>> {
    const pages: DesiredPage<Kept>[] = [];
    for await (const [page, read] of this.ahead(this.plan.pages, (each) => this.documentOf(each))) {
      await this.tools.checkpoint?.();
      pages.push(await this.page(page, read));
    }
    const reusables: DesiredReusable<Kept>[] = [];
    const included = this.plan.reusableContents;
    for await (const [content, made] of this.ahead(included, (each) => this.plan.readReusableContent(each))) {
      const read = this.noted(made);
      this.anchors.add(content.id, content.path, read, false);
      const { json } = read;
      reusables.push({
        id: content.id,
        title: content.title,
        document: await this.kept(json),
        ...this.git(content.path),
      });
    }
    const files: DesiredFile[] = [];
    for (const file of this.plan.files) {
      const stored = await this.stored(file);
      if (stored) files.push({ id: file.id, name: file.name, stored, ...this.git(file.path) });
      this.step();
    }
    const sources = new Map(
      this.plan.pages.flatMap(({ id, path }) => (path === undefined ? [] : [[id, this.plan.original(path)] as const])),
    );
    return {
      sources,
      pages,
      reusables,
      files,
      variables: this.plan.variables,
      tags: this.plan.tags,
      redirects: this.plan.redirects,
      specifications: this.plan.files.flatMap(({ id, path }) =>
        this.specifications.has(id) ? [this.plan.original(path)] : [],
      ),
      problems: [...this.problems, ...this.anchors.problems()].map((problem) => this.placed(problem)),
    };
  }

  /** A file as it is stored; undefined for one that nothing shows. */
  private async stored({ id, path, name, asset }: PlannedFile): Promise<DesiredFile['stored'] | undefined> {
    const known = this.tools.known?.files.get(this.plan.original(path));
    // The bytes are looked at where they may be a pointer to others.
    if (known && known.size >= MAX_POINTER) return known;
    if (known || asset || this.shown.has(id)) {
      const bytes = await this.sourceOf(path).read();
      const fault = bytesFault(bytes, false);
      if (fault) this.problems.push({ file: path, line: 1, level: 'warning', ...fault });
      return this.tools.store({ name, bytes });
    }
    this.problems.push({
      file: path,
      line: 1,
      level: 'notice',
      rule: 'unused-file',
      message: 'no page shows this file, so it is not imported',
    });
    return undefined;
  }

  /** The items in their order, each with its text, which is read while those before it are dealt with. */
  private async *ahead<Item, Read>(
    items: readonly Item[],
    read: (item: Item) => Promise<Read>,
  ): AsyncGenerator<[Item, Read]> {
    const { atOnce = 1 } = this.tools;
    const running: Promise<Read>[] = [];
    for (const [index, item] of items.entries()) {
      for (const next of items.slice(index + running.length, index + atOnce)) {
        const made = read(next);
        // A fault is thrown when its item is due.
        made.catch(() => undefined);
        running.push(made);
      }
      yield [item, await (running.shift() ?? read(item))];
    }
  }

  /** Null for a page without a text of its own. */
  private async documentOf(page: PlannedPage): Promise<PlannedDocument | null> {
    return page.type === 'link' || page.computed || this.unchanged(page) ? null : this.plan.readPage(page);
  }

  private async page(page: PlannedPage, document: PlannedDocument | null): Promise<DesiredPage<Kept>> {
    const { id, type, title, linkTitle, target } = page;
    const base = { id, parent: page.parent ?? '', type } as const;
    const unchanged = this.unchanged(page);
    if (unchanged) {
      this.step();
      const attributes = { title, slug: this.slug(page, unchanged.slug), ...this.git(page.path ?? '') };
      return { ...base, attributes, document: null, isUnchanged: true };
    }
    if (document === null) {
      this.step();
      const { attributes, source } = page.computed ?? {};
      const own = source ? { ...attributes, computed: source } : { ...(target && { target }) };
      return { ...base, attributes: { ...own, title }, document: null };
    }
    const read = this.noted(document);
    if (type === 'document') this.anchors.add(id, page.path, read, true);
    const { json, attributes } = read;
    const named = linkTitle === undefined ? {} : { linkTitle };
    const source = type === 'document' && page.path !== undefined ? this.git(page.path) : {};
    return {
      ...base,
      attributes: { ...named, ...attributes, title, slug: this.slug(page, attributes.slug), ...source },
      document: type === 'document' ? await this.kept(json) : null,
    };
  }

  /** The slug that the page itself requests if possible, else the one of its place in the folder. */
  private slug(page: PlannedPage, asked: string | undefined): string {
    const taken = this.slugs.get(page.parent ?? '') ?? new FreeNames();
    this.slugs.set(page.parent ?? '', taken);
    const wanted = asked?.normalize('NFC').toLowerCase();
    const usable = wanted !== undefined && isSlug(wanted);
    const slug = taken.take((number) => numberedSlug(usable ? wanted : (page.slug ?? 'page'), number));
    if (wanted !== undefined && slug !== wanted)
      this.problems.push({
        file: page.path ?? '',
        line: 1,
        level: 'warning',
        rule: 'path-taken',
        message: `the page cannot have the path ${asked ?? ''}, it becomes ${slug}`,
      });
    return slug;
  }

  private noted(read: PlannedDocument): PlannedDocument {
    this.problems.push(...read.problems);
    for (const file of read.files) this.shown.add(file);
    for (const file of read.specifications) this.specifications.add(file);
    this.step();
    return read;
  }

  /** A problem with the whole path of its file. */
  private placed(problem: PlanProblem): PlanProblem {
    return { ...problem, file: this.plan.original(problem.file) };
  }

  /** The page as the target has it, if its source is as it was. */
  private unchanged({ type, path, computed }: PlannedPage): KnownPage | undefined {
    if (type !== 'document' || path === undefined || computed) return undefined;
    const known = this.tools.known?.pages.get(this.plan.original(path));
    return known?.isUnchanged ? known : undefined;
  }

  private git(path: string): { git?: GitBlob } {
    const git = this.tools.objects.get(this.plan.original(path));
    return git ? { git } : {};
  }

  /** Null for an empty document, which is an empty page. */
  private async kept(json: string | null): Promise<Kept | null> {
    return json === null ? null : this.tools.keep(json);
  }

  private sourceOf(path: string): SourceFile {
    const source = this.files.get(this.plan.original(path));
    if (!source) throw new Error(`the plan names ${path}, which the folder does not have`);
    return source;
  }

  private step(): void {
    this.tools.onProgress?.(++this.done, this.total);
  }
}
