import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Access } from '../../../kernel/access/access.service.js';
import { allows } from '../../../kernel/access/permissions.js';
import { Clock } from '../../../kernel/common/clock.js';
import { Database } from '../../../kernel/common/database.js';
import { DomainError } from '../../../kernel/common/errors.js';
import { isManagedPath } from '../../../authoring/interchange/domain/repository-layout.js';
import { joinPath } from '../../../authoring/interchange/domain/repository-paths.js';
import type { GitBlob } from '../../../authoring/interchange/folder-reader.js';
import { SpaceRepositories } from '../../../authoring/interchange/git/space-repositories.service.js';
import { RepositoryFiles } from '../../../authoring/interchange/repository-files.js';
import { creatorOf, type ActiveRun } from '../active-run.js';
import { GitLocations } from './git-locations.service.js';
import { gitCredentialsOf, type GitExport } from './git-orders.js';
import { GitTransport } from './git-transport.js';

interface ExportOptions {
  /** The commit that the branch must be at; it may be changed then. */
  readonly onto?: string;
  /** The user who is the author of the commit; the creator of the run without it. */
  readonly author?: string;
}

/** Exports spaces into repositories. */
@Injectable()
export class GitExporter {
  constructor(
    private readonly access: Access,
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly transport: GitTransport,
    private readonly files: RepositoryFiles,
    private readonly repositories: SpaceRepositories,
    private readonly locations: GitLocations,
  ) {}

  /**
   * Writes the primary content into a branch, as one commit on top of it; files of the repository that are no documentation
   * stay. Without `force` the branch must not have commits that were not imported. Afterwards pages, files and reusable
   * contents say where they are in the repository, in a revision of its own where that has changed.
   */
  async export(run: ActiveRun, source: GitExport, { onto, author }: ExportOptions = {}): Promise<void> {
    await this.requireRights(run);
    const known = await this.repositories.requireNewer(run.spaceId, source);
    const { RemoteBranch } = await import('../../../authoring/interchange/git/remote-branch.js');
    const branch = await RemoteBranch.open(source.url, source.ref, this.transport.client(gitCredentialsOf(run)));
    if (onto !== undefined && branch.head !== onto)
      throw new DomainError('conflict', 'The branch has changed meanwhile');
    const folder = await mkdtemp(join(tmpdir(), 'bindery-export-'));
    try {
      const { files, root, problems, paths, revision } = await this.files.write(
        run.spaceId,
        folder,
        { directory: source.directory, files: (below) => branch.files(below), text: (path) => branch.text(path) },
        { party: run.organizationId, checkpoint: run.checkpoint },
      );
      // Commits that leave do not come back, and writing them may have taken long.
      await this.requireRights(run);
      const isSynced = known?.remote === source.url && known.ref === source.ref && known.oid === branch.head;
      const { oid } = await branch.write(
        files,
        (path) => isManagedPath(path, source.directory, root),
        await this.commitOf(run, source, author),
        isSynced || source.force || onto !== undefined,
      );
      const blobs = new Map(
        [...paths]
          .map(([id, path]) => [id, joinPath(root, path)] as const)
          .flatMap(([id, path]) => blobOf(id, path, branch.objects)),
      );
      await run.commit(
        () => this.locations.record(run.spaceId, source, oid, blobs, revision),
        (written) => ({
          ...written,
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

  private async commitOf(run: ActiveRun, { commitMessage }: GitExport, author = run.createdBy) {
    const user = await this.database.one<{ name: string; email: string }>(
      'SELECT display_name AS name, email FROM account WHERE id = $1',
      [author],
    );
    return {
      message: commitMessage,
      author: { name: user?.name ?? 'Bindery', email: user?.email ?? 'bindery@localhost' },
      timestamp: Math.floor(this.clock.now().getTime() / 1000),
    };
  }
}

function blobOf(id: string, path: string, objects: ReadonlyMap<string, string>): (readonly [string, GitBlob])[] {
  const oid = objects.get(path);
  return oid === undefined ? [] : [[id, { oid, path }]];
}
