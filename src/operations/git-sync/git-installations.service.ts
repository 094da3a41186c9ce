import { Injectable } from '@nestjs/common';
import { Access, requireWhole, type SpaceAccess } from '../../kernel/access/access.service.js';
import { requirePermission } from '../../kernel/access/permissions.js';
import { Clock } from '../../kernel/common/clock.js';
import type { Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, invalid, notFound } from '../../kernel/common/errors.js';
import { newId } from '../../kernel/common/ids.js';
import { OutboxRelay } from '../../kernel/platform/outbox-relay.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { SpaceRepositories } from '../../authoring/interchange/git/space-repositories.service.js';
import { Spaces } from '../../workspace/spaces/spaces.service.js';
import type { GitSyncRow } from '../../workspace/spaces/git-sync.schema.js';
import type { ImportRunRow } from '../imports/imports.schema.js';
import { GitInstallation } from './git-installation.entity.js';
import type { GitInstallationRow, InstallGitProvider, SetUpGitInstallation } from './git-installations.schema.js';
import { GitSetups } from './git-setups.js';
import { gitSyncOf } from './git-sync.statements.js';
import { GitSyncQueue } from './git-sync-queue.js';
import { NOTHING_UNDER_WAY, UNHINDERED } from './git-sync-states.js';
import { GIT_SYNC_CONSUMER } from './git-sync-watch.js';
import { GitPullRequest } from './pulls/git-pull-request.entity.js';
import { GitRequestBranch } from './pulls/git-request-branch.entity.js';

const COLUMNS = `g.id, g.space_id AS "spaceId", g.provider, g.url, g.ref, g.directory,
  g.server_url AS "serverUrl", g.repository_id AS "repositoryId",
  g.commit_message AS "commitMessage", g.squash, g.preview_external_branches AS "previewExternalBranches", g.deploy_key AS "deployKey", g.app_id AS "appId",
  g.app_installation_id AS "appInstallationId", g.is_refused AS "isRefused",
  g.host_key AS "hostKey", g.priority, g.failure, g.change_request_id AS "changeRequestId", g.due_at AS "dueAt",
  g.created_by AS "createdBy", g.created_at AS "createdAt", g.updated_at AS "updatedAt"`;

/** An installation, and the secret of its hook where that was just made. */
export interface ChangedInstallation {
  readonly row: GitInstallationRow;
  readonly hookSecret?: string;
}

