import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable, Logger } from '@nestjs/common';
import { invalid } from '../../../kernel/common/errors.js';
import type { SourceFile } from '../../../authoring/interchange/domain/plan-model.js';
import type { GitBlob } from '../../../authoring/interchange/git/git-objects.js';
import type { KeptCommit } from '../../../authoring/interchange/git/kept-commit.js';
import { SpaceRepositories } from '../../../authoring/interchange/git/space-repositories.service.js';
import type { ImportResult, ImportTarget } from '../../../authoring/interchange/import-order.js';
import type { Checkout } from '../../../authoring/interchange/git/repository.js';
import { Importer } from '../../../authoring/interchange/importer.service.js';
import { NeighbourFolders } from '../../../authoring/interchange/neighbour-folders.service.js';
import { readFolder, type Folder } from '../../../authoring/interchange/markdown-folder.js';
import { orderOf, resultOf, type ActiveRun } from '../active-run.js';
import type { RunSource } from '../imports.schema.js';
import { commitUrl, gitAccessOf } from './git-orders.js';
import { GitTransport } from './git-transport.js';

type GitImport = Extract<RunSource, { type: 'git' }>;

type Since = NonNullable<ImportTarget['since']>;

/** A checkout, and the files of the documentation in it. */
interface Read extends Omit<Checkout, 'folder'> {
  readonly folder: Folder;
}

/** Bytes of the texts that are kept of a commit. */
const MAX_KEPT_TEXTS = 8 * 1024 ** 2;
const NO_ADDRESSES: ReadonlyMap<string, string> = new Map();

/** Imports repositories into spaces. */
@Injectable()
export class GitImporter {
  private readonly logger = new Logger(GitImporter.name);

  constructor(
    private readonly transport: GitTransport,
    private readonly importer: Importer,
    private readonly repositories: SpaceRepositories,
    private readonly neighbours: NeighbourFolders,
  ) {}

  /**
   * Makes the space say what the repository says, and writes only what differs. `onCheckout` is shown the files before they are
   * read, and may change them; it gives what is different from the checkout then. `since` is the last import of the same branch, if
   * the space has not changed after it.
   */
  async import(
    run: ActiveRun,
    source: GitImport,
    {
      onCheckout,
      since,
    }: {
      readonly onCheckout?: (checkout: Checkout) => Promise<Pick<Checkout, 'objects' | 'refused'> | undefined>;
      readonly since?: ImportTarget['since'] | undefined;
    } = {},
  ): Promise<ImportResult> {
    await this.repositories.requireNewer(run.spaceId, source);
    const { url, ref, directory } = source;
    const changed = since && !onCheckout ? await this.changed(run, source, since) : undefined;
    if (changed) return changed;
    // Loaded by the first run that needs it: git takes its share of a start.
    const { withCheckout } = await import('../../../authoring/interchange/git/repository.js');
    const keep = run.changeRequestId === null && !run.makeRequest;
    return withCheckout({ url, ref, keep }, this.transport.client(url, gitAccessOf(run)), async (checkout) => {
      const { objects, refused } = (await onCheckout?.(checkout)) ?? checkout;
      const root = join(checkout.folder, directory);
      if (!(await stat(root).catch(() => undefined))?.isDirectory())
        throw invalid('repoProjectDirectory', 'is not a folder of the repository');
      return this.importFiles(run, source, { ...checkout, objects, refused, folder: await readFolder(root) }, since);
    });
  }

  /**
   * Imports what has changed since the last import, of which only that is fetched; undefined where that is not kept, the server does
   * not answer so, or files are read that have not changed.
   */
  private async changed(run: ActiveRun, source: GitImport, since: Since): Promise<ImportResult | undefined> {
    const { url, ref, directory } = source;
    const kept = await this.repositories.kept(run.spaceId);
    if (kept === undefined) return undefined;
    const { fetchSince, filesBelow, NotFetched } = await import('../../../authoring/interchange/git/changed-files.js');
    // A checkout of the whole tells why a server does not answer.
    const found = await fetchSince({ url, ref }, kept, this.transport.client(url, gitAccessOf(run))).catch(
      () => undefined,
    );
    if (found === undefined) return undefined;
    const folder = { files: filesBelow(directory, found.files), problems: [] };
    try {
      return await this.importFiles(run, source, { ...found, folder }, since);
    } catch (error) {
      if (error instanceof NotFetched) return undefined;
      throw error;
    }
  }

  private async importFiles(
    run: ActiveRun,
    source: GitImport,
    { commit, objects, refused, kept, folder }: Read,
    since: Since | undefined,
  ): Promise<ImportResult> {
    const left = refused.map(({ path, message }) => ({ file: path, level: 'error' as const, message }));
    const git = {
      commit: { ...commit, url: commitUrl(source, commit.oid) },
      objects: within(objects, source.directory),
    };
    const isPrimary = run.changeRequestId === null && !run.makeRequest;
    const finished = async (result: ImportResult): Promise<ImportResult> => {
      if (isPrimary)
        await this.repositories.record(run.spaceId, source, commit.oid, result.revision, result.contextHash);
      return result;
    };
    const order = orderOf(run, 'replace');
    const { files, read } = noted(folder.files);
    const result = await this.importer.importFolder({
      ...order,
      neighbour: await this.neighbours.known(source.directory, run.beside),
      ...(order.target && since && { target: { ...order.target, since } }),
      source: { files, problems: [...folder.problems, ...left], git },
      commit: (work) =>
        run.commit(
          async () => finished(await work()),
          (done) => resultOf(done, NO_ADDRESSES),
        ),
    });
    if (isPrimary && kept) await this.keep(run.spaceId, kept, read, result.settled);
    return result;
  }

  /** Keeps the commit with what every import reads. The run has ended: without it, the next import is a whole one. */
  private async keep(
    spaceId: string,
    kept: KeptCommit,
    read: ReadonlyMap<string, SourceFile>,
    settled: ReadonlySet<string> = new Set(),
  ): Promise<void> {
    const wanted = [...read].filter(([path]) => !settled.has(path)).map(([, file]) => file);
    let room = MAX_KEPT_TEXTS;
    const texts: Buffer[] = [];
    try {
      for (const file of wanted.sort((left, right) => left.size - right.size)) {
        room -= file.size;
        if (room < 0) break;
        texts.push(await file.read());
      }
      const { keepTexts } = await import('../../../authoring/interchange/git/kept-commit.js');
      await this.repositories.keep(spaceId, await keepTexts(kept, texts));
    } catch (error) {
      this.logger.warn(`a commit of the space ${spaceId} is not kept: ${String(error)}`);
    }
  }
}

/** Files, and those of them that are read in the course of time. */
function noted(files: ReadonlyMap<string, SourceFile>): {
  readonly files: Map<string, SourceFile>;
  readonly read: ReadonlyMap<string, SourceFile>;
} {
  const read = new Map<string, SourceFile>();
  const noting = ([path, file]: [string, SourceFile]): [string, SourceFile] => [
    path,
    {
      size: file.size,
      read: () => {
        read.set(path, file);
        return file.read();
      },
    },
  ];
  return { files: new Map([...files].map(noting)), read };
}

/** The objects below a folder, by their path from there. */
function within(objects: ReadonlyMap<string, GitBlob>, directory: string): ReadonlyMap<string, GitBlob> {
  if (directory === '') return objects;
  const prefix = `${directory}/`;
  return new Map(
    [...objects].flatMap(([path, blob]) =>
      path.startsWith(prefix) ? [[path.slice(prefix.length), blob] as const] : [],
    ),
  );
}
