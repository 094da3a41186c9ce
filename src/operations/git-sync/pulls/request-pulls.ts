import { Injectable } from '@nestjs/common';
import { RequestDescriptions } from '../../../authoring/change-requests/request-descriptions.js';
import { isActive } from '../../../authoring/content/domain/request-status.js';
import { Access } from '../../../kernel/access/access.service.js';
import { DomainError } from '../../../kernel/common/errors.js';
import { creatorOf } from '../../imports/active-run.js';
import { gitAccessOf } from '../../imports/git/git-orders.js';
import { GitTransport } from '../../imports/git/git-transport.js';
import { branchOf } from '../domain/branch-names.js';
import type { ForgePulls, PullTexts } from '../forges/forge.js';
import { BranchRefused } from '../branch-refused.js';
import type { GitPullRequest } from './git-pull-request.entity.js';
import { PullRequestRows } from './pull-request-rows.js';
import { PullRequestWrites } from './pull-request-writes.js';
import type { BranchWork, PullWork } from './pull-work.js';
import { RequestBranchPushes } from './request-branch-pushes.js';
import { RequestBranchRows, type BranchedRequest } from './request-branch-rows.js';

/** The longest text that every forge takes. */
const MAX_TEXT = 30_000;

/** Keeps the branches and pull requests equal that change requests have become. */
@Injectable()
export class RequestPulls {
  constructor(
    private readonly access: Access,
    private readonly descriptions: RequestDescriptions,
    private readonly transport: GitTransport,
    private readonly rows: RequestBranchRows,
    private readonly pushes: RequestBranchPushes,
    private readonly writes: PullRequestWrites,
    private readonly pulls: PullRequestRows,
  ) {}

  /**
   * Does all that is to be done at a space that says what its branch says, and returns what could not be done. `asked` is the
   * change request that somebody waits for.
   */
  async keep(work: BranchWork, forge: ForgePulls | undefined, asked: string | null): Promise<DomainError[]> {
    const failed: DomainError[] = [];
    const rows = await this.rows.all(work.order.installation);
    if (asked !== null && !rows.some(({ changeRequestId }) => changeRequestId === asked))
      failed.push(new BranchRefused('The change request has no branch any more: ask for it again'));
    if (rows.length === 0) return failed;
    const tips = await this.tips(work);
    for (const row of rows) {
      await work.run.checkpoint();
      try {
        const tip = tips.get(row.ref);
        const kept = await this.there(row, tip, row.changeRequestId === asked);
        if (kept) await this.keepOne(work, forge, kept, tip);
        if (row.failure !== null) await this.rows.update(row, { failure: null });
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        await work.run.checkpoint();
        const isRefused = error instanceof BranchRefused;
        // The run of whoever has asked for it tells them.
        if (isRefused && row.changeRequestId !== asked && (await this.rows.isAskedFor(row))) continue;
        failed.push(error);
        // Nothing was begun: whoever has asked for it asks again.
        if (isRefused) await this.rows.remove(row);
        else await this.rows.update(row, { failure: error.message });
      }
    }
    return failed;
  }

  /**
   * Pushes what is in a change request that was merged here and not in its branch yet, so that the pull request is merged with it;
   * returns the row of that. A branch that cannot be reached stays as it is: the rest becomes a commit of the space.
   */
  async finish(work: PullWork, row: GitPullRequest): Promise<GitPullRequest> {
    const found = (await this.rows.all(row.installationId)).find(({ number }) => number === row.number);
    if (!found || found.revision === found.head) return row;
    try {
      await this.pushes.push(work, found, (await this.tips(work)).get(found.ref));
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
    }
    return this.pulls.get(row);
  }

  /** The last commit of each branch of the repository. */
  async tips({ run, order: { url, ref } }: BranchWork): Promise<ReadonlyMap<string, string>> {
    const { remoteHeads } = await import('../../../authoring/interchange/git/remote-head.js');
    return remoteHeads(url, this.transport.client(url, gitAccessOf(run)), ref);
  }

