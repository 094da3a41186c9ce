import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, notFound } from '../../kernel/common/errors.js';
import { CONFIG, type Config } from '../../kernel/platform/config/config.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { RefusedAccess } from '../../authoring/interchange/git/refused-access.js';
import type { ActiveRun } from '../imports/active-run.js';
import { RefusedCredentials } from './forges/forge-error.js';
import { GitInstallation } from './git-installation.entity.js';

const FIRST_RETRY_SECONDS = 30;
const MAX_RETRY_SECONDS = 6 * 3600;

/** The branch is looked at again at `$6`, or when it is tried again if that is earlier. */
const FAIL = `UPDATE git_installation g SET failure = $2, is_refused = $4, failures = g.failures + 1, failed_oid = $5, retry_at = again.at, due_at = least(again.at, $6)
   FROM (SELECT id, $3::timestamptz + least(${FIRST_RETRY_SECONDS} * 2.0 ^ least(failures, 20), ${MAX_RETRY_SECONDS}) * interval '1 second' AS at
           FROM git_installation WHERE id = $1 FOR NO KEY UPDATE) again
  WHERE g.id = again.id RETURNING g.failures`;

const MERGED = `UPDATE git_installation SET merged_oid = $2, merged_revision = coalesce(request_revision, merged_revision),
    change_request_id = NULL, request_oid = NULL, request_revision = NULL WHERE id = $1`;

/** The columns of what is begun and has not ended, for an installation whose sides agree or that is connected anew. */
export const NOTHING_UNDER_WAY = {
  pushedOid: null,
  pushedRevision: null,
  mergedOid: null,
  mergedRevision: null,
  changeRequestId: null,
  requestOid: null,
  requestRevision: null,
} as const;

/** The columns of an installation that nothing hinders. */
export const UNHINDERED = { failure: null, failures: 0, failedOid: null, retryAt: null, isRefused: false } as const;

/** The head of a branch as it is kept and compared: '' where the repository has no such branch. */
export const keptHead = (head: string | undefined): string => head ?? '';

/** A try to make both sides equal, and the head (`keptHead`) that it has seen last; null before it has seen one. */
export interface SyncAttempt {
  head: string | null;
}

/** Keeps how far installations are: what is merged, what waits for people, what failed and when it is tried again. */
@Injectable()
export class GitSyncStates {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async get(id: string): Promise<GitInstallation> {
    const found = await this.database.of(GitInstallation).findOneBy({ id });
    if (!found) throw notFound('Git installation');
    return found;
  }

  /** Notes the run that works on an installation; undefined for one that was uninstalled. */
  async begin(id: string, runId: string): Promise<GitInstallation | undefined> {
    await this.database.of(GitInstallation).update({ id }, { lastRunId: runId });
    return (await this.database.of(GitInstallation).findOneBy({ id })) ?? undefined;
  }

  /** The server of the repository is known by its key from now on. */
  async met(id: string, hostKey: string | null): Promise<void> {
    await this.database.of(GitInstallation).update({ id }, { hostKey });
  }

  /** Both sides say the same. Must run in the transaction that makes it so. */
  async succeed(id: string): Promise<void> {
    await this.database.of(GitInstallation).update(
      { id },
      {
        ...NOTHING_UNDER_WAY,
        ...UNHINDERED,
        dueAt: this.nextLook(this.clock.now()),
      },
    );
  }

  /** A commit with a revision is about to be pushed: who finds it as the head of the branch knows that it has arrived. */
  async pushing(id: string, oid: string, revision: string): Promise<void> {
    await this.database.of(GitInstallation).update({ id }, { pushedOid: oid, pushedRevision: revision });
  }

  /** A change request holds the side of the branch, up to a commit as its revision says it; null while that is not written into it. */
  async requested(
    id: string,
    changeRequestId: string,
    written: { readonly oid: string; readonly revision: string | undefined } | null,
  ): Promise<void> {
    await this.database
      .of(GitInstallation)
      .update(
        { id },
        { changeRequestId, requestOid: written?.oid ?? null, requestRevision: written?.revision ?? null },
      );
  }

  /** Links are written that lead to where a revision beside it has moved their pages, unless a later one has moved some. */
  async linked(id: string, movedBeside: string): Promise<void> {
    await this.database.of(GitInstallation).update({ id, movedBeside }, { movedBeside: null });
  }

  /** Space and branch agree, in the transaction that makes it so; the run goes on. */
  async agreed(id: string): Promise<void> {
    await this.database.of(GitInstallation).update({ id }, NOTHING_UNDER_WAY);
  }

  /** The primary content contains all up to a commit, which the branch has no answer to yet; where that concerns no documentation, it says no more than before. */
  async merged(id: string, oid: string): Promise<void> {
    await this.database.execute(MERGED, [id, oid]);
  }

  /**
   * Records a failure, and when it is tried again: after 30 seconds, twice as long with each further one, 6 hours at most. It is
   * tried earlier where a look at the branch finds another head than that of the attempt.
   */
  async fail(
    run: Pick<ActiveRun, 'id' | 'spaceId' | 'organizationId'>,
    id: string,
    error: unknown,
    attempt: SyncAttempt,
  ): Promise<void> {
    await this.database.transaction(async () => {
      if ((await this.countFailure(id, error, attempt)) !== 1) return;
      await this.outbox.record({
        type: 'git_sync_failed',
        organizationId: run.organizationId,
        spaceId: run.spaceId,
        target: id,
        payload: { runId: run.id },
      });
    });
  }

  /** Notes a failure; returns how many there were since it last succeeded, undefined for an installation that is gone. */
  async countFailure(id: string, error: unknown, { head }: SyncAttempt): Promise<number | undefined> {
    const message = error instanceof DomainError ? error.message : 'The server failed to do it: its log says why';
    const isRefused = error instanceof RefusedCredentials || error instanceof RefusedAccess;
    const now = this.clock.now();
    const values = [id, message, now, isRefused, head, this.nextLook(now)];
    return (await this.database.one<{ failures: number }>(FAIL, values))?.failures;
  }

  /** The time of the look at a branch after that of `now`. */
  nextLook(now: Date): Date {
    return new Date(now.getTime() + this.config.gitPollSeconds * 1000);
  }
}
