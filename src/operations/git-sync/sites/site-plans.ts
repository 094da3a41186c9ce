import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../kernel/common/context.js';
import { Database } from '../../../kernel/common/database.js';
import { DomainError } from '../../../kernel/common/errors.js';
import { joinPath } from '../../../authoring/interchange/domain/repository-paths.js';
import {
  directoryFrom,
  SITE_FILES,
  spacesOf,
  type SiteFile,
} from '../../../authoring/interchange/domain/site-file/site-file.js';
import { nodeDifferences, withKeptValues, type NodeDifference } from '../domain/site-differences.js';
import { GitInstallation } from '../git-installation.entity.js';
import { InstallationRights, isOfSite } from '../installation-rights.js';
import { isReady, missingFile, SiteBranches } from './site-branches.js';
import { SiteDescriptions } from './site-descriptions.js';

/** The changes that a first synchronization of a site would make. */
export interface StructurePlan {
  readonly priority: 'git' | 'gitbook';
  /** The file that describes the site, from the root of the repository. */
  readonly path: string;
  /** Nodes of the side that would not win. */
  readonly nodes: readonly NodeDifference[];
  readonly spaces: readonly { readonly title: string; readonly directory: string | null }[];
}

/** Tells what a first synchronization of a site would change, without changing anything. */
@Injectable()
export class SitePlans {
  constructor(
    private readonly database: Database,
    private readonly rights: InstallationRights,
    private readonly branches: SiteBranches,
    private readonly descriptions: SiteDescriptions,
  ) {}

  /** Throws `conflict` where no repository is chosen, for the installation of a space, and for a branch without a readable file that would win. */
  async plan(caller: Caller, id: string, priority: 'git' | 'gitbook'): Promise<StructurePlan> {
    const row = await this.rights.find(caller, id);
    if (!isOfSite(row)) throw new DomainError('conflict', 'A space has no structure: ask for the plan of its content');
    const installation = await this.database.of(GitInstallation).findOneByOrFail({ id });
    if (!isReady(installation)) throw new DomainError('conflict', 'Choose the repository and the branch first');
    const { directory } = installation;
    const own = await this.descriptions.describe(caller.userId, installation);
    const branch = await this.branches.open(installation, await this.branches.client(installation));
    const theirs = await this.branches.file(branch, directory);
    if (priority === 'git' && !theirs) throw missingFile(installation);
    const fault = theirs?.problems.find(({ level }) => level === 'error');
    if (priority === 'git' && fault)
      throw new DomainError('conflict', `${fault.file}:${fault.line ?? 1}: ${fault.message}`);
    const there: SiteFile = theirs?.site ?? { title: own.file.title, structure: [] };
    const here = withKeptValues(own.file, there);
    const [now, next] = priority === 'git' ? [here, there] : [there, here];
    return {
      priority,
      path: joinPath(directory, theirs?.name ?? SITE_FILES[0]),
      nodes: nodeDifferences(now, next),
      spaces: spacesOf(next.structure).map(({ title, content }) => {
        const folder = content.directory === null ? undefined : directoryFrom('', content.directory);
        return { title, directory: folder === undefined ? null : joinPath(directory, folder) };
      }),
    };
  }
}
