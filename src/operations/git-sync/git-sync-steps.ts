import { Injectable } from '@nestjs/common';
import { ContentLines } from '../../authoring/content/content-lines.js';
import { Database } from '../../kernel/common/database.js';
import type { ActiveRun } from '../imports/active-run.js';
import { GitExporter } from '../imports/git/git-exporter.service.js';
import { GitImporter } from '../imports/git/git-importer.service.js';
import type { GitSyncOrder } from '../imports/imports.points.js';
import { beginsWithBranch } from './domain/first-side.js';
import { GitCommitTexts } from './git-commit-texts.js';
import type { GitInstallation } from './git-installation.entity.js';
import { GitSyncQueue } from './git-sync-queue.js';
import { orderFactsOf, type SyncSides } from './git-sync-sides.js';
import { GitSyncStates } from './git-sync-states.js';
import { Moved } from './moved.js';
import { RequestBranchRows } from './pulls/request-branch-rows.js';

/** The steps that complete a run: one side becomes what the other one says, or both do already. */
@Injectable()
export class GitSyncSteps {
  constructor(
    private readonly lines: ContentLines,
    private readonly importer: GitImporter,
    private readonly exporter: GitExporter,
    private readonly texts: GitCommitTexts,
    private readonly states: GitSyncStates,
    private readonly queue: GitSyncQueue,
    private readonly branches: RequestBranchRows,
    private readonly database: Database,
  ) {}

  /** The side that was chosen wins. */
  first(run: ActiveRun, order: GitSyncOrder, sides: SyncSides): Promise<unknown> {
    const { installation, head } = sides;
    return beginsWithBranch(installation.priority, head)
      ? this.import(run, order, sides)
      : this.export(run, order, sides);
  }

  /** The space becomes what the branch says, if it still is as the round has found it. */
  import(run: ActiveRun, order: GitSyncOrder, { revision, agreed, installation }: SyncSides): Promise<unknown> {
    const commit: ActiveRun['commit'] = (work, resultOf) =>
      run.commit(
        async () => {
          if ((await this.lines.lockPrimary(run.spaceId)).revisionId !== revision) throw new Moved();
          const result = await work();
          await this.succeed(order, installation);
          return result;
        },
        (result) => ({ ...resultOf(result), direction: 'import' }),
      );
    const since =
      agreed?.revision === revision && agreed.contextHash !== null
        ? { revision, contextHash: agreed.contextHash }
        : undefined;
    return this.importer.import({ ...run, commit }, { type: 'git', ...orderFactsOf(run, order) }, { since });
  }

  /** The branch gets what the space says, on top of the commit that the round has found; what was there at first is one commit. */
  async export(run: ActiveRun, order: GitSyncOrder, { head, agreed, installation }: SyncSides): Promise<unknown> {
    const { commitMessage: template, squash, movedBeside } = installation;
    const isSquashed = squash || agreed === undefined;
    const steps = await this.texts.steps(run.spaceId, agreed?.revision, { template, isSquashed });
    const commit: ActiveRun['commit'] = (work, resultOf) =>
      run.commit(
        async () => {
          const result = await work();
          await this.succeed(order, installation);
          if (movedBeside !== null) await this.states.linked(order.installation, movedBeside);
          return result;
        },
        (result) => ({ ...resultOf(result), direction: 'export' }),
      );
    const source = { type: 'git-export', commitMessage: '', ...orderFactsOf(run, order) } as const;
    return this.exporter.export({ ...run, commit }, source, {
      steps,
      ...(head !== undefined && { onto: head }),
      beforePush: (oid, revision) => this.states.pushing(order.installation, oid, revision),
    });
  }

  /** Pull requests are followed by a run of its own, where both sides are equal. */
  private async succeed(order: GitSyncOrder, { previewExternalBranches }: GitInstallation): Promise<void> {
    await this.states.succeed(order.installation);
    const isFollowed = previewExternalBranches || (await this.branches.hasAny(order.installation));
    if (isFollowed) await this.queue.add(order.installation);
  }

  /** A run whose steps do not complete it: it goes on after them. */
  part(run: ActiveRun): ActiveRun {
    return { ...run, commit: (work) => this.database.transaction(work) };
  }

  settle(run: ActiveRun, order: GitSyncOrder, revision: string): Promise<void> {
    return run.commit(
      () => this.states.succeed(order.installation),
      () => ({ revision, changed: false, pages: [], problems: [] }),
    );
  }
}
