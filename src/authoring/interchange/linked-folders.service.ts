import { Injectable } from '@nestjs/common';
import { runAs, type Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { Semaphore } from '../../kernel/common/semaphore.js';
import { Blobs } from '../../kernel/platform/storage/blobs.js';
import { ContentLines } from '../content/content-lines.js';
import { ContentStore } from '../content/content-store.js';
import { adoptedNames } from './adopt-ids.js';
import { DocumentSpool } from './document-spool.js';
import { FolderNeighbours, type Neighbour } from './domain/folder-neighbours.js';
import { joinPath } from './domain/repository-paths.js';
import type { SourceFile } from './domain/plan-model.js';
import { readContent, type FolderContent, type ImportProgressListener } from './folder-reader.js';
import type { GitBlob } from './git/git-objects.js';
import { importerOf } from './import-caller.js';
import type { ImportOrder, ImportResult, ImportSource } from './import-order.js';
import { ImportPreparer, type PreparedImport } from './import-preparer.js';
import { ImportRights } from './import-rights.js';
import { ImportWriter } from './import-writer.js';
import { PooledReads } from './pooled-reads.js';
import { SpaceContents } from './space-content.js';

/** A folder, and the space that shall say what it says. */
export interface LinkedFolder {
  /** Its path from the root of the source, '' for the root itself. */
  readonly place: string;
  readonly files: ReadonlyMap<string, SourceFile>;
  readonly space: string;
  /** For a space that is made, with the id above. */
  readonly make?: { readonly title: string; readonly language?: string };
}

export interface LinkedOrder extends Pick<ImportOrder, 'organizationId' | 'userId'> {
  readonly folders: readonly LinkedFolder[];
  readonly git?: ImportSource['git'];
  readonly onProgress?: ImportProgressListener;
}

/** A folder that was read. */
interface ReadFolder {
  readonly folder: LinkedFolder;
  readonly content: FolderContent;
}

/** The spaces that are there already: their heads, and the ids that pages of the folders have in them. */
interface KnownSpaces {
  readonly heads: ReadonlyMap<string, string>;
  readonly names: ReadonlyMap<string, string>;
}

/** Folders whose pages are read at the same time. */
const FOLDERS_AT_ONCE = 4;

/** Imports folders that refer to each other into a space each, all in one transaction. */
@Injectable()
export class LinkedFolders {
  constructor(
    private readonly rights: ImportRights,
    private readonly database: Database,
    private readonly blobs: Blobs,
    private readonly reads: PooledReads,
    private readonly contents: SpaceContents,
    private readonly preparer: ImportPreparer,
    private readonly writer: ImportWriter,
    private readonly lines: ContentLines,
    private readonly store: ContentStore,
  ) {}

  /**
   * Makes each space equal to its folder, as `Importer` does with one, and then calls `finish` in the same transaction:
   * everything is there afterwards, or nothing. Links from folder to folder lead from space to space. Throws `notFound`
   * and `forbidden` if the user lacks access or permission.
   */
  async importAll<T>(order: LinkedOrder, finish: (results: readonly ImportResult[]) => Promise<T>): Promise<T> {
    const caller = importerOf(order);
    for (const folder of order.folders) await this.rights.require(caller, orderOf(order, folder));
    return runAs(caller, order.organizationId, () =>
      DocumentSpool.use(async (spool) => {
        const read = await this.read(order, spool);
        const known = await this.known(read);
        const early = new Map<string, PreparedImport>();
        for (const { folder, content } of read) {
          const { target } = orderOf(order, folder);
          if (target) early.set(folder.space, await this.preparer.prepare(target, content, spool, known));
        }
        const { results, made } = await this.database.transaction(async () => {
          const results = await this.write(caller, order, { read, known, early, spool });
          return { results, made: await finish(results) };
        });
        await this.store.analyzeAfter(results.reduce((sum, { changes }) => sum + changes, 0));
        return made;
      }),
    );
  }

  /** Reads all folders together: none of them can resolve its links before the others are planned. */
  private async read({ folders, git, onProgress }: LinkedOrder, spool: DocumentSpool): Promise<ReadFolder[]> {
    const neighbours = new FolderNeighbours(new Map(folders.map(({ place, space }) => [place, space])));
    const turns = new Semaphore(FOLDERS_AT_ONCE);
    const progress = new Map<string, readonly [number, number]>();
    const told = (place: string) => (done: number, total: number) => {
      progress.set(place, [done, total]);
      const all = [...progress.values()];
      onProgress?.(
        all.reduce((sum, [some]) => sum + some, 0),
        all.reduce((sum, [, whole]) => sum + whole, 0),
      );
    };
    const read = await Promise.allSettled(
      folders.map((folder) =>
        neighbours.run(folder.place, async (neighbour) => {
          let leave = (): void => undefined;
          const meet: Neighbour['meet'] = async (root, here) => {
            await neighbour.meet(root, here);
            leave = await turns.acquire();
          };
          try {
            const content = await readContent(folder.files, {
              reads: this.reads,
              foreign: git === undefined,
              neighbour: { meet, find: (directory, target) => neighbour.find(directory, target) },
              objects: objectsOf(folder, git),
              keep: (json) => spool.add(json),
              store: ({ name, bytes }) => this.blobs.store(bytes, { name }),
              onProgress: told(folder.place),
            });
            return { folder, content };
          } finally {
            leave();
          }
        }),
      ),
    );
    return read.map((each) => {
      if (each.status === 'rejected') throw each.reason;
      return each.value;
    });
  }

  private async known(read: readonly ReadFolder[]): Promise<KnownSpaces> {
    const [heads, names] = [new Map<string, string>(), new Map<string, string>()];
    for (const { folder, content } of read) {
      if (folder.make) continue;
      const current = await this.contents.outline(folder.space);
      heads.set(folder.space, current.revisionId);
      for (const [id, name] of adoptedNames(content, current)) names.set(id, name);
    }
    return { heads, names };
  }

  private async write(
    caller: Caller,
    order: LinkedOrder,
    prepared: {
      readonly read: readonly ReadFolder[];
      readonly known: KnownSpaces;
      readonly early: ReadonlyMap<string, PreparedImport>;
      readonly spool: DocumentSpool;
    },
  ): Promise<ImportResult[]> {
    const { read, early, spool } = prepared;
    // In one order for all imports, so that two of them wait for each other and do not lock each other out.
    let isAsBefore = true;
    for (const [space, head] of [...prepared.known.heads].sort(([a], [b]) => (a < b ? -1 : 1)))
      isAsBefore = (await this.lines.lockPrimary(space)).revisionId === head && isAsBefore;
    // A space that has moved on may know other pages again, to which the others refer.
    const { names } = isAsBefore ? prepared.known : await this.known(read);
    const results: ImportResult[] = [];
    for (const { folder, content } of read) {
      const result = await this.writer.write(
        caller,
        { ...orderOf(order, folder), names },
        content,
        spool,
        isAsBefore ? early.get(folder.space) : undefined,
      );
      results.push({
        ...result,
        imported: result.imported.map(({ source, ...page }) => ({
          ...page,
          ...(source !== undefined && { source: joinPath(folder.place, source) }),
        })),
        problems: result.problems.map((problem) => ({ ...problem, file: joinPath(folder.place, problem.file) })),
      });
    }
    return results;
  }
}

function orderOf({ organizationId, userId, git }: LinkedOrder, { files, space, make }: LinkedFolder): ImportOrder {
  const source: ImportSource = { files, problems: [], ...(git && { git }) };
  if (!make) return { organizationId, userId, source, title: '', target: { spaceId: space, mode: 'replace' } };
  const { title, language } = make;
  return { organizationId, userId, source, title, make: { id: space, ...(language !== undefined && { language }) } };
}

/** The git objects of the files of a folder, by their path from there. */
function objectsOf({ place, files }: LinkedFolder, git: LinkedOrder['git']): ReadonlyMap<string, GitBlob> {
  return new Map(
    [...files.keys()].flatMap((path) => {
      const object = git?.objects.get(joinPath(place, path));
      return object ? [[path, object] as const] : [];
    }),
  );
}
