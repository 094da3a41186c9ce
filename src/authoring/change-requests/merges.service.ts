import { Injectable } from '@nestjs/common';
import type { PermissionKey } from '../../kernel/access/permissions.js';
import { Clock } from '../../kernel/common/clock.js';
import { requireMatch, type Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { Commits } from '../content/commits.js';
import { ContentLines } from '../content/content-lines.js';
import type { RequestHead } from '../content/request-lines.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { ChangeRequest } from './change-request.entity.js';
import { MergeGate } from './merge-gate.js';
import type { MergeResult } from './merges.schema.js';
import { newDocuments, RequestMerger } from './request-merger.js';

interface MergeOptions {
  readonly evenAgainstRules?: boolean;
  readonly permission?: PermissionKey;
}

/** Merges change requests into the primary line. */
@Injectable()
export class Merges {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly lines: ContentLines,
    private readonly gate: MergeGate,
    private readonly merger: RequestMerger,
    private readonly commits: Commits,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Merges a change request into the primary line as one revision; with open conflicts nothing changes. For a request
   * that is already merged, returns the revision of its merge. Throws `forbidden` if the merge rules, as of the commit,
   * do not let the caller merge. `evenAgainstRules` leaves the rules out: the changes were admitted elsewhere. `permission` is
   * what it takes, where that is not the one to merge.
   */
  async merge(
    caller: Caller,
    spaceId: string,
    idOrNumber: string,
    { evenAgainstRules = false, permission = 'space:merge' }: MergeOptions = {},
  ): Promise<MergeResult> {
    return this.database.transaction(async () => {
      const [locked, request] = await Promise.all([
        this.gate.lockPrimary(caller, spaceId, permission),
        this.lines.lockRequest(spaceId, idOrNumber),
      ]);
      if (request.mergedRevisionId !== null) return { revision: request.mergedRevisionId, result: 'merge' };
      requireMatch(request.version);
      if (!evenAgainstRules) await this.gate.requireAllowed(caller, request, locked);
      const { head, hiddenPages } = locked;
      const merge = await this.merger.merge(head, request);
      await this.merger.requireSeen(merge, head, request, hiddenPages);
      const { items, conflicts } = merge.outcome;
      if (conflicts.length > 0) return { revision: request.revisionId, result: 'conflicts' };
      const otherParents = request.revisionId === head.revisionId ? [] : [request.revisionId];
      const revision = await this.commits.toPrimary(
        head,
        { items, documents: newDocuments(merge) },
        { type: 'merge', otherParents, mergedFrom: request.id },
        (id) => this.close(request, id),
      );
      return { revision, result: 'merge' };
    });
  }

  private async close(request: RequestHead, revision: string): Promise<void> {
    await Promise.all([
      this.outbox.record({
        type: 'change_request_merged',
        organizationId: request.organizationId,
        spaceId: request.spaceId,
        target: request.id,
        payload: { revisionId: revision, number: request.number },
      }),
      this.database
        .of(ChangeRequest)
        .update({ id: request.id }, { status: 'merged', mergedRevisionId: revision, updatedAt: this.clock.now() }),
    ]);
  }
}
