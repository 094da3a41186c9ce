import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Access } from '../../kernel/access/access.service.js';
import { allows, type PermissionKey } from '../../kernel/access/permissions.js';
import { currentContext, runInContext, type Caller, type RequestContext } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, invalid, notFound } from '../../kernel/common/errors.js';
import { ContentStore } from '../content/content-store.js';
import { ContentWriter } from '../content/content-writer.js';
import { DocumentStaging, type DocumentDraft } from '../content/document-staging.js';
import { ROOT } from '../content/domain/content-item.js';
import { ContentLines } from '../content/content-lines.js';
import { NewSpaces } from '../content/new-spaces.service.js';
import { PageRedirects } from '../content/page-redirects.js';
import { Blobs } from '../../kernel/platform/storage/blobs.js';
import { adoptIds, adoptUnder } from './adopt-ids.js';
import { DocumentSpool } from './document-spool.js';
import type { PlanProblem, SourceFile } from './domain/plan-model.js';
import {
  readContent,
  type FolderContent,
  type GitBlob,
  type GitObjects,
  type ImportProgressListener,
} from './folder-reader.js';
import type { FetchedCommit } from './git/repository.js';
import { addingChanges, replacingChanges, storedInput, type StoredHashes } from './import-changes.js';
import { PooledReads } from './pooled-reads.js';
import { renameIdsIn } from './rename-ids.js';
import { SpaceContents, type SpaceOutline } from './space-content.js';

const MAX_TITLE = 50;
/** Maximum number of documents in memory at once. */
const STAGED_AT_ONCE = 50;

/** A folder of Markdown, whatever its origin. */
export interface ImportSource {
  readonly files: ReadonlyMap<string, SourceFile>;
  /** Problems found while the folder was read. */
  readonly problems: readonly PlanProblem[];
  /** Set if it comes from a git repository. */
  readonly git?: { readonly commit: FetchedCommit; readonly objects: GitObjects };
}

/** The destination of the content of a folder. */
export interface ImportTarget {
  readonly spaceId: string;
  /** By id; without one the primary line, which is written to even if the space is locked for live edits. */
  readonly changeRequest?: string;
  /**
   * Creates a change request of the space and returns its id, to which the changes are written. Not called if there are
   * no changes.
   */
  readonly makeRequest?: () => Promise<string>;
  /** The page under which everything is added. */
  readonly page?: string;
  /** `replace`: the space becomes equal to the folder. `add`: existing content stays unchanged. */
  readonly mode: 'replace' | 'add';
}

export interface ImportOrder {
  readonly organizationId: string;
  readonly userId: string;
  readonly source: ImportSource;
  /** An existing space; without it a new one with this title is created. */
  readonly target?: ImportTarget;
  readonly title: string;
  readonly onProgress?: ImportProgressListener;
  /** Awaited periodically; throws to end the work, without any effect. */
  readonly checkpoint?: () => Promise<void>;
  /** Runs the work that makes the result visible, in a transaction of its choice. */
  readonly commit?: (work: () => Promise<ImportResult>) => Promise<ImportResult>;
}

/** A problem with its place; `line` counts from 1. */
export interface ImportProblem extends PlanProblem {
  readonly line: number;
}

export interface ImportResult {
  readonly space: string;
  /** The head of the line: the new revision, or the old one if nothing changed. */
  readonly revision: string;
  readonly changed: boolean;
  readonly pages: number;
  readonly files: number;
  /** The pages, with the source file of those that have one, in tree order. */
  readonly imported: readonly { readonly id: string; readonly source?: string }[];
  readonly problems: readonly ImportProblem[];
}

/** The prepared changes, with all documents stored, for one state of the target. */
interface Prepared {
  readonly content: FolderContent;
  readonly hashes: StoredHashes;
  readonly current: SpaceOutline;
  readonly problems: readonly PlanProblem[];
}

/** Imports folders of Markdown into spaces: everything in one revision, or nothing. */
@Injectable()
export class Importer {
  constructor(
    private readonly access: Access,
    private readonly database: Database,
    private readonly blobs: Blobs,
    private readonly contents: SpaceContents,
    private readonly staging: DocumentStaging,
    private readonly store: ContentStore,
    private readonly lines: ContentLines,
    private readonly newSpaces: NewSpaces,
    private readonly redirects: PageRedirects,
    private readonly writer: ContentWriter,
    private readonly reads: PooledReads,
  ) {}

  /**
   * Imports a folder into a new space, adds it to an existing one, or makes that equal to the folder: its pages keep
   * their ids (by path) and their blocks' keys (by content), and only differences are written. Throws `notFound` and
   * `forbidden` if the user lacks access or permission, `invalid` for a folder without anything to import.
   */
  async importFolder(order: ImportOrder): Promise<ImportResult> {
    const caller: Caller = {
      userId: order.userId,
      tokenId: '',
      organizationId: order.organizationId,
      scopes: undefined,
    };
    await this.checkRights(caller, order);
    const ambient = currentContext();
    const party = { name: order.organizationId, isOrganization: true };
    const context: RequestContext = ambient?.caller
      ? ambient
      : { requestId: randomUUID(), ip: undefined, ifMatch: undefined, source: 'workflow', party, ...ambient, caller };
    return runInContext(context, () => DocumentSpool.use((spool) => this.importThrough(caller, spool, order)));
  }

