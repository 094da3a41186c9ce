import { Injectable } from '@nestjs/common';
import { runAs, type Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { invalid } from '../../kernel/common/errors.js';
import { Blobs } from '../../kernel/platform/storage/blobs.js';
import { ContentStore } from '../content/content-store.js';
import { DocumentSpool } from './document-spool.js';
import { readContent, type FolderContent } from './folder-reader.js';
import type { GitBlob } from './git/git-objects.js';
import type { ImportOrder, ImportResult } from './import-order.js';
import { importerOf } from './import-caller.js';
import { ImportPreparer } from './import-preparer.js';
import { ImportRights } from './import-rights.js';
import { ImportWriter } from './import-writer.js';
import { PooledReads } from './pooled-reads.js';

/** Imports folders of Markdown into spaces: everything in one revision, or nothing. */
@Injectable()
export class Importer {
  constructor(
    private readonly rights: ImportRights,
    private readonly database: Database,
    private readonly blobs: Blobs,
    private readonly reads: PooledReads,
    private readonly preparer: ImportPreparer,
    private readonly writer: ImportWriter,
    private readonly store: ContentStore,
  ) {}

  /**
   * Imports a folder into a new space, adds it to an existing one, or makes that equal to the folder: its pages keep
   * their ids (by path) and their blocks' keys (by content), and only differences are written. Throws `notFound` and
   * `forbidden` if the user lacks access or permission, `invalid` for a folder without anything to import.
   */
  async importFolder(order: ImportOrder): Promise<ImportResult> {
    const caller = importerOf(order);
    await this.rights.require(caller, order);
    return runAs(caller, order.organizationId, () =>
      DocumentSpool.use((spool) => this.importThrough(caller, spool, order)),
    );
  }

  private async importThrough(caller: Caller, spool: DocumentSpool, order: ImportOrder): Promise<ImportResult> {
    const folder = await this.read(order, spool);
    if (folder.pages.length === 0) throw invalid('source', 'the folder has no pages');
    // Long work is done before anything is locked; it holds unless somebody writes to the target meanwhile.
    const prepared = order.target && (await this.preparer.prepare(order.target, folder, spool, order));
    await order.checkpoint?.();
    const commit = order.commit ?? ((work) => this.database.transaction(work));
    const result = await commit(() => this.writer.write(caller, order, folder, spool, prepared));
    await this.store.analyzeAfter(result.changes);
    return result;
  }

  private async read(
    { source, target, neighbour, onProgress = () => undefined, checkpoint = async () => undefined }: ImportOrder,
    spool: DocumentSpool,
  ): Promise<FolderContent> {
    const objects = source.git?.objects ?? new Map<string, GitBlob>();
    const store = ({ name, bytes }: { name: string; bytes: Buffer }) => this.blobs.store(bytes, { name });
    return readContent(source.files, {
      reads: this.reads,
      // An export into a repository deletes the Markdown that the space lacks, and so must have read all of it.
      foreign: source.git === undefined,
      objects,
      neighbour,
      known: target && (await this.preparer.known(target, objects)),
      keep: (json) => spool.add(json),
      store,
      onProgress,
      checkpoint,
    });
  }
}
