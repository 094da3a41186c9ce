import { Injectable } from '@nestjs/common';
import { joinPath } from '../../../authoring/interchange/domain/repository-paths.js';
import { SITE_FILES } from '../../../authoring/interchange/domain/site-file/site-file.js';
import type { RunResult } from '../../imports/imports.schema.js';
import { shownProblem } from '../../imports/active-run.js';
import { gitAccessOf } from '../../imports/git/git-orders.js';
import { GitTransport } from '../../imports/git/git-transport.js';
import type { ForgePull } from '../forges/forge.js';
import { SiteBranches } from '../sites/site-branches.js';
import type { FollowedPull } from './pull-request-rows.js';
import type { PullWork } from './pull-work.js';

/** Looks at the commits of pull requests in the repository. */
@Injectable()
export class PullRequestCommits {
  constructor(
    private readonly transport: GitTransport,
    private readonly sites: SiteBranches,
  ) {}

  /** The paths of the files that a pull request changes. */
  async changedPaths({ run, order, forge, agreed }: PullWork, pull: ForgePull): Promise<string[]> {
    const { changedPaths } = await import('../../../authoring/interchange/git/changed-paths.js');
    const { url } = order;
    const since = (await forge.mergeBase(pull, agreed.oid)) ?? agreed.oid;
    return changedPaths({ url, ref: pull.ref ?? '', since }, this.transport.client(url, gitAccessOf(run)));
  }

  /** The faults of the file of a site in a folder of the repository, as a pull request has it. */
  async siteProblems(
    { run, order: { url } }: PullWork,
    { ref = '' }: ForgePull,
    directory: string,
  ): Promise<RunResult['problems']> {
    const branch = await this.sites.open({ url, ref }, this.transport.client(url, gitAccessOf(run)));
    const site = await this.sites.file(branch, directory);
    if (!site)
      return [{ file: joinPath(directory, SITE_FILES[0]), line: 1, level: 'error', message: 'the file is not there' }];
    return site.problems.map((problem) => shownProblem({ ...problem, file: joinPath(directory, problem.file) }));
  }

  /** The forge tells of a commit of ours that another one of ours has followed since. */
  async isOutdated({ run, order: { url } }: PullWork, { pull, row, isOwn }: FollowedPull): Promise<boolean> {
    if (!isOwn || pull.ref === undefined) return false;
    const { remoteHead } = await import('../../../authoring/interchange/git/remote-head.js');
    return (await remoteHead(url, pull.ref, this.transport.client(url, gitAccessOf(run)))) === row.importedOid;
  }

  /** The head of the branch, where it consists of its commit `met` and of a pull request, and of nothing else. */
  async mergedAs({ run, order, forge }: PullWork, pull: ForgePull, met: string): Promise<string | undefined> {
    const { remoteCommit } = await import('../../../authoring/interchange/git/remote-head.js');
    const { url, ref } = order;
    const { oid, parents } = await remoteCommit(url, ref, this.transport.client(url, gitAccessOf(run)));
    if (oid === pull.head) return (await forge.mergeBase(pull, met)) === met ? oid : undefined;
    return parents[0] === met && (parents[1] ?? pull.head) === pull.head ? oid : undefined;
  }
}
