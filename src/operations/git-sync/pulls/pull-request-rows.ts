import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/common/clock.js';
import { Database } from '../../../kernel/common/database.js';
import { branchOf } from '../domain/branch-names.js';
import type { ForgePull } from '../forges/forge.js';
import { GitPullRequest } from './git-pull-request.entity.js';
import type { GitRequestBranch } from './git-request-branch.entity.js';
import type { PullWork } from './pull-work.js';
import { pageOf } from './pull-request-texts.js';
import { RequestBranchRows } from './request-branch-rows.js';

/** A pull request as the forge has it, and as it is known here. */
export interface FollowedPull {
  readonly pull: ForgePull;
  readonly row: GitPullRequest;
  /** It was opened for a change request, whose branch it comes from. */
  readonly isOwn: boolean;
}

type PullKey = Pick<GitPullRequest, 'installationId' | 'number'>;

/** The words that were told at the forge: the comment, and a hash of it with the status; null where that is not known. */
export interface Told extends Record<string, unknown> {
  readonly commentId: string | null;
  readonly reported: string | null;
}

/** Tells whether another run than `$3` tells it. */
const isBusy = `coalesce(p.teller <> $3 AND EXISTS (SELECT FROM import_run i WHERE i.id = p.teller AND i.status = 'in-progress'), false)`;

const BEGIN_TO_TELL = `UPDATE git_pull_request p SET is_outdated = ${isBusy}, teller = CASE WHEN ${isBusy} THEN p.teller ELSE $3 END
 WHERE p.installation_id = $1 AND p.number = $2 RETURNING p.teller = $3 AS "isTaken", p.comment_id AS "commentId", p.reported`;

type Facts = Partial<Omit<GitPullRequest, 'installationId' | 'number' | 'createdAt' | 'updatedAt'>>;

