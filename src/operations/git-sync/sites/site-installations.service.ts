import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../kernel/common/context.js';
import { Clock } from '../../../kernel/common/clock.js';
import { Database } from '../../../kernel/common/database.js';
import { DomainError, invalid, notFound } from '../../../kernel/common/errors.js';
import { OutboxRelay } from '../../../kernel/platform/outbox-relay.js';
import { Outbox } from '../../../kernel/platform/outbox.js';
import { normalizePath } from '../../../authoring/interchange/domain/repository-paths.js';
import type { GitProvider } from '../../../workspace/spaces/git-sync.schema.js';
import { GitInstallation } from '../git-installation.entity.js';
import type { GitInstallationRow, SetUpGitInstallation } from '../git-installations.schema.js';
import { GitSetups } from '../git-setups.js';
import { UNHINDERED } from '../git-sync-states.js';
import { GIT_SYNC_CONSUMER } from '../git-sync-watch.js';
import { InstallationRights, type SiteInstallationRow } from '../installation-rights.js';
import { isReady, SiteBranches } from './site-branches.js';
import { SiteChildren } from './site-children.js';
import { below } from './site-descriptions.js';
import { NOTHING_AGREED, SiteStates } from './site-states.js';
import { SITE_SYNC_CONSUMER } from './site-watch.js';

interface Changed {
  readonly row: GitInstallationRow;
  readonly hookSecret?: string;
}

