import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Access } from '../../../kernel/access/access.service.js';
import { allows } from '../../../kernel/access/permissions.js';
import { Clock } from '../../../kernel/common/clock.js';
import { Database } from '../../../kernel/common/database.js';
import { DomainError, invalid } from '../../../kernel/common/errors.js';
import type { ChangeInput } from '../../../authoring/content/change-input.js';
import { ContentWriter } from '../../../authoring/content/content-writer.js';
import { sameValue, type Item } from '../../../authoring/content/domain/content-item.js';
import { ContentLines } from '../../../authoring/content/content-lines.js';
import { creatorOf, orderOf, resultOf, type ActiveRun } from '../active-run.js';
import { joinPath } from '../../../authoring/interchange/domain/repository-paths.js';
import { isManagedPath } from '../../../authoring/interchange/domain/repository-layout.js';
import { Exporter } from '../../../authoring/interchange/exporter.service.js';
import type { GitBlob } from '../../../authoring/interchange/folder-reader.js';
import { Importer, type ImportResult } from '../../../authoring/interchange/importer.service.js';
import type { GitOrderFacts, RunSource } from '../imports.schema.js';
import { readFolder } from '../../../authoring/interchange/markdown-folder.js';
import { MERGE_CONFIG, READ_CONFIG } from '../../../authoring/interchange/source-tasks.js';
import { SpaceContents } from '../../../authoring/interchange/space-content.js';
import { WorkerPool } from '../../../kernel/platform/workers/worker-pool.js';
import { GitTransport } from './git-transport.js';
import {
  SpaceRepositories,
  type SpaceRepository,
} from '../../../authoring/interchange/git/space-repositories.service.js';
import type { GitCredentials } from '../../../authoring/interchange/git/guarded-http.js';

type GitImport = Extract<RunSource, { type: 'git' }>;
type GitExport = Extract<RunSource, { type: 'git-export' }>;

const NO_ADDRESSES: ReadonlyMap<string, string> = new Map();

/** Imports repositories into spaces and exports spaces into repositories. */
@Injectable()
export class GitSync {
  constructor(
    private readonly access: Access,
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly lines: ContentLines,
    private readonly writer: ContentWriter,
    private readonly contents: SpaceContents,
    private readonly transport: GitTransport,
    private readonly importer: Importer,
    private readonly exporter: Exporter,
    private readonly workers: WorkerPool,
    private readonly repositories: SpaceRepositories,
  ) {}

  /** Makes the space equal to the repository, and writes only differences. */
  async import(run: ActiveRun, source: GitImport): Promise<ImportResult> {
    await this.requireNewer(run.spaceId, source);
    const { url, ref, directory } = source;
    // Loaded by the first run that needs it, because git delays the start.
    const { withCheckout } = await import('../../../authoring/interchange/git/repository.js');
    return withCheckout(
      { url, ref },
      this.transport.client(credentialsOf(run)),
      async ({ folder, commit, objects, refused }) => {
        const root = join(folder, directory);
        if (!(await stat(root).catch(() => undefined))?.isDirectory())
          throw invalid('repoProjectDirectory', 'is not a folder of the repository');
        const { files, problems } = await readFolder(root);
        const left = refused.map(({ path, message }) => ({ file: path, level: 'error' as const, message }));
        const git = { commit: { ...commit, url: commitUrl(source, commit.oid) }, objects: within(objects, directory) };
        const finished = async (result: ImportResult): Promise<ImportResult> => {
          if (run.changeRequestId === null && !run.makeRequest)
            await this.repositories.record(run.spaceId, source, commit.oid, result.revision);
          return result;
        };
        return this.importer.importFolder({
          ...orderOf(run, 'replace'),
          source: { files, problems: [...problems, ...left], git },
          commit: (work) =>
            run.commit(
              async () => finished(await work()),
              (result) => resultOf(result, NO_ADDRESSES),
            ),
        });
      },
    );
  }

