import { Injectable } from '@nestjs/common';
import { Access } from '../../kernel/access/access.service.js';
import { requireMatch, type Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError } from '../../kernel/common/errors.js';
import { Commits } from '../content/commits.js';
import { ContentLines } from '../content/content-lines.js';
import type { RowChange } from '../content/content-store.js';
import { sameItem, type Item, type ItemKey } from '../content/domain/content-item.js';
import { isActive } from '../content/domain/request-status.js';
import { MergeConflicts, settles } from './merge-conflicts.service.js';
import type { MergeResult, UpdateRequest } from './merges.schema.js';
import { newDocuments, RequestMerger, type RequestMerge } from './request-merger.js';

/** Brings what is new on the primary line into change requests. */
@Injectable()
export class RequestUpdates {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly lines: ContentLines,
    private readonly merger: RequestMerger,
    private readonly conflicts: MergeConflicts,
    private readonly commits: Commits,
  ) {}

  /**
   * Pulls the primary line into a change request. Conflicts are settled by the resolutions of the body; while one is
   * open, nothing changes. Throws `conflict` when the resolutions were made against conflicts that have changed since.
   */
  async update(caller: Caller, spaceId: string, idOrNumber: string, body: UpdateRequest = {}): Promise<MergeResult> {
    return this.database.transaction(async () => {
      const request = await this.lines.lockRequest(spaceId, idOrNumber);
      const { hiddenPages } = await this.access.requireSpace(caller, spaceId, 'space:propose');
      requireMatch(request.version);
      if (!isActive(request.status))
        throw new DomainError('conflict', `The change request is ${request.status}: its content cannot change`);
      const head = await this.lines.primary(spaceId);
      if (body.primary !== undefined && body.primary !== head.revisionId)
        await this.conflicts.requirePrimary(spaceId, body.primary);
      if (head.sequence === request.baseSequence) return { revision: request.revisionId, result: 'update' };
      const open = await this.merger.merge(head, request);
      await this.merger.requireSeen(open, head, request, hiddenPages);
      const resolutions = await this.conflicts.resolutionsOf(body, open.outcome.conflicts, head, request);
      const settled = resolutions ? await this.merger.settle(open, resolutions) : open;
      if (settled.outcome.conflicts.length > 0) return { revision: request.revisionId, result: 'conflicts' };
      const revision = await this.commits.toRequest(
        request,
        overlayRows(settled, request.continued === null),
        newDocuments(settled),
        { type: 'update', otherParents: [head.revisionId], keepsReviews: !settles(body) },
        { base: head },
      );
      return { revision, result: 'update' };
    });
  }
}

/**
 * The rows that turn the overlay of a request into what differs from the new primary. `isOverlay` tells that what has changed is the
 * overlay; otherwise some of it is as in the revision that the request stands on.
 */
function overlayRows(
  { sides: { changed, primary }, outcome: { items } }: RequestMerge,
  isOverlay: boolean,
): RowChange[] {
  const rows: RowChange[] = [];
  for (const key of new Set([...changed.keys(), ...items.keys()])) {
    const now = isOverlay ? changed.get(key) : undefined;
    const next = items.get(key);
    if (next === undefined) rows.push({ remove: key });
    else if (next === null) rows.push(...tombstone(key, now, primary));
    else if (!now || !sameItem(now, next)) rows.push({ item: next });
  }
  return rows;
}

function tombstone(key: ItemKey, now: Item | null | undefined, primary: ReadonlyMap<ItemKey, Item>): RowChange[] {
  if (!primary.has(key)) return now === undefined ? [] : [{ remove: key }];
  return now === null ? [] : [{ tombstone: key }];
}