/** Connects sites with branches of repositories: one installation for the structure, and one for each space. */
@Injectable()
export class SiteInstallations {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly relay: OutboxRelay,
    private readonly rights: InstallationRights,
    private readonly setups: GitSetups,
    private readonly branches: SiteBranches,
    private readonly children: SiteChildren,
    private readonly states: SiteStates,
  ) {}

  /**
   * Installs a provider on a site, and on those of its spaces that have none. Throws `notFound` for a site that the caller does not
   * see, `forbidden` for a space that they may not connect, `conflict` where one is installed on the site already.
   */
  async install(caller: Caller, siteId: string, provider: GitProvider): Promise<Changed> {
    const { id, hookSecret } = await this.rights.changeSite(caller, siteId, async ({ organizationId }) => {
      if (await this.database.of(GitInstallation).existsBy({ siteId }))
        throw new DomainError('conflict', 'The site has an installation already');
      const made = await this.setups.add(caller, { siteId, provider });
      const parent = await this.rights.lock(made.id);
      for (const space of await this.children.spacesOf(siteId))
        if (!space.isInstalled) await this.children.add(caller, parent, space.id);
      for (const consumer of [GIT_SYNC_CONSUMER, SITE_SYNC_CONSUMER])
        await this.relay.attend(consumer, organizationId, true);
      await this.outbox.record({
        type: 'git_site_installed',
        organizationId,
        target: made.id,
        payload: { siteId, provider },
      });
      return made;
    });
    return { row: await this.rights.row(id), hookSecret };
  }

  /** Gives a space of a site, which had an installation of its own before, one of the site. */
  async installSpace(caller: Caller, siteId: string, spaceId: string): Promise<GitInstallationRow> {
    const id = await this.rights.changeSite(caller, siteId, async () => {
      const found = await this.database.of(GitInstallation).findOneBy({ siteId });
      if (!found) throw new DomainError('conflict', 'The site has no installation: install a provider on it first');
      const parent = await this.rights.lock(found.id);
      const space = (await this.children.spacesOf(siteId)).find((each) => each.id === spaceId);
      if (!space) throw notFound('Space of the site');
      if (space.isInstalled) throw new DomainError('conflict', 'The space has an installation already');
      const made = await this.children.add(caller, parent, spaceId);
      // The next look at both sides gives it its folder.
      await this.database.of(GitInstallation).update({ id: parent.id }, { agreedOid: null });
      await this.states.enqueue(parent.id);
      return made;
    });
    return this.rights.row(id);
  }

  /**
   * Chooses the repository of a site and the folders of its spaces. With `priority` both begin to be kept equal. Throws `conflict`
   * where that is `git` and the branch has no file that describes the site.
   */
  async update(caller: Caller, row: SiteInstallationRow, setup: SetUpGitInstallation): Promise<Changed> {
    const { id, siteId } = row;
    const facts = await this.setups.read(setup, row);
    const hook = setup.renewHookSecret === true ? this.setups.newHook() : undefined;
    const begins = setup.priority !== undefined;
    if (setup.priority === 'git') {
      const next = { ...(await this.database.of(GitInstallation).findOneByOrFail({ id })), ...facts };
      if (isReady(next)) await this.branches.requireFile(next);
    }
    await this.rights.changeSite(caller, siteId, async ({ organizationId }) => {
      const before = await this.rights.lock(id);
      const next = { ...before, ...facts, updatedBy: caller.userId };
      if (begins && !isReady(next))
        throw invalid(
          'providerConfiguration',
          'must name the repository (url) and the branch before both are kept equal',
        );
      const isElsewhere = next.url !== before.url || next.ref !== before.ref || next.directory !== before.directory;
      const directories = await this.directoriesOf(setup, next);
      await this.database.of(GitInstallation).update(
        { id },
        {
          ...facts,
          ...(hook && { hookSecret: hook.sealed }),
          ...((isElsewhere || begins) && NOTHING_AGREED),
          ...(isElsewhere && !begins && { priority: null, dueAt: null }),
          ...(begins && { ...UNHINDERED, dueAt: this.clock.now() }),
          updatedBy: caller.userId,
          updatedAt: this.clock.now(),
        },
      );
      await this.children.connect(next, { directories, isElsewhere });
      if (isElsewhere) await this.setups.forgetPulls(id);
      await this.outbox.record({
        type: 'git_site_installation_updated',
        organizationId,
        target: id,
        payload: { siteId, fields: [...Object.keys(facts), ...(hook ? ['hookSecret'] : [])] },
      });
      if (begins || (directories.size > 0 && next.priority !== null)) await this.states.enqueue(id);
    });
    return { row: await this.rights.row(id), ...(hook && { hookSecret: hook.secret }) };
  }

  /** Ends it, with the installations of the spaces that belong to it: site, spaces and repository stay as they are. */
  async uninstall(caller: Caller, { id, siteId }: SiteInstallationRow): Promise<void> {
    await this.rights.changeSite(caller, siteId, async ({ organizationId }) => {
      const parent = await this.rights.lock(id);
      await this.children.settle(caller, organizationId, parent, { places: new Map(), wins: 'git' });
      await this.outbox.record({ type: 'git_site_uninstalled', organizationId, target: id, payload: { siteId } });
      await this.database.of(GitInstallation).delete({ id });
    });
  }

  /** The folders that a setup gives to spaces, by the id of their installation. */
  private async directoriesOf(
    { childInstallationProjectDirectories: given = {} }: SetUpGitInstallation,
    { id, directory }: GitInstallation,
  ): Promise<ReadonlyMap<string, string>> {
    const children = new Map((await this.children.of(id)).map((child) => [child.id, child]));
    const found = new Map<string, string>();
    for (const [child, written] of Object.entries(given)) {
      const path = `childInstallationProjectDirectories.${child}`;
      const folder = typeof written === 'string' ? normalizePath(written) : undefined;
      if (!children.has(child)) throw invalid(path, 'is no installation of a space of this site');
      if (folder === undefined) throw invalid(path, 'must be a folder of the repository');
      if (directory !== '' && folder !== directory && below(directory, folder) === folder)
        throw invalid(path, `must be in the project directory ${directory}`);
      if ([...found.values()].includes(folder)) throw invalid(path, 'is the folder of another space');
      found.set(child, folder);
    }
    return found;
  }
}