  /**
   * Writes the primary content to a branch, as one commit on top of it; files of the repository other than
   * documentation are kept. Without `force` the branch must not have commits that were not imported. Afterwards the
   * repository paths of pages, files and reusable contents are stored, in a revision of its own if they have changed.
   */
  async export(run: ActiveRun, source: GitExport): Promise<void> {
    await this.requireRights(run);
    const known = await this.requireNewer(run.spaceId, source);
    const { RemoteBranch } = await import('../../../authoring/interchange/git/remote-branch.js');
    const branch = await RemoteBranch.open(source.url, source.ref, this.transport.client(credentialsOf(run)));
    const config = await branch.text(joinPath(source.directory, '.gitbook.yaml'));
    const party = run.organizationId;
    const root = joinPath(source.directory, (await this.workers.run(READ_CONFIG, config ?? '', { party })).root);
    const folder = await mkdtemp(join(tmpdir(), 'bindery-export-'));
    try {
      const { problems, paths } = await this.exporter.exportTree(run.spaceId, folder, {
        party,
        under: root,
        checkpoint: run.checkpoint,
      });
      const { files } = await readFolder(folder);
      const own = files.get('.gitbook.yaml');
      const merged = await this.workers.run(
        MERGE_CONFIG,
        { before: config, own: own && (await own.read()).toString('utf8') },
        { party },
      );
      files.delete('.gitbook.yaml');
      const wanted = new Map([...files].map(([path, file]) => [joinPath(root, path), file]));
      if (merged !== undefined)
        wanted.set(joinPath(source.directory, '.gitbook.yaml'), {
          size: merged.length,
          read: async () => Buffer.from(merged),
        });
      // Exported content cannot be recalled, and the export may have taken long, so the permission is checked again.
      await this.requireRights(run);
      const isSynced = known?.remote === source.url && known.ref === source.ref && known.oid === branch.head;
      const { oid } = await branch.write(
        wanted,
        (path) => isManagedPath(path, source.directory, root),
        await this.commitOf(run, source),
        isSynced || source.force,
      );
      const blobs = new Map(
        [...paths]
          .map(([id, path]) => [id, joinPath(root, path)] as const)
          .flatMap(([id, path]) => blobOf(id, path, branch.objects)),
      );
      await run.commit(
        () => this.remember(run, source, oid, blobs),
        ({ revision, changed }) => ({
          revision,
          changed,
          pages: [],
          problems: problems.map(({ page, message }) => ({ file: page, line: 1, level: 'warning', message })),
        }),
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  private async requireRights(run: ActiveRun): Promise<void> {
    const space = await this.access.space(creatorOf(run), run.spaceId);
    if (!space || space.deletedAt !== null || !allows('space:replaceContent', space.role))
      throw new DomainError('forbidden', 'Requires the permission space:replaceContent');
  }

  /** The last synchronization; throws `conflict` if that is newer than the requested one. */
  private async requireNewer(
    spaceId: string,
    { timestamp, force }: GitOrderFacts,
  ): Promise<SpaceRepository | undefined> {
    const known = await this.repositories.find(spaceId);
    if (known && !force && new Date(timestamp) < known.eventAt)
      throw new DomainError('conflict', 'Something newer was imported or exported already');
    return known;
  }

  private async commitOf(run: ActiveRun, { commitMessage }: GitExport) {
    const user = await this.database.one<{ name: string; email: string }>(
      'SELECT display_name AS name, email FROM account WHERE id = $1',
      [run.createdBy],
    );
    return {
      message: commitMessage,
      author: { name: user?.name ?? 'Bindery', email: user?.email ?? 'bindery@localhost' },
      timestamp: Math.floor(this.clock.now().getTime() / 1000),
    };
  }

  /** Stores the current paths of all items in the repository. */
  private async remember(
    run: ActiveRun,
    source: GitExport,
    oid: string,
    blobs: ReadonlyMap<string, GitBlob>,
  ): Promise<{ revision: string; changed: boolean }> {
    const head = await this.lines.lockPrimary(run.spaceId);
    const { pages, files, reusables } = await this.contents.outline(run.spaceId);
    const changes = [...pages, ...files, ...reusables].flatMap((item) => {
      const git = blobs.get(item.id);
      return git === undefined || sameValue(item.props['git'], git) ? [] : [gitChange(item, git)];
    });
    const facts = {
      message: source.commitMessage,
      git: { oid, message: source.commitMessage, createdByGitBook: true, url: commitUrl(source, oid), ref: source.ref },
    };
    const written =
      changes.length === 0
        ? undefined
        : await this.writer.write({ spaceId: run.spaceId }, changes, { allowMany: true, evenIfLocked: true, ...facts });
    const revision = written?.revisionId ?? head.revisionId;
    await this.repositories.record(run.spaceId, source, oid, revision);
    return { revision, changed: written !== undefined };
  }
}

function credentialsOf({ secret }: ActiveRun): GitCredentials | undefined {
  return secret === undefined ? undefined : (JSON.parse(secret) as GitCredentials);
}

function commitUrl({ commitURL, url }: GitOrderFacts, oid: string): string {
  return commitURL === undefined ? url : `${commitURL.replace(/\/+$/, '')}/${oid}`;
}

/** The objects below a folder, by relative path. */
function within(objects: ReadonlyMap<string, GitBlob>, directory: string): ReadonlyMap<string, GitBlob> {
  if (directory === '') return objects;
  const prefix = `${directory}/`;
  return new Map(
    [...objects].flatMap(([path, blob]) =>
      path.startsWith(prefix) ? [[path.slice(prefix.length), blob] as const] : [],
    ),
  );
}

function blobOf(id: string, path: string, objects: ReadonlyMap<string, string>): (readonly [string, GitBlob])[] {
  const oid = objects.get(path);
  return oid === undefined ? [] : [[id, { oid, path }]];
}

function gitChange(item: Item, git: GitBlob): ChangeInput {
  if (item.kind === 'page') return { operation: 'update_page', page: item.id, git };
  if (item.kind === 'reusable') return { operation: 'update_reusable_content', reusableContent: item.id, git };
  return { operation: 'update_file', file: item.id, git };
}
