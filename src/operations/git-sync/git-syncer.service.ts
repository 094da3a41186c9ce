import { Injectable } from '@nestjs/common';
import { DomainError } from '../../kernel/common/errors.js';
import { Secrets } from '../../kernel/common/secrets.js';
import { LostJob } from '../../kernel/platform/jobs/job-run.js';
import { ContentLines } from '../../authoring/content/content-lines.js';
import { Stopped, type ActiveRun } from '../imports/active-run.js';
import { GitExporter } from '../imports/git/git-exporter.service.js';
import { GitImporter } from '../imports/git/git-importer.service.js';
import type { GitSyncOrder, GitSyncRuns } from '../imports/imports.points.js';
import { GitCommitTexts } from './git-commit-texts.js';
import { GitSyncMerges } from './git-sync-merges.js';
import { GitSyncPlans } from './git-sync-plans.js';
import { orderFactsOf, GitSyncSides, type SyncSides } from './git-sync-sides.js';
import { GitSyncStates } from './git-sync-states.js';

/** Times that both sides are looked at anew because one of them has moved meanwhile. */
const MAX_ROUNDS = 5;
/** One side has moved while the other was written; both are looked at anew. */
class Moved extends Error {}

/**
 * Makes a space and a branch say the same. The side that has not changed since they last agreed becomes what the other one
 * says. Where both have changed, the branch's side becomes a change request on the revision of that agreement: it is merged, and
 * answered by one commit, or its conflicts are left to people and the branch stays as it is.
 */
@Injectable()
export class GitSyncer implements GitSyncRuns {
  constructor(
    private readonly secrets: Secrets,
    private readonly lines: ContentLines,
    private readonly importer: GitImporter,
    private readonly exporter: GitExporter,
    private readonly texts: GitCommitTexts,
    private readonly states: GitSyncStates,
    private readonly sides: GitSyncSides,
    private readonly plans: GitSyncPlans,
    private readonly merges: GitSyncMerges,
  ) {}

  async execute(run: ActiveRun, order: GitSyncOrder): Promise<unknown> {
    const installation = await this.states.begin(order.installation, run.id);
    if (!installation) throw new DomainError('conflict', 'The space is no longer connected with a repository');
    const { credentials } = installation;
    const opened = { ...run, secret: credentials === null ? undefined : this.secrets.decrypt(credentials) };
    if (order.priority !== undefined) return this.plans.plan(opened, order, order.priority);
    try {
      for (let round = 1; ; round++) {
        try {
          return await this.round(opened, order);
        } catch (error) {
          if (!(error instanceof Moved) || round === MAX_ROUNDS) throw error;
        }
      }
    } catch (error) {
      const reason =
        error instanceof Moved ? new DomainError('conflict', 'Both sides are being changed: it is tried again') : error;
      if (isFailure(reason)) await this.states.fail(run, order.installation, reason);
      throw reason;
    }
  }

  private async round(run: ActiveRun, order: GitSyncOrder): Promise<unknown> {
    await run.checkpoint();
    const sides = await this.sides.find(run, order);
    const { installation, head, revision, agreed } = sides;
    if (agreed === undefined) return this.first(run, order, sides);
    if (head === undefined)
      throw new DomainError(
        'conflict',
        `The branch ${order.ref} is gone from the repository: push it again, or choose another one`,
      );
    const isBehind = head !== agreed.oid && head !== installation.mergedOid;
    const isAhead = revision !== agreed.revision;
    if (!isBehind && !isAhead) return this.settle(run, order, revision);
    if (!isBehind) return this.export(run, order, sides);
    if (!isAhead) return this.import(run, order, sides);
    await this.merges.merge(run, order, sides, agreed);
    throw new Moved();
  }

  /** The side that was chosen wins. */
  private first(run: ActiveRun, order: GitSyncOrder, sides: SyncSides): Promise<unknown> {
    const { installation, head } = sides;
    return installation.priority === 'git' && head !== undefined
      ? this.import(run, order, sides)
      : this.export(run, order, sides);
  }

  /** The space becomes what the branch says, if it still is as the round has found it. */
  private import(run: ActiveRun, order: GitSyncOrder, { revision }: SyncSides): Promise<unknown> {
    const commit: ActiveRun['commit'] = (work, resultOf) =>
      run.commit(
        async () => {
          if ((await this.lines.lockPrimary(run.spaceId)).revisionId !== revision) throw new Moved();
          const result = await work();
          await this.states.succeed(order.installation);
          return result;
        },
        (result) => ({ ...resultOf(result), direction: 'import' }),
      );
    return this.importer.import({ ...run, commit }, { type: 'git', ...orderFactsOf(run, order) });
  }

  /** The branch gets one commit with what the space says, on top of the one that the round has found. */
  private async export(
    run: ActiveRun,
    order: GitSyncOrder,
    { head, agreed, installation }: SyncSides,
  ): Promise<unknown> {
    const { message, author } = await this.texts.of(run.spaceId, installation.commitMessage, agreed?.revision);
    const commit: ActiveRun['commit'] = (work, resultOf) =>
      run.commit(
        async () => {
          const result = await work();
          await this.states.succeed(order.installation);
          return result;
        },
        (result) => ({ ...resultOf(result), direction: 'export' }),
      );
    const source = { type: 'git-export', commitMessage: message, ...orderFactsOf(run, order) } as const;
    return this.exporter.export({ ...run, commit }, source, {
      ...(head !== undefined && { onto: head }),
      ...(author !== undefined && { author }),
    });
  }

  private settle(run: ActiveRun, order: GitSyncOrder, revision: string): Promise<void> {
    return run.commit(
      () => this.states.succeed(order.installation),
      () => ({ revision, changed: false, pages: [], problems: [] }),
    );
  }
}

/** Tells whether an error says something about the two sides, and not that the run has to stop here. */
function isFailure(error: unknown): boolean {
  return !(
    error instanceof Stopped ||
    error instanceof LostJob ||
    (error instanceof Error && error.name === 'AbortError')
  );
}
