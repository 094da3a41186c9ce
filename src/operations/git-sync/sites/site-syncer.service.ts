import { Injectable } from '@nestjs/common';
import { runAs, type Caller } from '../../../kernel/common/context.js';
import { DomainError } from '../../../kernel/common/errors.js';
import { joinPath } from '../../../authoring/interchange/domain/repository-paths.js';
import { SITE_FILES, type SiteFile } from '../../../authoring/interchange/domain/site-file/site-file.js';
import { writeSiteFile } from '../../../authoring/interchange/domain/site-file/write-site-file.js';
import { BranchMoved } from '../../../authoring/interchange/git/branch-moved.js';
import type { RemoteBranch } from '../../../authoring/interchange/git/remote-branch.js';
import { RepositoryFiles } from '../../../authoring/interchange/repository-files.js';
import type { SiteFolder } from '../../../authoring/interchange/site-folder.js';
import { SiteImports } from '../../../publishing/sites/site-imports.service.js';
import { creatorOf } from '../../imports/active-run.js';
import { GitExporter } from '../../imports/git/git-exporter.service.js';
import { withKeptValues } from '../domain/site-differences.js';
import { InstallationRights } from '../installation-rights.js';
import { keptHead, type SyncAttempt } from '../git-sync-states.js';
import { Moved } from '../moved.js';
import { SiteBranches, missingFile, type ReadyInstallation } from './site-branches.js';
import { SiteChildren } from './site-children.js';
import { textHash, SiteDescriptions, type DescribedStructure } from './site-descriptions.js';
import { SiteStates, type FollowedSite } from './site-states.js';

/** Times that both sides are looked at anew because one of them has moved meanwhile. */
const MAX_ROUNDS = 5;

/** Both sides of a site, as a round finds them. */
interface Sides extends FollowedSite {
  readonly caller: Caller;
  readonly own: DescribedStructure;
  readonly branch: RemoteBranch;
  readonly theirs: SiteFolder | undefined;
}

/**
 * Keeps the structure of a site equal with the file in a repository that describes it: the side that has changed since they last
 * agreed is taken over by the other one. The content of the spaces is kept equal by their own installations.
 */
@Injectable()
export class SiteSyncer {
  constructor(
    private readonly states: SiteStates,
    private readonly rights: InstallationRights,
    private readonly branches: SiteBranches,
    private readonly descriptions: SiteDescriptions,
    private readonly children: SiteChildren,
    private readonly imports: SiteImports,
    private readonly exporter: GitExporter,
    private readonly repositories: RepositoryFiles,
  ) {}

  /** A failure is recorded on the installation, and tried again later. With `ifMoved` it does nothing at the head of that failure. */
  async sync(id: string, signal: AbortSignal, { ifMoved = false } = {}): Promise<void> {
    const attempt: SyncAttempt = { head: null };
    for (let round = 1; ; round++) {
      signal.throwIfAborted();
      const followed = await this.states.followed(id);
      if (!followed) return;
      const { organizationId, installation } = followed;
      if (ifMoved && round === 1 && !(await this.hasMoved(installation))) return;
      const caller = creatorOf({ createdBy: installation.updatedBy, organizationId });
      try {
        return await runAs(caller, organizationId, () => this.round(caller, followed, attempt));
      } catch (error) {
        if (signal.aborted) throw error;
        if (error instanceof Moved && round < MAX_ROUNDS) continue;
        const reason =
          error instanceof Moved
            ? new DomainError('conflict', 'Both sides are being changed: it is tried again')
            : error;
        await this.states.fail(followed, reason, attempt);
        if (!(reason instanceof DomainError)) throw reason;
        return;
      }
    }
  }

  /** Tells whether the branch can be looked at, and is not where the last try has failed. */
  private async hasMoved(installation: ReadyInstallation): Promise<boolean> {
    const look = async () => this.branches.head(installation, await this.branches.client(installation));
    return look().then(
      (head) => keptHead(head) !== installation.failedOid,
      () => false,
    );
  }

