import { Injectable } from '@nestjs/common';
import { RequestUpdates } from '../../../authoring/change-requests/request-updates.service.js';
import { ContentLines } from '../../../authoring/content/content-lines.js';
import { isActive } from '../../../authoring/content/domain/request-status.js';
import { creatorOf } from '../../imports/active-run.js';
import { GitExporter } from '../../imports/git/git-exporter.service.js';
import { gitAccessOf } from '../../imports/git/git-orders.js';
import { GitTransport } from '../../imports/git/git-transport.js';
import { branchOf } from '../domain/branch-names.js';
import { GitCommitTexts } from '../git-commit-texts.js';
import { GitSyncStates } from '../git-sync-states.js';
import { Moved } from '../moved.js';
import { BranchRefused } from '../branch-refused.js';
import type { BranchWork } from './pull-work.js';
import { RequestBranchRows, type BranchAgreement, type BranchedRequest } from './request-branch-rows.js';

/** Writes change requests into their branches, by commits on top of these and never otherwise. */
@Injectable()
export class RequestBranchPushes {
  constructor(
    private readonly transport: GitTransport,
    private readonly lines: ContentLines,
    private readonly updates: RequestUpdates,
    private readonly exporter: GitExporter,
    private readonly texts: GitCommitTexts,
    private readonly states: GitSyncStates,
    private readonly rows: RequestBranchRows,
  ) {}

  /**
   * Makes a branch say what its change request says, where `tip` is its last commit. A commit of a run that was cut off is known
   * again. One that others have moved stays as it is. Throws `BranchRefused` for a branch that cannot be begun.
   */
  async push(work: BranchWork, known: BranchedRequest, tip: string | undefined): Promise<BranchedRequest> {
    const found = await this.settle(known, tip);
    if (found.oid === null && tip !== undefined)
      throw new BranchRefused(
        `The repository has a branch ${branchOf(found.ref)} already: give another name for that of change request #${found.requestNumber}`,
      );
    if (found.oid !== (tip ?? null) || found.revision === found.head) return found;
    const ready = await this.ready(work, found);
    return this.commit(work, ready);
  }

  /** Notes a commit that has arrived before the run with it was cut off. */
  private async settle(row: BranchedRequest, tip: string | undefined): Promise<BranchedRequest> {
    const { pushedOid: oid, pushedRevision: revision } = row;
    if (oid === null || revision === null || oid !== tip) return row;
    await this.rows.agree(row, { oid, revision });
    return { ...row, oid, revision, pushedOid: null, pushedRevision: null };
  }

  /** Brings the space into a change request that begins a branch, or that people have based on something newer than the branch. */
  private async ready({ run, agreed }: BranchWork, row: BranchedRequest): Promise<BranchedRequest> {
    const isKnown = row.base === agreed.revision || (row.oid !== null && row.base === row.baseRevision);
    if (isKnown || !isActive(row.status)) return row;
    const { result } = await this.updates.update(creatorOf(run), run.spaceId, row.changeRequestId);
    if (result === 'conflicts') {
      if (row.oid !== null) return row;
      throw new BranchRefused(
        `Change request #${row.requestNumber} has conflicts with the space: settle them before it becomes a branch`,
      );
    }
    const { revisionId: head, baseRevisionId: base } = await this.lines.request(run.spaceId, row.changeRequestId);
    if (base !== agreed.revision) throw new Moved();
    return { ...row, head, base };
  }

  private async commit({ run, order, agreed }: BranchWork, row: BranchedRequest): Promise<BranchedRequest> {
    const isNew = row.oid === null;
    const { url, directory } = order;
    const { RemoteBranch } = await import('../../../authoring/interchange/git/remote-branch.js');
    const client = this.transport.client(url, gitAccessOf(run));
    const branch = await RemoteBranch.open(url, isNew ? order.ref : row.ref, client);
    if (branch.head !== (isNew ? agreed.oid : row.oid)) throw new Moved();
    if (isNew) branch.leaveAs(row.ref);
    await this.exporter.requireRights(run);
    const merges = !isNew && row.base === agreed.revision && row.base !== row.baseRevision ? [agreed.oid] : [];
    const { commitMessage: template } = await this.states.get(order.installation);
    const step = await this.texts.requestStep(run.spaceId, row, template);
    await this.exporter.commit(run, { directory }, branch, { ...step, revision: row.head, merges });
    if (isNew && branch.head === agreed.oid)
      throw new BranchRefused(`Change request #${row.requestNumber} changes no file of the repository`);
    // Commits that leave do not come back, and writing them may have taken long.
    await this.exporter.requireRights(run);
    await run.checkpoint();
    const oid = await branch.push(true, (last) => this.rows.update(row, { pushedOid: last, pushedRevision: row.head }));
    const agreement: BranchAgreement = {
      oid,
      revision: row.head,
      ...((isNew || merges.length > 0) && { base: agreed }),
    };
    await this.rows.agree(row, agreement);
    return { ...row, oid, revision: row.head };
  }
}
