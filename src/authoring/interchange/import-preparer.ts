import { Injectable } from '@nestjs/common';
import { invalid } from '../../kernel/common/errors.js';
import { DocumentStaging, type DocumentDraft } from '../content/document-staging.js';
import { ROOT } from '../content/domain/content-item.js';
import { adoptIds, adoptUnder } from './adopt-ids.js';
import type { DocumentSpool } from './document-spool.js';
import type { PlanProblem } from './domain/plan-model.js';
import type { FolderContent } from './folder-reader.js';
import type { GitObjects } from './git/git-objects.js';
import { knownSources, type KnownSources } from './known-pages.js';
import type { StoredHashes } from './import-changes.js';
import type { ImportOrder, ImportTarget } from './import-order.js';
import { renameIdsIn, type Names } from './rename-ids.js';
import { SpaceContents, type SpaceOutline } from './space-content.js';

/** Documents that are in memory at once. */
const STAGED_AT_ONCE = 50;

/** The changes to be written, with all documents stored, for one state of the target. */
export interface PreparedImport {
  readonly content: FolderContent;
  readonly hashes: StoredHashes;
  readonly current: SpaceOutline;
  readonly problems: readonly PlanProblem[];
}

/** Compares a folder with what its target says, and stores the documents ahead of the import. */
@Injectable()
export class ImportPreparer {
  constructor(
    private readonly contents: SpaceContents,
    private readonly staging: DocumentStaging,
  ) {}

  /** The pages and files that the target has from the same repository, if it is as the last import has left it. */
  async known({ spaceId, since }: ImportTarget, objects: GitObjects): Promise<KnownSources | undefined> {
    if (since === undefined) return undefined;
    const outline = await this.contents.outline(spaceId);
    return outline.revisionId === since.revision ? knownSources(outline, objects, since.contextHash) : undefined;
  }

  /** Finds out what is there already and stores the documents that are not. */
  async prepare(
    target: ImportTarget,
    folder: FolderContent,
    spool: DocumentSpool,
    { checkpoint, names: others }: Pick<ImportOrder, 'checkpoint' | 'names'> = {},
  ): Promise<PreparedImport> {
    const { spaceId, changeRequest, page = ROOT, mode } = target;
    const current = await this.contents.outline(spaceId, changeRequest);
    if (page !== ROOT && !current.pages.some(({ id, type }) => id === page && type !== 'link'))
      throw invalid('target.page', 'is not a page of the space that can have pages under it');
    const { content, names } = mode === 'add' ? adoptUnder(folder, current, page) : adoptIds(folder, current, others);
    const before = new Map([...current.pages, ...current.reusables].map((item) => [item.id, item.hash]));
    const hashes = new Map<string, string | null>();
    const problems: PlanProblem[] = [];
    const wanted = [...content.pages, ...content.reusables].flatMap(({ id, document }) =>
      document ? [{ id, document }] : [],
    );
    for (let start = 0; start < wanted.length; start += STAGED_AT_ONCE) {
      await checkpoint?.();
      const some = wanted.slice(start, start + STAGED_AT_ONCE);
      const drafts: DocumentDraft[] = [];
      for (const { id, document } of some)
        drafts.push({ json: renameIdsIn(await spool.read(document), names), previous: before.get(id) ?? null });
      const staged = await this.staging.stage(spaceId, current.language, drafts);
      some.forEach(({ id }, index) => {
        const result = staged[index];
        if (result && 'hash' in result) return hashes.set(id, result.hash);
        problems.push({
          file: content.sources.get(id) ?? '',
          level: 'error',
          message: `the content is left out: ${result?.fault ?? ''}`,
        });
        return hashes.set(id, before.get(id) ?? null);
      });
    }
    return { content, hashes, current, problems };
  }

  /** The changes that were prepared, with their documents for good; prepared here and now where it was not, or was so long ago that they are gone. */
  async claimed(
    target: ImportTarget,
    folder: FolderContent,
    spool: DocumentSpool,
    { early, names }: { readonly early: PreparedImport | undefined; readonly names: Names | undefined },
  ): Promise<PreparedImport> {
    const prepared = early ?? (await this.prepare(target, folder, spool, names && { names }));
    const hashes = [...prepared.hashes.values()].filter((hash) => hash !== null);
    if (await this.staging.claim(target.spaceId, hashes)) return prepared;
    if (!early) throw new Error('documents were removed that have just been stored');
    return this.claimed(target, folder, spool, { early: undefined, names });
  }
}