/** Keeps which pull requests are followed, and how far. */
@Injectable()
export class PullRequestRows {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly branches: RequestBranchRows,
  ) {}

  /** The pull requests that are open at the forge, and those that were when they were seen last. */
  async refresh(work: PullWork): Promise<FollowedPull[]> {
    const { forge, previews } = work;
    const { installation: installationId, ref } = work.order;
    const open = new Map((await forge.open(branchOf(ref))).map((pull) => [pull.number, pull]));
    const own = await this.withoutStrangers(installationId, open);
    const now = this.clock.now();
    if (previews)
      await this.database.execute(
        `INSERT INTO git_pull_request (installation_id, number, state, created_at, updated_at)
         SELECT $1, n, 'open', $3, $3 FROM unnest($2::integer[]) n ON CONFLICT DO NOTHING`,
        [installationId, [...open.keys()], now],
      );
    const rows = await this.database.of(GitPullRequest).find({ where: { installationId }, order: { number: 'ASC' } });
    const followed: FollowedPull[] = [];
    for (const row of rows) {
      const branch = own.get(row.number);
      if (!previews && !branch) continue;
      const pull = open.get(row.number) ?? (row.state === 'open' ? await forge.pull(row.number) : undefined);
      if (!pull) continue;
      const url = pageOf(pull);
      if (url !== null && url !== row.url) await this.update(row, { url });
      followed.push({ pull: branch ? { ...pull, ref: branch.ref } : pull, row, isOwn: branch !== undefined });
    }
    return followed;
  }

  /**
   * The branches of change requests by their pull request. One that is met with a pull request, which a run did not come to note or
   * somebody has opened, has that from then on; further pull requests of the branch are left out of `open`.
   */
  private async withoutStrangers(
    installationId: string,
    open: Map<number, ForgePull>,
  ): Promise<ReadonlyMap<number, GitRequestBranch>> {
    const branches = await this.branches.of(installationId);
    const byName = new Map(branches.map((branch) => [branchOf(branch.ref), branch]));
    for (const [number, pull] of open) {
      const branch = pull.source === undefined ? undefined : byName.get(pull.source);
      if (!branch || branch.number === number) continue;
      if (branch.number !== null || branch.oid === null) open.delete(number);
      else {
        await this.branches.opened(branch, pull, null);
        branch.number = number;
      }
    }
    return new Map(branches.flatMap((branch) => (branch.number === null ? [] : [[branch.number, branch]])));
  }

  /** Those that were open when they were seen last, and whose change request is merged. */
  mergedHere({ order, previews }: PullWork): Promise<GitPullRequest[]> {
    return this.database
      .of(GitPullRequest)
      .createQueryBuilder('p')
      .where(
        `p.installation_id = :installationId AND p.state = 'open' AND p.touches
         AND EXISTS (SELECT FROM change_request r WHERE r.id = p.change_request_id AND r.status = 'merged')
         AND (:previews OR EXISTS (SELECT FROM git_request_branch b WHERE b.installation_id = p.installation_id AND b.number = p.number))`,
        { installationId: order.installation, previews },
      )
      .orderBy('p.number')
      .getMany();
  }

  /** A commit is in the change request, with this revision. */
  async imported(
    row: GitPullRequest,
    { oid, revision, problems }: { oid: string; revision: string; problems: GitPullRequest['problems'] },
  ): Promise<void> {
    await this.update(row, { importedOid: oid, importedRevision: revision, problems, failure: null });
    await this.database.execute(
      'UPDATE git_request_branch SET oid = $3, revision = $4 WHERE installation_id = $1 AND number = $2',
      [row.installationId, row.number, oid, revision],
    );
  }

  /** The last commit cannot be read; the next one is tried. */
  async unreadable({ pull, row }: FollowedPull, failure: string): Promise<void> {
    await this.update(row, { importedOid: pull.head, problems: [], failure });
    await this.database.execute('UPDATE git_request_branch SET oid = $3 WHERE installation_id = $1 AND number = $2', [
      row.installationId,
      row.number,
      pull.head,
    ]);
  }

  /** Tells whether change requests of an installation have become branches, and have not ended. */
  hasOwn(installationId: string): Promise<boolean> {
    return this.branches.hasAny(installationId);
  }

  /** The row of an installation that tells the forge how a pull request is. */
  async ofTeller({ teller: installationId }: Pick<PullWork, 'teller'>, number: number): Promise<GitPullRequest> {
    await this.database.execute(
      `INSERT INTO git_pull_request (installation_id, number, state, created_at, updated_at) VALUES ($1, $2, 'open', $3, $3)
       ON CONFLICT DO NOTHING`,
      [installationId, number, this.clock.now()],
    );
    return this.get({ installationId, number });
  }

  /**
   * Makes a run the one that tells the forge how a pull request is. Undefined while another run does, which is told that it has to
   * look again; a run that was cut off takes it up again.
   */
  async beginToTell({ installationId, number }: PullKey, run: string): Promise<Told | undefined> {
    const [row] = await this.database.query<Told & { isTaken: boolean }>(BEGIN_TO_TELL, [installationId, number, run]);
    return row?.isTaken === true ? row : undefined;
  }

  /** Ends that. False where another run has met something newer meanwhile, and the run has to tell that as well. */
  async told({ installationId, number }: PullKey, run: string, { commentId, reported }: Told): Promise<boolean> {
    const { affected } = await this.database
      .of(GitPullRequest)
      .update(
        { installationId, number, teller: run, isOutdated: false },
        { teller: null, commentId, reported, updatedAt: this.clock.now() },
      );
    return affected !== 0;
  }

  /** Lets other runs tell it. */
  async stopTelling({ installationId, number }: PullKey, run: string): Promise<void> {
    await this.database.of(GitPullRequest).update({ installationId, number, teller: run }, { teller: null });
  }

  async get({ installationId, number }: PullKey): Promise<GitPullRequest> {
    return this.database.of(GitPullRequest).findOneByOrFail({ installationId, number });
  }

  async update({ installationId, number }: PullKey, facts: Facts): Promise<void> {
    await this.database
      .of(GitPullRequest)
      .update({ installationId, number }, { ...facts, updatedAt: this.clock.now() });
  }
}