/** Connects spaces with branches of repositories. */
@Injectable()
export class GitInstallations {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly access: Access,
    private readonly outbox: Outbox,
    private readonly relay: OutboxRelay,
    private readonly spaces: Spaces,
    private readonly repositories: SpaceRepositories,
    private readonly setups: GitSetups,
    private readonly queue: GitSyncQueue,
  ) {}

  /** The repository of a space; throws `notFound` if there is none. */
  async info(spaceId: string): Promise<GitSyncRow> {
    const row = await this.database.one<GitSyncRow & Record<string, unknown>>(gitSyncOf('$1'), [spaceId]);
    if (!row) throw notFound('Repository');
    return row;
  }

  /** Throws `notFound` for a space that the caller does not see, `conflict` where one is installed on it already. */
  async install(caller: Caller, { provider, target }: InstallGitProvider): Promise<ChangedInstallation> {
    const now = this.clock.now();
    const id = newId(now.getTime());
    const hook = this.setups.newHook();
    await this.change(caller, target.spaceId, async ({ organizationId }) => {
      if (await this.database.of(GitInstallation).existsBy({ spaceId: target.spaceId }))
        throw new DomainError('conflict', 'The space has an installation already');
      await this.database.of(GitInstallation).insert({
        id,
        spaceId: target.spaceId,
        provider,
        hookSecret: hook.sealed,
        createdBy: caller.userId,
        updatedBy: caller.userId,
        createdAt: now,
        updatedAt: now,
      });
      await this.relay.attend(GIT_SYNC_CONSUMER, organizationId, true);
      await this.outbox.record({
        type: 'git_installed',
        organizationId,
        spaceId: target.spaceId,
        target: id,
        payload: { provider },
      });
    });
    return { row: await this.row(id), hookSecret: hook.secret };
  }

  async get(caller: Caller, id: string): Promise<GitInstallationRow> {
    return this.find(caller, id);
  }

  /**
   * Chooses the repository and how it is kept equal with the space. With `priority` both begin to be kept equal. Throws
   * `invalid` for an address that cannot be reached.
   */
  async update(caller: Caller, id: string, setup: SetUpGitInstallation): Promise<ChangedInstallation> {
    const row = await this.find(caller, id);
    const facts = await this.setups.read(setup, row);
    const hook = setup.renewHookSecret === true ? this.setups.newHook() : undefined;
    await this.change(caller, row.spaceId, async ({ organizationId }) => {
      const before = await this.lock(id);
      const next = { ...before, ...facts };
      const isElsewhere = next.url !== before.url || next.ref !== before.ref || next.directory !== before.directory;
      const isReady = next.url !== null && next.ref !== null;
      if (setup.priority !== undefined && !isReady)
        throw invalid(
          'providerConfiguration',
          'must name the repository (url) and the branch before both are kept equal',
        );
      const begins = setup.priority !== undefined;
      await this.database.of(GitInstallation).update(
        { id },
        {
          ...facts,
          ...(hook && { hookSecret: hook.sealed }),
          ...(isElsewhere && NOTHING_UNDER_WAY),
          // Another repository is written to only after its priority was chosen.
          ...(isElsewhere && !begins && { priority: null, dueAt: null }),
          ...(begins && { ...UNHINDERED, dueAt: this.clock.now() }),
          updatedBy: caller.userId,
          updatedAt: this.clock.now(),
        },
      );
      if (isElsewhere) {
        await this.repositories.forget(row.spaceId);
        // These are of the former repository.
        await this.database.of(GitRequestBranch).delete({ installationId: id });
        await this.database.of(GitPullRequest).delete({ installationId: id });
      }
      await this.outbox.record({
        type: 'git_installation_updated',
        organizationId,
        spaceId: row.spaceId,
        target: id,
        payload: { fields: [...Object.keys(facts), ...(hook ? ['hookSecret'] : [])] },
      });
      if (begins) await this.queue.add(id);
    });
    return { row: await this.row(id), ...(hook && { hookSecret: hook.secret }) };
  }

  /** Ends it: space and repository stay as they are. One that the caller does not see is left alone. */
  async uninstall(caller: Caller, id: string): Promise<void> {
    const row = await this.seen(caller, id);
    if (!row) return;
    await this.change(caller, row.spaceId, async ({ organizationId }) => {
      await this.lock(id);
      await this.outbox.record({ type: 'git_uninstalled', organizationId, spaceId: row.spaceId, target: id });
      await this.database.of(GitInstallation).delete({ id });
    });
  }

  /** Begins a run that makes both sides equal, or tells what that would change. Throws `conflict` for what is not set up. */
  async begin(caller: Caller, id: string, { plan }: { readonly plan?: 'git' | 'gitbook' }): Promise<ImportRunRow> {
    const row = await this.find(caller, id);
    if (row.url === null || row.ref === null || (plan === undefined && row.priority === null))
      throw new DomainError('conflict', 'Choose the repository, the branch and the priority first');
    return this.change(caller, row.spaceId, async () => {
      await this.lock(id);
      return this.queue.add(id, { by: caller.userId, ...(plan && { plan }) });
    });
  }

  /** Runs work on the installation of a space, locked. Throws `conflict` where the space is not kept equal with a branch. */
  inSpace<Result>(
    caller: Caller,
    spaceId: string,
    work: (installation: GitInstallation) => Promise<Result>,
  ): Promise<Result> {
    return this.change(caller, spaceId, async () => {
      const found = await this.database
        .of(GitInstallation)
        .findOne({ where: { spaceId }, lock: { mode: 'pessimistic_write' } });
      if (!found || found.url === null || found.ref === null || found.priority === null)
        throw new DomainError('conflict', 'Connect the space with a branch of a repository first');
      return work(found);
    });
  }

  private async find(caller: Caller, id: string): Promise<GitInstallationRow> {
    const row = await this.seen(caller, id);
    if (!row) throw notFound('Git installation');
    return row;
  }

  /** Undefined for one of a space that the caller does not see; throws `forbidden` without the permission. */
  private async seen(caller: Caller, id: string): Promise<GitInstallationRow | undefined> {
    const row = await this.database.one<GitInstallationRow & Record<string, unknown>>(
      `SELECT ${COLUMNS} FROM git_installation g WHERE g.id = $1`,
      [id],
    );
    const space = row && (await this.access.space(caller, row.spaceId));
    if (!space || space.deletedAt !== null) return undefined;
    requirePermission(caller, 'space:syncGit', space);
    requireWhole(space);
    return row;
  }

  /** Runs a change while the caller keeps the right to it and the space stays where it is. */
  private async change<Result>(
    caller: Caller,
    spaceId: string,
    work: (space: SpaceAccess) => Promise<Result>,
  ): Promise<Result> {
    return this.database.transaction(async () => {
      const organizationId = await this.spaces.holdMembership(caller, spaceId);
      if (organizationId !== undefined) await this.spaces.lock(spaceId, { organizationId });
      const space = await this.access.requireSpace(caller, spaceId, 'space:syncGit');
      requireWhole(space);
      return work(space);
    });
  }

  private async lock(id: string): Promise<GitInstallation> {
    const found = await this.database
      .of(GitInstallation)
      .findOne({ where: { id }, lock: { mode: 'pessimistic_write' } });
    if (!found) throw notFound('Git installation');
    return found;
  }

  private async row(id: string): Promise<GitInstallationRow> {
    const row = await this.database.one<GitInstallationRow & Record<string, unknown>>(
      `SELECT ${COLUMNS} FROM git_installation g WHERE g.id = $1`,
      [id],
    );
    if (!row) throw notFound('Git installation');
    return row;
  }
}
