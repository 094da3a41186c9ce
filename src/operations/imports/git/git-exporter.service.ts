import { Injectable } from '@nestjs/common';
import { Access } from '../../../kernel/access/access.service.js';
import { allows } from '../../../kernel/access/permissions.js';
import { Clock } from '../../../kernel/common/clock.js';
import { Database } from '../../../kernel/common/database.js';
import { DomainError } from '../../../kernel/common/errors.js';
import { withWorkFolder } from '../../../kernel/platform/storage/work-folders.js';
import { isManagedPath } from '../../../authoring/interchange/domain/repository-layout.js';
import { joinPath } from '../../../authoring/interchange/domain/repository-paths.js';
import { BranchMoved } from '../../../authoring/interchange/git/branch-moved.js';
import type { GitBlob } from '../../../authoring/interchange/git/git-objects.js';
import { SpaceRepositories } from '../../../authoring/interchange/git/space-repositories.service.js';
import type { NewCommit, RemoteBranch } from '../../../authoring/interchange/git/remote-branch.js';
import { RepositoryFiles, type RepositoryExport } from '../../../authoring/interchange/repository-files.js';
import { creatorOf, type ActiveRun } from '../active-run.js';
import { GitLocations } from './git-locations.service.js';
import { gitAccessOf, type GitExport } from './git-orders.js';
import { GitTransport } from './git-transport.js';

/** A commit that an export is to make. */
export interface ExportStep {
  readonly message: string;
  /** The user who is its author; the creator of the run without it. */
  readonly author?: string;
  /** The revision that it brings; the head of the primary line without it. */
  readonly revision?: string;
  /** Further commits that it merges. */
  readonly merges?: readonly string[];
}

interface ExportOptions {
  /** The commit that the branch must be at; it may be changed then. */
  readonly onto?: string;
  /** The commits, one after the other; one with the message of the order without them. */
  readonly steps?: readonly ExportStep[];
  /** Notes the last commit that is about to be pushed, and the revision in it. */
  readonly beforePush?: (oid: string, revision: string) => Promise<void>;
}

/** The files that a space is written as, and the git object of each item in it. */
export interface Written extends Pick<RepositoryExport, 'problems' | 'revision'> {
  readonly blobs: ReadonlyMap<string, GitBlob>;
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
   * Writes the primary content into a branch, as commits on top of it, which arrive together; files of the repository that are no
   * documentation stay. Without `force` the branch must not have commits that were not imported. Afterwards pages, files and
   * reusable contents say where they are in the repository, in a revision of its own where that has changed.
   */
  async export(
    run: ActiveRun,
    source: GitExport,
    { onto, steps = [{ message: source.commitMessage }], beforePush }: ExportOptions = {},
  ): Promise<void> {
    await this.requireRights(run);
    const known = await this.repositories.requireNewer(run.spaceId, source);
    const { RemoteBranch: Branch } = await import('../../../authoring/interchange/git/remote-branch.js');
    const branch = await Branch.open(source.url, source.ref, this.transport.client(source.url, gitAccessOf(run)));
    if (onto !== undefined && branch.head !== onto) throw new BranchMoved();
    const isSynced = known?.remote === source.url && known.ref === source.ref && known.oid === branch.head;
    let written: Written | undefined;
    for (const step of steps) written = await this.commit(run, source, branch, step);
    if (written === undefined) throw new Error('an export has no commit to make');
    const { revision, problems, blobs } = written;
    // Commits that leave do not come back, and writing them may have taken long.
    await this.requireRights(run);
    const oid = await branch.push(isSynced || source.force || onto !== undefined, (last) =>
      beforePush?.(last, revision),
    );
    const { message = source.commitMessage } = steps.at(-1) ?? {};
    await run.commit(
      () => this.locations.record(run.spaceId, { ...source, commitMessage: message }, oid, blobs, revision),
      (noted) => ({
        ...noted,
        pages: [],
        problems: problems.map(({ page, message: text }) => ({ file: page, line: 1, level: 'warning', message: text })),
      }),
    );
  }

  /** Adds a commit to a branch in memory, if that says something else then. */
  async commit(
    run: ActiveRun,
    source: Pick<GitExport, 'directory'>,
    branch: RemoteBranch,
    step: ExportStep,
  ): Promise<Written> {
    return withWorkFolder(async (folder) => {
      const { files, root, problems, paths, revision } = await this.files.write(
        run.spaceId,
        folder,
        { directory: source.directory, files: (below) => branch.files(below), text: (path) => branch.text(path) },
        {
          party: run.organizationId,
          beside: run.beside,
          checkpoint: run.checkpoint,
          ...(step.revision !== undefined && { at: step.revision }),
        },
      );
      await branch.commit(files, (path) => isManagedPath(path, source.directory, root), await this.commitOf(run, step));
      const blobs = new Map([...paths].flatMap(([id, path]) => blobOf(id, joinPath(root, path), branch.objects)));
      return { problems, revision, blobs };
    });
  }

  /** Throws `forbidden` where the person that a run works for may not write the space into a repository any more. */
  async requireRights(run: ActiveRun): Promise<void> {
    const space = await this.access.space(creatorOf(run), run.spaceId);
    if (!space || space.deletedAt !== null || !allows('space:replaceContent', space.role))
      throw new DomainError('forbidden', 'Requires the permission space:replaceContent');
  }

  /** A commit of a step, with its author or else the creator of the run. */
  async commitOf(
    run: Pick<ActiveRun, 'createdBy'>,
    { message, author = run.createdBy, merges }: ExportStep,
  ): Promise<NewCommit> {
    const user = await this.database.one<{ name: string; email: string }>(
      'SELECT display_name AS name, email FROM account WHERE id = $1',
      [author],
    );
    return {
      message,
      author: { name: user?.name ?? 'Bindery', email: user?.email ?? 'bindery@localhost' },
      timestamp: Math.floor(this.clock.now().getTime() / 1000),
      ...(merges && { merges }),
    };
  }
}

function blobOf(id: string, path: string, objects: ReadonlyMap<string, string>): (readonly [string, GitBlob])[] {
  const oid = objects.get(path);
  return oid === undefined ? [] : [[id, { oid, path }]];
}