  private async importThrough(caller: Caller, spool: DocumentSpool, order: ImportOrder): Promise<ImportResult> {
    const folder = await this.read(order, spool);
    if (folder.pages.length === 0) throw invalid('source', 'the folder has no pages');
    // Slow work is done before anything is locked; its result is valid unless the target is changed meanwhile.
    const prepared = order.target && (await this.prepare(order.target, folder, spool, order.checkpoint));
    await order.checkpoint?.();
    const commit = order.commit ?? ((work) => this.database.transaction(work));
    const result = await commit(() => this.write(caller, order, folder, spool, prepared));
    if (result.changed) await this.store.analyze();
    return result;
  }

  private async checkRights(caller: Caller, { organizationId, target }: ImportOrder): Promise<void> {
    const organization = await this.access.organization(caller, organizationId);
    if (!organization) throw notFound('Organization');
    if (!target) {
      if (!allows('organization:createContent', organization.role))
        throw new DomainError('forbidden', 'Requires the permission organization:createContent');
      return;
    }
    const space = await this.access.space(caller, target.spaceId);
    if (!space || space.organizationId !== organizationId || space.deletedAt !== null) throw notFound('Space');
    const needed: PermissionKey =
      target.mode === 'add' || target.changeRequest !== undefined || target.makeRequest
        ? 'space:edit'
        : 'space:replaceContent';
    if (!allows(needed, space.role)) throw new DomainError('forbidden', `Requires the permission ${needed}`);
  }

  private read(
    { source, onProgress = () => undefined, checkpoint = async () => undefined }: ImportOrder,
    spool: DocumentSpool,
  ): Promise<FolderContent> {
    const store = ({ name, bytes }: { name: string; bytes: Buffer }) => this.blobs.store(bytes, { name });
    return readContent(source.files, {
      reads: this.reads,
      objects: source.git?.objects ?? new Map<string, GitBlob>(),
      keep: (json) => spool.add(json),
      store,
      onProgress,
      checkpoint,
    });
  }

  /** Loads the existing content and stores the missing documents. */
  private async prepare(
    target: ImportTarget,
    folder: FolderContent,
    spool: DocumentSpool,
    checkpoint: ImportOrder['checkpoint'],
  ): Promise<Prepared> {
    const { spaceId, changeRequest, page = ROOT, mode } = target;
    const current = await this.contents.outline(spaceId, changeRequest);
    if (page !== ROOT && !current.pages.some(({ id, type }) => id === page && type !== 'link'))
      throw invalid('target.page', 'is not a page of the space that can have pages under it');
    const { content, names } = mode === 'add' ? adoptUnder(folder, current, page) : adoptIds(folder, current);
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

  /** Claims the prepared documents; prepares again if nothing was prepared, or so long ago that they have expired. */
  private async claimed(
    target: ImportTarget,
    folder: FolderContent,
    spool: DocumentSpool,
    early: Prepared | undefined,
  ): Promise<Prepared> {
    const prepared = early ?? (await this.prepare(target, folder, spool, undefined));
    const hashes = [...prepared.hashes.values()].filter((hash) => hash !== null);
    if (await this.staging.claim(target.spaceId, hashes)) return prepared;
    if (!early) throw new Error('documents were removed that have just been stored');
    return this.claimed(target, folder, spool, undefined);
  }

  /** Writes the prepared changes; prepares them again, under the lock, if the target has changed. */
  private async write(
    caller: Caller,
    order: ImportOrder,
    folder: FolderContent,
    spool: DocumentSpool,
    early: Prepared | undefined,
  ): Promise<ImportResult> {
    const { organizationId, userId, title, source } = order;
    const target = order.target ?? {
      spaceId: await this.newSpaces.insert(userId, organizationId, {
        title: [...title].slice(0, MAX_TITLE).join(''),
        empty: true,
      }),
      mode: 'replace' as const,
    };
    const { spaceId, changeRequest, makeRequest, mode } = target;
    const head =
      changeRequest === undefined
        ? await this.lines.lockPrimary(spaceId)
        : await this.lines.lockRequest(spaceId, changeRequest);
    // Reading the source may have taken long, and the permission may have been revoked since.
    await this.checkRights(caller, order);
    const { content, hashes, current, problems } = await this.claimed(
      target,
      folder,
      spool,
      early?.current.revisionId === head.revisionId ? early : undefined,
    );
    const changes =
      mode === 'add'
        ? addingChanges(content, storedInput(hashes), current)
        : replacingChanges(content, hashes, current);
    if (mode === 'replace' && changeRequest === undefined && !makeRequest)
      await this.redirects.replaceGiven(spaceId, content.redirects);
    const options = { allowMany: true, evenIfLocked: mode === 'replace', ...revisionFacts(source) };
    const request = changes.length === 0 ? undefined : (changeRequest ?? (await makeRequest?.()));
    const written =
      changes.length === 0
        ? undefined
        : await this.writer.write(
            { spaceId, ...(request !== undefined && { changeRequest: request }) },
            changes,
            options,
          );
    return {
      space: spaceId,
      revision: written?.revisionId ?? head.revisionId,
      changed: written !== undefined,
      pages: content.pages.length,
      files: content.files.length,
      imported: content.pages.map(({ id }) => {
        const path = content.sources.get(id);
        return path === undefined ? { id } : { id, source: path };
      }),
      problems: [...source.problems, ...content.problems, ...problems].map((problem) => ({
        ...problem,
        line: problem.line ?? 1,
      })),
    };
  }
}

function revisionFacts({ git }: ImportSource): { message: string; git?: object } {
  if (!git) return { message: 'Import' };
  const { oid, message, url, ref } = git.commit;
  return { message, git: { oid, message, createdByGitBook: false, url, ...(ref !== undefined && { ref }) } };
}