  private async keepOne(
    work: BranchWork,
    forge: ForgePulls | undefined,
    row: BranchedRequest,
    tip: string | undefined,
  ): Promise<void> {
    if (!isActive(row.status)) return this.end(forge, row);
    if (row.pullState !== null && row.pullState !== 'open') return;
    const isMoved = tip !== undefined && row.oid !== null && tip !== row.oid && tip !== row.pushedOid;
    const brought = isMoved && !forge ? await this.bring(work, row) : row;
    const pushed = await this.pushes.push(work, brought, tip);
    if (!forge) return;
    if (pushed.number === null) await this.open(work, forge, pushed);
    else if (pushed.wording === null) await this.rows.update(pushed, { wording: pushed.says });
    else if (pushed.wording !== pushed.says) {
      await forge.rename(pushed.number, await this.textsOf(work, pushed));
      await this.rows.update(pushed, { wording: pushed.says });
    }
  }

  /** A change request that was merged or archived. Pull requests of merged ones are merged where both sides are looked at. */
  private async end(forge: ForgePulls | undefined, row: BranchedRequest): Promise<void> {
    if (row.status === 'merged' && row.number === null) return this.rows.remove(row);
    if (row.status !== 'archived' || row.pullState !== 'open' || !forge || row.number === null) return;
    await forge.close(row.number);
    await this.rows.closed(row);
  }

  /**
   * Undefined for a branch that is gone from the repository, whose pull request the forge closes itself. One that somebody asks for
   * again is made anew.
   */
  private async there(
    row: BranchedRequest,
    tip: string | undefined,
    isAsked: boolean,
  ): Promise<BranchedRequest | undefined> {
    if (!isActive(row.status) || row.oid === null || tip !== undefined) return row;
    if (row.number !== null) return undefined;
    const nothing = { oid: null, revision: null, baseOid: null, baseRevision: null, pushedOid: null } as const;
    await (isAsked ? this.rows.update(row, nothing) : this.rows.remove(row));
    return isAsked ? { ...row, ...nothing } : undefined;
  }

  /** Writes the commits of others, where there is no pull request that would be followed. */
  private async bring(work: BranchWork, row: BranchedRequest): Promise<BranchedRequest> {
    await this.writes.write(work, row.changeRequestId, row.ref, row.revision ?? undefined, {
      left: async () => row.baseOid ?? undefined,
      finish: ({ oid, revision }) => this.rows.agree(row, { oid, revision }),
    });
    const rows = await this.rows.all(row.installationId);
    return rows.find(({ changeRequestId }) => changeRequestId === row.changeRequestId) ?? row;
  }

  /** Opens the pull request, or finds the one that was opened before a run could note it. */
  private async open(work: BranchWork, forge: ForgePulls, row: BranchedRequest): Promise<void> {
    const [source, target] = [branchOf(row.ref), branchOf(work.order.ref)];
    const find = async () => (await forge.open(target)).find((each) => each.source === source);
    const known = await find();
    const texts = known ? undefined : await this.textsOf(work, row);
    const pull = known ?? (texts && (await forge.create({ source, target, ...texts }))) ?? (await find());
    if (!pull)
      throw new DomainError(
        'conflict',
        `The server refuses a pull request from ${source}: look there whether it has one already, or whether the branch has no commits of its own`,
      );
    await this.rows.opened(row, pull, row.says);
  }

  private async textsOf({ run }: BranchWork, row: BranchedRequest): Promise<PullTexts> {
    const space = await this.access.requireSpace(creatorOf(run), run.spaceId, 'space:propose');
    const shown = await this.descriptions.shown(space, row.changeRequestId, 'markdown');
    const { subject, descriptionMarkdown = '', number, urls } = shown;
    const origin = `[Change request #${number}](${urls.app})`;
    const text = [descriptionMarkdown.trim().slice(0, MAX_TEXT), origin].filter(Boolean).join('\n\n');
    return { title: subject === '' ? `Change request #${number}` : subject, text };
  }
}