  private async round(caller: Caller, followed: FollowedSite, attempt: SyncAttempt): Promise<void> {
    const { installation } = followed;
    const client = await this.branches.client(installation);
    const own = await this.descriptions.describe(caller.userId, installation);
    const head = await this.branches.head(installation, client);
    attempt.head = keptHead(head);
    const { agreedOid, agreedFile, agreedStructure, pushedFile, priority } = installation;
    if (head !== undefined && head === agreedOid && own.hash === agreedStructure)
      return this.states.agreed(installation.id, {});
    const branch = await this.branches.open(installation, client);
    const theirs = await this.branches.file(branch, installation.directory);
    const sides: Sides = { ...followed, caller, own, branch, theirs };
    if (agreedStructure === null) return priority === 'git' ? this.import(sides) : this.export(sides);
    const file = theirs && textHash(theirs.source);
    // A server that stopped after its push, or met another structure then, finds here the file that it has pushed.
    const isPushed = file !== undefined && file === pushedFile;
    const isBehind = !isPushed && file !== agreedFile;
    const isAhead = isPushed || own.hash !== agreedStructure;
    if (!isBehind) return isAhead ? this.export(sides) : this.states.agreed(installation.id, { oid: branch.head });
    if (!isAhead) return this.import(sides);
    if (theirs?.site && isSaidBy(theirs.site, own.file)) return this.export(sides);
    throw new DomainError(
      'conflict',
      'The structure of the site and its file in the repository have both changed: set the priority to choose one of them',
    );
  }

  /** The structure becomes what the file says. */
  private async import({ installation, organizationId, caller, branch, theirs }: Sides): Promise<void> {
    if (!theirs) throw missingFile(installation);
    const { id, siteId, directory } = installation;
    await this.imports.importStructure({ organizationId, userId: caller.userId, siteId }, theirs, async (spaces) => {
      const parent = await this.held(installation);
      const places = new Map(
        spaces.flatMap((space) => (space.place === undefined ? [] : [[space.id, joinPath(directory, space.place)]])),
      );
      await this.children.settle(caller, organizationId, parent, { places, wins: 'git' });
      const { hash } = await this.descriptions.describe(caller.userId, parent);
      await this.states.agreed(id, { oid: branch.head, file: textHash(theirs.source), structure: hash });
    });
  }

  /** The file becomes what the structure says, by a commit of its own. */
  private async export(sides: Sides): Promise<void> {
    const { installation, organizationId, caller, own, branch, theirs } = sides;
    const { id, siteId, directory } = installation;
    const former = theirs?.site;
    const isSame = former !== undefined && isSaidBy(former, own.file);
    const text = isSame ? (theirs?.source ?? '') : await this.written(sides);
    if (!isSame) {
      const path = joinPath(directory, theirs?.name ?? SITE_FILES[0]);
      const bytes = Buffer.from(text);
      const files = new Map([[path, { size: bytes.length, read: async () => bytes }]]);
      const message = `Structure of ${own.file.title}`.slice(0, 100);
      const commit = await this.exporter.commitOf({ createdBy: caller.userId }, { message });
      await branch.commit(files, (each) => each === path, commit);
      await branch
        .push(true, () => this.states.pushing(id, textHash(text)))
        .catch((error: unknown) => {
          throw error instanceof BranchMoved ? new Moved() : error;
        });
    }
    await this.rights.changeSite(caller, siteId, async () => {
      const parent = await this.held(installation);
      const now = await this.descriptions.describe(caller.userId, parent);
      if (now.hash !== own.hash) throw new Moved();
      await this.children.settle(caller, organizationId, parent, { places: own.places, wins: 'gitbook' });
      const { hash } = await this.descriptions.describe(caller.userId, parent);
      await this.states.agreed(id, {
        oid: branch.head,
        file: textHash(text),
        structure: hash,
      });
    });
  }

  /** The text of the file that says what the structure is; what is not changed stays as people have written it. */
  private async written({ organizationId, own, theirs }: Sides): Promise<string> {
    if (!theirs?.site) return writeSiteFile(own.file);
    const wanted = withKeptValues(own.file, theirs.site);
    return this.repositories.siteFile({ before: theirs.source, wanted }, organizationId);
  }

  /** The installation, locked; another server may have been faster. */
  private async held(before: ReadyInstallation): Promise<ReadyInstallation> {
    const now = await this.rights.lock(before.id);
    const names = ['url', 'ref', 'directory', 'priority', 'agreedFile', 'agreedStructure'] as const;
    if (names.some((name) => now[name] !== before[name])) throw new Moved();
    return { ...now, url: before.url, ref: before.ref };
  }
}

function isSaidBy(former: SiteFile, own: SiteFile): boolean {
  return writeSiteFile(withKeptValues(own, former)) === writeSiteFile(former);
}
