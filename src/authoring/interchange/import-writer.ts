import { Injectable } from '@nestjs/common';
import type { Caller } from '../../kernel/common/context.js';
import { ContentLines } from '../content/content-lines.js';
import { ContentWriter } from '../content/content-writer.js';
import { NewSpaces } from '../content/new-spaces.service.js';
import { PageRedirects } from '../content/page-redirects.js';
import { MAX_POINTER } from './domain/text-bytes.js';
import type { DocumentSpool } from './document-spool.js';
import type { FolderContent } from './folder-reader.js';
import { addingChanges, replacingChanges, storedInput } from './import-changes.js';
import type { GitBlob, GitObjects } from './git/git-objects.js';
import { contextHashOf } from './known-pages.js';
import type { ImportOrder, ImportResult } from './import-order.js';
import { ImportPreparer, type PreparedImport } from './import-preparer.js';
import { ImportRights } from './import-rights.js';

const MAX_TITLE = 50;

/** The title that a space gets, which may be shorter than the one that was asked for. */
export function spaceTitle(wanted: string): string {
  return [...wanted.trim()].slice(0, MAX_TITLE).join('').trimEnd();
}

/** Writes folders into spaces, each as one revision. */
@Injectable()
export class ImportWriter {
  constructor(
    private readonly rights: ImportRights,
    private readonly preparer: ImportPreparer,
    private readonly lines: ContentLines,
    private readonly newSpaces: NewSpaces,
    private readonly redirects: PageRedirects,
    private readonly writer: ContentWriter,
  ) {}

  /** Writes what was prepared; prepares it anew, under the lock, where the target has moved on. */
  async write(
    caller: Caller,
    order: ImportOrder,
    folder: FolderContent,
    spool: DocumentSpool,
    early: PreparedImport | undefined,
  ): Promise<ImportResult> {
    const { source, names } = order;
    const target = order.target ?? { spaceId: await this.newSpace(order), mode: 'replace' as const };
    const { spaceId, changeRequest, makeRequest, mode, needs } = target;
    const head =
      changeRequest === undefined
        ? await this.lines.lockPrimary(spaceId)
        : await this.lines.lockRequest(spaceId, changeRequest);
    // The source may have taken long to read, and the right may have been taken away since.
    await this.rights.require(caller, order);
    const { content, hashes, current, problems } = await this.preparer.claimed(target, folder, spool, {
      early: early?.current.revisionId === head.revisionId ? early : undefined,
      names,
    });
    const changes =
      mode === 'add'
        ? addingChanges(content, storedInput(hashes), current)
        : replacingChanges(content, hashes, current);
    if (mode === 'replace' && changeRequest === undefined && !makeRequest)
      await this.redirects.replaceGiven(spaceId, content.redirects);
    const options = {
      allowMany: true,
      evenIfLocked: mode === 'replace' && needs === undefined,
      ...revisionFacts(order),
    };
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
      changes: changes.length,
      pages: content.pages.length,
      files: content.files.length,
      imported: content.pages.map(({ id, type }) => {
        const path = content.sources.get(id);
        return { id, type: type === 'group' ? 'folder' : 'page', ...(path !== undefined && { source: path }) };
      }),
      ...(source.git && gitFacts(source.git.objects, content)),
      problems: [...source.problems, ...content.problems, ...problems].map((problem) => ({
        ...problem,
        line: problem.line ?? 1,
      })),
    };
  }

  private newSpace({ organizationId, userId, title, make }: ImportOrder): Promise<string> {
    const { id, language } = make ?? {};
    const space = { title: spaceTitle(title), empty: true, ...(language !== undefined && { language }) };
    return this.newSpaces.insert(userId, organizationId, space, id);
  }
}

function gitFacts(
  objects: GitObjects,
  { pages, files, sources }: FolderContent,
): Pick<ImportResult, 'contextHash' | 'settled'> {
  const read = new Set(pages.flatMap(({ id, attributes }) => (attributes.git ? (sources.get(id) ?? []) : [])));
  const paths = new Map([...objects].map(([path, blob]) => [blob.path, path]));
  const stored = files.filter((file) => file.stored.size >= MAX_POINTER);
  const own = stored.flatMap(({ git }) => paths.get((git as GitBlob | undefined)?.path ?? '') ?? []);
  return { contextHash: contextHashOf(objects, read), settled: new Set([...read, ...own]) };
}

function revisionFacts({ source: { git }, message: given = 'Import' }: ImportOrder): { message: string; git?: object } {
  if (!git?.commit) return { message: given };
  const { oid, message, url, ref } = git.commit;
  return { message, git: { oid, message, createdByGitBook: false, url, ...(ref !== undefined && { ref }) } };
}
