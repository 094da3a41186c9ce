import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import type { Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, invalid, notFound } from '../../kernel/common/errors.js';
import { OutboxRelay } from '../../kernel/platform/outbox-relay.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { SpaceRepositories } from '../../authoring/interchange/git/space-repositories.service.js';
import type { GitSyncRow } from '../../workspace/spaces/git-sync.schema.js';
import type { ImportRunRow } from '../imports/imports.schema.js';
import { GitInstallation } from './git-installation.entity.js';
import type { GitInstallationRow, InstallGitProvider, SetUpGitInstallation } from './git-installations.schema.js';
import { GitSetups } from './git-setups.js';
import { gitSyncOf } from './git-sync.statements.js';
import { GitSyncQueue } from './git-sync-queue.js';
import { NOTHING_UNDER_WAY, UNHINDERED } from './git-sync-states.js';
import { GIT_SYNC_CONSUMER } from './git-sync-watch.js';
import { InstallationRights, isOfSite } from './installation-rights.js';
import { SiteInstallations } from './sites/site-installations.service.js';

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
    private readonly rights: InstallationRights,
    private readonly outbox: Outbox,
    private readonly relay: OutboxRelay,
    private readonly sites: SiteInstallations,
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
    const { type, spaceId, siteId } = target;
    if (type === 'site') {
      if (siteId === undefined) throw invalid('target.siteId', 'is required for a site');
      return this.sites.install(caller, siteId, provider);
    }
    if (spaceId === undefined) throw invalid('target.spaceId', 'is required for a space');
    if (siteId !== undefined) return { row: await this.sites.installSpace(caller, siteId, spaceId) };
    const { id, hookSecret } = await this.rights.change(caller, spaceId, async ({ organizationId }) => {
      if (await this.database.of(GitInstallation).existsBy({ spaceId }))
        throw new DomainError('conflict', 'The space has an installation already');
      const made = await this.setups.add(caller, { spaceId, provider });
      await this.relay.attend(GIT_SYNC_CONSUMER, organizationId, true);
      await this.outbox.record({
        type: 'git_installed',
        organizationId,
        spaceId,
        target: made.id,
        payload: { provider },
      });
      return made;
    });
    return { row: await this.rights.row(id), hookSecret };
  }

  get(caller: Caller, id: string): Promise<GitInstallationRow> {
    return this.rights.find(caller, id);
  }

  /**
   * Chooses the repository and how it is kept equal with the space. With `priority` both begin to be kept equal. Throws
   * `invalid` for an address that cannot be reached.
   */
  async update(caller: Caller, id: string, setup: SetUpGitInstallation): Promise<ChangedInstallation> {
    const row = await this.rights.find(caller, id);
    if (isOfSite(row)) return this.sites.update(caller, row, setup);
    requireOwn(row);
    if (setup.childInstallationProjectDirectories !== undefined)
      throw invalid('childInstallationProjectDirectories', 'is possible for a site');
    const facts = await this.setups.read(setup, row);
    const hook = setup.renewHookSecret === true ? this.setups.newHook() : undefined;
    await this.rights.change(caller, row.spaceId, async ({ organizationId }) => {
      const before = await this.rights.lock(id);
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
        await this.setups.forgetPulls(id);
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
    return { row: await this.rights.row(id), ...(hook && { hookSecret: hook.secret }) };
  }

  /** Ends it: space and repository stay as they are. One that the caller does not see is left alone. */
  async uninstall(caller: Caller, id: string): Promise<void> {
    const row = await this.rights.seen(caller, id);
    if (!row) return;
    if (isOfSite(row)) return this.sites.uninstall(caller, row);
    requireOwn(row);
    await this.rights.change(caller, row.spaceId, async ({ organizationId }) => {
      await this.rights.lock(id);
      await this.outbox.record({ type: 'git_uninstalled', organizationId, spaceId: row.spaceId, target: id });
      await this.database.of(GitInstallation).delete({ id });
    });
  }

  /** Begins a run that makes both sides equal, or tells what that would change. Throws `conflict` for what is not set up. */
  async begin(caller: Caller, id: string, { plan }: { readonly plan?: 'git' | 'gitbook' }): Promise<ImportRunRow> {
    const row = await this.rights.find(caller, id);
    if (isOfSite(row))
      throw new DomainError(
        'conflict',
        plan === undefined
          ? 'A site has no runs: a push to its file, a change of its structure or its priority set again tries it at once; ask for the runs of its spaces'
          : 'A site has no runs: its structure has a structure-plan, and the installations of its spaces have plans',
      );
    if (row.url === null || row.ref === null || (plan === undefined && row.priority === null))
      throw new DomainError('conflict', 'Choose the repository, the branch and the priority first');
    return this.rights.change(caller, row.spaceId, async () => {
      await this.rights.lock(id);
      return this.queue.add(id, { by: caller.userId, ...(plan && { plan }) });
    });
  }

  /** Runs work on the installation of a space, locked. Throws `conflict` where the space is not kept equal with a branch. */
  inSpace<Result>(
    caller: Caller,
    spaceId: string,
    work: (installation: GitInstallation) => Promise<Result>,
  ): Promise<Result> {
    return this.rights.change(caller, spaceId, async () => {
      const found = await this.database
        .of(GitInstallation)
        .findOne({ where: { spaceId }, lock: { mode: 'pessimistic_write' } });
      if (!found || found.url === null || found.ref === null || found.priority === null)
        throw new DomainError('conflict', 'Connect the space with a branch of a repository first');
      return work(found);
    });
  }
}

/** Throws `conflict` for one that has the connection of the installation of its site. */
function requireOwn({ parentId }: GitInstallationRow): void {
  if (parentId !== null)
    throw new DomainError(
      'conflict',
      `It belongs to the installation ${parentId} of the site: change that, or take the space out of the site`,
    );
}
