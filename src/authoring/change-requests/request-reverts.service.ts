import { Injectable } from '@nestjs/common';
import type { Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError } from '../../kernel/common/errors.js';
import { document, leaf, paragraph, text } from '../../formats/document/build.js';
import { normalizeDocument } from '../../formats/document/normalize-document.js';
import { Commits } from '../content/commits.js';
import { ContentLines } from '../content/content-lines.js';
import type { RowChange } from '../content/content-store.js';
import type { ChangeRequestRow } from './change-request.schema.js';
import { ChangeRequest } from './change-request.entity.js';
import { ChangeRequestStore } from './change-request-store.js';
import { ChangeRequests } from './change-requests.service.js';
import { newDocuments, RequestMerger, type RequestMerge } from './request-merger.js';

const MAX_SUBJECT = 100;

/** Takes back merged change requests with new ones. */
@Injectable()
export class RequestReverts {
  constructor(
    private readonly database: Database,
    private readonly lines: ContentLines,
    private readonly requests: ChangeRequests,
    private readonly store: ChangeRequestStore,
    private readonly merger: RequestMerger,
    private readonly commits: Commits,
  ) {}

  /**
   * Opens a draft on the head of the primary line, without what the merge of a request changed as far as nobody has
   * changed it since. Throws `conflict` for a request that is not merged, or of which nothing is left.
   */
  async revert(caller: Caller, spaceId: string, idOrNumber: string): Promise<ChangeRequestRow> {
    const merged = await this.store.get(spaceId, idOrNumber);
    if (merged.mergedRevisionId === null)
      throw new DomainError('conflict', 'Only a merged change request can be taken back');
    const revision = await this.lines.revision(spaceId, merged.mergedRevisionId);
    const id = await this.database.transaction(async () => {
      const subject = [...`Revert #${merged.number}: ${merged.subject}`].slice(0, MAX_SUBJECT).join('');
      const made = await this.requests.create(caller, spaceId, { subject });
      const head = await this.lines.lockRequest(spaceId, made.id);
      const { merge, left } = await this.merger.takeBack(head, revision);
      if (merge.outcome.items.size === 0)
        throw new DomainError('conflict', 'Nothing that the change request changed is left to take back');
      await this.commits.toRequest(head, overlayRows(merge), newDocuments(merge), { type: 'edits' });
      await this.database
        .of(ChangeRequest)
        .update({ id: made.id }, { description: descriptionOf(merged.number, left) });
      return made.id;
    });
    return this.store.get(spaceId, id);
  }
}

/** The rows of a request on the head of the primary line, with which the merge was made. */
function overlayRows({ outcome: { items } }: RequestMerge): RowChange[] {
  return [...items].map(([key, item]): RowChange => (item ? { item } : { tombstone: key }));
}

function descriptionOf(number: number, left: number): object {
  const stays =
    left === 0 ? '' : ` What has been changed since stays as it is: ${left} ${left === 1 ? 'place' : 'places'}.`;
  return normalizeDocument(document([paragraph(text(leaf(`Takes back change request #${number}.${stays}`)))]));
}
