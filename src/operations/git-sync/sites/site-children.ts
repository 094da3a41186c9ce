import { Injectable } from '@nestjs/common';
import { Access, requireWhole } from '../../../kernel/access/access.service.js';
import { Clock } from '../../../kernel/common/clock.js';
import type { Caller } from '../../../kernel/common/context.js';
import { Database } from '../../../kernel/common/database.js';
import { Outbox } from '../../../kernel/platform/outbox.js';
import { SpaceRepositories } from '../../../authoring/interchange/git/space-repositories.service.js';
import { GitInstallation } from '../git-installation.entity.js';
import { GitSetups } from '../git-setups.js';
import { GitSyncQueue } from '../git-sync-queue.js';
import { NOTHING_UNDER_WAY, UNHINDERED } from '../git-sync-states.js';

const SPACES = `SELECT DISTINCT ss.space_id AS id, (SELECT g.parent_id FROM git_installation g WHERE g.space_id = ss.space_id) AS "parentId",
    EXISTS (SELECT FROM git_installation g WHERE g.space_id = ss.space_id) AS "isInstalled"
   FROM site_space ss JOIN space s ON s.id = ss.space_id AND s.deleted_at IS NULL WHERE ss.site_id = $1 ORDER BY ss.space_id`;

/** A space that a site shows. */
export interface ShownSpace extends Record<string, unknown> {
  readonly id: string;
  readonly isInstalled: boolean;
  /** The installation that has that of the space. */
  readonly parentId: string | null;
}

type Side = 'git' | 'gitbook';

/** The installations of the spaces of a site. All changes must run in a transaction that holds the installation of the site. */
@Injectable()
export class SiteChildren {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly access: Access,
    private readonly outbox: Outbox,
    private readonly repositories: SpaceRepositories,
    private readonly setups: GitSetups,
    private readonly queue: GitSyncQueue,
  ) {}

  spacesOf(siteId: string): Promise<ShownSpace[]> {
    return this.database.query<ShownSpace>(SPACES, [siteId]);
  }

  of(parentId: string): Promise<GitInstallation[]> {
    return this.database.of(GitInstallation).find({ where: { parentId }, order: { id: 'ASC' } });
  }

  /**
   * Makes one for a space, with the connection of the site. Throws `forbidden` where the caller may not connect the space, and
   * `notFound` where they do not see it.
   */
  async add(
    caller: Caller,
    parent: GitInstallation,
    spaceId: string,
    facts: Partial<GitInstallation> = {},
  ): Promise<string> {
    const space = await this.access.requireSpace(caller, spaceId, 'space:syncGit');
    requireWhole(space);
    const { id } = await this.setups.add(caller, { ...connectionOf(parent), ...facts, spaceId, parentId: parent.id });
    await this.outbox.record({
      type: 'git_installed',
      organizationId: space.organizationId,
      spaceId,
      target: id,
      payload: { provider: parent.provider },
    });
    return id;
  }

  /** Gives them the connection of the site, which may be another one, and some of them another folder. */
  async connect(
    parent: GitInstallation,
    { directories, isElsewhere }: { readonly directories: ReadonlyMap<string, string>; readonly isElsewhere: boolean },
  ): Promise<void> {
    for (const { id, spaceId, directory, hostKey, url } of await this.of(parent.id)) {
      const next = directories.get(id) ?? directory;
      await this.database.of(GitInstallation).update(
        { id },
        {
          ...connectionOf(parent),
          ...(parent.url === url && parent.hostKey === null && { hostKey }),
          directory: next,
          ...(isElsewhere && { ...NOTHING_UNDER_WAY, priority: null, dueAt: null }),
          updatedAt: this.clock.now(),
        },
      );
      if (spaceId === null) continue;
      if (isElsewhere) await this.repositories.forget(spaceId);
      else if (next !== directory) await this.repositories.relocate(spaceId, next);
    }
  }

  /**
   * Makes them those of the spaces of the site, each in its folder (from the root of the repository), and begins to keep them
   * equal; `wins` is the side that new ones begin with. Spaces with an installation of their own keep it.
   */
  async settle(
    caller: Caller,
    organizationId: string,
    parent: GitInstallation,
    { places, wins }: { readonly places: ReadonlyMap<string, string>; readonly wins: Side },
  ): Promise<void> {
    const known = new Map((await this.of(parent.id)).map((child) => [child.spaceId ?? '', child]));
    for (const child of known.values()) if (!places.has(child.spaceId ?? '')) await this.retire(organizationId, child);
    const shown = new Map((await this.spacesOf(parent.siteId ?? '')).map((space) => [space.id, space]));
    for (const [spaceId, directory] of places) {
      const child = known.get(spaceId);
      if (child) await this.place(child, directory, wins);
      else if (shown.get(spaceId)?.isInstalled === false)
        await this.queue.add(
          await this.add(caller, parent, spaceId, { directory, priority: wins, dueAt: this.clock.now() }),
        );
    }
  }

  private async place(child: GitInstallation, directory: string, wins: Side): Promise<void> {
    const { id, spaceId, priority } = child;
    if (priority !== null && directory === child.directory) return;
    // The agreement holds for the folder wherever it is: changes of both sides are merged.
    if (directory !== child.directory && spaceId !== null) await this.repositories.relocate(spaceId, directory);
    await this.database
      .of(GitInstallation)
      .update({ id }, { ...UNHINDERED, directory, priority: priority ?? wins, dueAt: this.clock.now() });
    await this.queue.add(id);
  }

  private async retire(organizationId: string, { id, spaceId }: GitInstallation): Promise<void> {
    if (spaceId !== null) await this.outbox.record({ type: 'git_uninstalled', organizationId, spaceId, target: id });
    await this.database.of(GitInstallation).delete({ id });
  }
}

/** The columns that the installation of a site has for those of its spaces. */
function connectionOf(parent: GitInstallation): Partial<GitInstallation> & Pick<GitInstallation, 'provider'> {
  const { provider, url, serverUrl, repositoryId, ref, commitMessage, squash, previewExternalBranches, updatedBy } =
    parent;
  const { credentials, appId, appInstallationId, deployKey, deploySecret, hostKey } = parent;
  return {
    ...{ provider, url, serverUrl, repositoryId, ref, commitMessage, squash, previewExternalBranches, updatedBy },
    ...{ credentials, appId, appInstallationId, deployKey, deploySecret, hostKey },
  };
}
