import { Injectable } from '@nestjs/common';
import { gitAccessOf } from '../../imports/git/git-orders.js';
import { GitTransport } from '../../imports/git/git-transport.js';
import type { ForgePull } from '../forges/forge.js';
import type { FollowedPull } from './pull-request-rows.js';
import type { PullWork } from './pull-work.js';

/** Looks at the commits of pull requests in the repository. */
@Injectable()
export class PullRequestCommits {
  constructor(private readonly transport: GitTransport) {}

  /** The paths of the files that a pull request changes. */
  async changedPaths({ run, order, forge, agreed }: PullWork, pull: ForgePull): Promise<string[]> {
    const { changedPaths } = await import('../../../authoring/interchange/git/changed-paths.js');
    const { url } = order;
    const since = (await forge.mergeBase(pull, agreed.oid)) ?? agreed.oid;
    return changedPaths({ url, ref: pull.ref ?? '', since }, this.transport.client(url, gitAccessOf(run)));
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
