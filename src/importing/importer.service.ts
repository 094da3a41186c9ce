import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Access } from '../access/access.service.js';
import { allows } from '../access/permissions.js';
import { currentContext, runInContext, type Caller } from '../common/context.js';
import { Database } from '../common/database.js';
import { DomainError, invalid, notFound } from '../common/errors.js';
import { ContentStore } from '../content/content-store.js';
import { ContentWriter } from '../content/content-writer.js';
import { Lines } from '../content/lines.js';
import { NewSpaces } from '../content/new-spaces.service.js';
import { PageRedirects } from '../content/page-redirects.js';
import { Blobs } from '../platform/storage/blobs.js';
import { adoptIds } from './adopt-ids.js';
import type { PlanProblem, SourceFile } from './domain/plan-model.js';
import { readContent, type FolderContent, type GitObjects, type Progress } from './folder-reader.js';
import type { FetchedCommit } from './git/repository.js';
import { importChanges } from './import-changes.js';
import { SpaceContents } from './space-content.js';

const MAX_TITLE = 50;

/** A folder of Markdown, however it came here. */
export interface ImportSource {
  readonly files: ReadonlyMap<string, SourceFile>;
  /** What was refused while the folder was read. */
  readonly problems: readonly PlanProblem[];
  /** Where it comes from a git repository. */
  readonly git?: { readonly commit: FetchedCommit; readonly objects: GitObjects };
}

export interface ImportOrder {
  readonly organizationId: string;
  readonly userId: string;
  /** Of the new space. */
  readonly title: string;
  readonly source: ImportSource;
  /** An existing space that shall say what the folder says; nothing else of it changes. */
  readonly spaceId?: string;
  readonly onProgress?: Progress;
}

/** A problem with its place; `line` counts from 1. */
export interface ImportProblem extends PlanProblem {
  readonly line: number;
}

export interface ImportResult {
  readonly space: string;
  /** The head of the primary line: the new revision, or the old one where nothing changed. */
  readonly revision: string;
  readonly changed: boolean;
  readonly pages: number;
  readonly files: number;
  readonly problems: readonly ImportProblem[];
}

/** Brings folders of Markdown into spaces: everything in one revision, or nothing. */
@Injectable()
export class Importer {
  constructor(
    private readonly access: Access,
    private readonly database: Database,
    private readonly blobs: Blobs,
    private readonly contents: SpaceContents,
    private readonly store: ContentStore,
    private readonly lines: Lines,
    private readonly newSpaces: NewSpaces,
    private readonly redirects: PageRedirects,
    private readonly writer: ContentWriter,
  ) {}

  /**
   * Imports a folder into a new space, or makes an existing one say what the folder says: its pages keep their ids (by
   * path) and their blocks' keys (by content), and only what differs is written. Throws `notFound` and `forbidden` where
   * the user may not do that, `invalid` for a folder without anything to import.
   */
  async importFolder(order: ImportOrder): Promise<ImportResult> {
    const caller: Caller = { userId: order.userId, tokenId: '', organizationId: undefined, scopes: undefined };
    await this.checkRights(caller, order);
    const wanted = await this.read(order);
    if (wanted.pages.length === 0) throw invalid('source', 'the folder has no pages');
    const context = currentContext() ?? { requestId: randomUUID(), ip: undefined, ifMatch: undefined, caller };
    const { space, revision, changed } = await runInContext(context, () => this.write(order, wanted));
    if (changed) await this.store.analyze();
    const problems = [...order.source.problems, ...wanted.problems].map((problem) => ({ ...problem, line: problem.line ?? 1 }));
    return { space, revision, changed, pages: wanted.pages.length, files: wanted.files.length, problems };
  }

  private async checkRights(caller: Caller, { organizationId, spaceId }: ImportOrder): Promise<void> {
    const organization = await this.access.organization(caller, organizationId);
    if (!organization) throw notFound('Organization');
    if (spaceId === undefined) {
      if (!allows('organization:createContent', organization.role)) throw new DomainError('forbidden', 'This needs the permission organization:createContent');
      return;
    }
    const space = await this.access.space(caller, spaceId);
    if (!space || space.organizationId !== organizationId || space.deletedAt !== null) throw notFound('Space');
    if (!allows('space:merge', space.role)) throw new DomainError('forbidden', 'This needs the permission space:merge');
  }

  private read({ source, onProgress }: ImportOrder): Promise<FolderContent> {
    const store = ({ name, bytes }: { name: string; bytes: Buffer }) => this.blobs.store(bytes, { name });
    return readContent(source.files, source.git?.objects ?? new Map<string, string>(), store, onProgress ?? (() => undefined));
  }

  private write({ organizationId, userId, spaceId, title, source }: ImportOrder, wanted: FolderContent): Promise<{ space: string; revision: string; changed: boolean }> {
    return this.database.transaction(async () => {
      const space = spaceId ?? (await this.newSpaces.insert(userId, organizationId, { title: [...title].slice(0, MAX_TITLE).join(''), empty: true }));
      await this.lines.lockPrimary(space);
      const current = await this.contents.read(space);
      const adopted = adoptIds(wanted, current);
      const changes = importChanges(adopted, current);
      await this.redirects.replaceGiven(space, adopted.redirects);
      if (changes.length === 0) return { space, revision: current.revisionId, changed: false };
      const { revisionId } = await this.writer.write({ spaceId: space }, changes, { allowMany: true, evenIfLocked: true, ...revisionFacts(source) });
      return { space, revision: revisionId, changed: true };
    });
  }
}

function revisionFacts({ git }: ImportSource): { message: string; git?: object } {
  if (!git) return { message: 'Import' };
  const { oid, message, url, ref } = git.commit;
  return { message, git: { oid, message, createdByGitBook: false, url, ...(ref !== undefined && { ref }) } };
}
