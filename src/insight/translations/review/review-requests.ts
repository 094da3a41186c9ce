import { Injectable } from '@nestjs/common';
import { RequestRewrites } from '../../../authoring/change-requests/request-rewrites.js';
import { ServiceRequests } from '../../../authoring/change-requests/service-requests.js';
import { Commits } from '../../../authoring/content/commits.js';
import {
  ContentLines,
  requestPoint,
  revisionPoint,
  type PrimaryHead,
  type RevisionRow,
} from '../../../authoring/content/content-lines.js';
import { ContentStore, NOTHING_HIDDEN, type RowChange } from '../../../authoring/content/content-store.js';
import { sameItem, type Item, type ItemKey } from '../../../authoring/content/domain/content-item.js';
import { isActive } from '../../../authoring/content/domain/request-status.js';
import type { RequestHead } from '../../../authoring/content/request-lines.js';
import { Clock } from '../../../kernel/common/clock.js';
import { Database } from '../../../kernel/common/database.js';
import type { HeldRun } from '../translation-runs.js';

const SUBJECT = 'Translation of what has changed';

/** The result of a run as far as people are to review it. */
export interface ReviewedResult {
  readonly sourceSequence: number;
  readonly sourceRevision: string;
  readonly changes: ReadonlyMap<ItemKey, Item | null>;
}

/** A change request as it says what a run has made. */
export interface WrittenReview {
  readonly id: string;
  readonly revisionId: string;
}

type Overlay = ReadonlyMap<ItemKey, Item | null>;

/** Writes what runs have made into change requests of the spaces with the results, for people to review and merge. */
@Injectable()
export class ReviewRequests {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly lines: ContentLines,
    private readonly store: ContentStore,
    private readonly commits: Commits,
    private readonly requests: ServiceRequests,
    private readonly rewrites: RequestRewrites,
  ) {}

  /**
   * Makes the change request of a translation say what a run has made, and opens one if there is none; what people have changed in it
   * stays. Where they have archived it, the same is not offered again. Must run under the locks of the primary line and of the
   * translation; undefined where nothing is to be reviewed.
   */
  async write(
    primary: PrimaryHead,
    translation: Pick<HeldRun, 'id' | 'createdBy' | 'reviewRequestId' | 'reviewRevisionId'>,
    result: ReviewedResult,
  ): Promise<WrittenReview | undefined> {
    const { spaceId } = primary;
    const { before, since } = await this.present(spaceId, translation);
    const saysSame = since !== undefined && (await this.says(since, spaceId, result.changes));
    if (before && !isActive(before.status) && saysSame) return undefined;
    const open = before && since && isActive(before.status) ? before : undefined;
    if (!open && result.changes.size === 0) return undefined;
    const id = open?.id ?? (await this.requests.open(translation.createdBy, spaceId, SUBJECT));
    let revisionId = open && since ? since.id : '';
    // A run with nothing new does not write the changes of people once more.
    if (!open || since?.baseSequence !== primary.sequence || !saysSame)
      await this.rewrites.write(spaceId, id, open && since?.id, async () => {
        revisionId = await this.rewrite(primary, id, result);
      });
    const now = await this.lines.lockRequest(spaceId, id);
    const isEmpty = (await this.store.overlay(requestPoint(now, NOTHING_HIDDEN))).size === 0;
    if (isEmpty) await this.requests.archive(now);
    // People have left all of it out: an archived one, which is not offered again.
    const isKept = !isEmpty || result.changes.size > 0;
    await this.note(
      primary.organizationId,
      translation.id,
      isKept ? { id, revisionId, sequence: result.sourceSequence } : undefined,
    );
    return isEmpty ? undefined : { id, revisionId };
  }

  /** Notes that the content of the change request is in the space. Requires the transaction of its merge. */
  async merged(organizationId: string, translationId: string): Promise<void> {
    await this.database.execute(
      `UPDATE translation SET source_sequence = greatest(source_sequence, review_sequence), review_request_id = NULL, review_revision_id = NULL, review_sequence = NULL, updated_at = $3
        WHERE organization_id = $1 AND id = $2`,
      [organizationId, translationId, this.clock.now()],
    );
  }

  /** The change request, if there still is one, and what the latest run has written there. */
  private async present(
    spaceId: string,
    { reviewRequestId: id, reviewRevisionId }: Pick<HeldRun, 'reviewRequestId' | 'reviewRevisionId'>,
  ): Promise<{ readonly before?: RequestHead; readonly since?: RevisionRow | undefined }> {
    if (id === null || !(await this.lines.requestRevisions([id])).has(id)) return {};
    const before = await this.lines.lockRequest(spaceId, id);
    const since = await this.lines.findRevision(spaceId, reviewRevisionId ?? '');
    return { before, since: since?.line === before.id ? since : undefined };
  }

  private async says(revision: RevisionRow, spaceId: string, changes: Overlay): Promise<boolean> {
    const overlay = await this.store.overlay(revisionPoint(spaceId, revision, NOTHING_HIDDEN));
    return rowsBetween(overlay, changes).length === 0;
  }

  /** Makes a change request that nobody has changed differ from the primary line by these changes alone. */
  private async rewrite(
    primary: PrimaryHead,
    id: string,
    { changes, sourceRevision }: ReviewedResult,
  ): Promise<string> {
    const head = await this.lines.lockRequest(primary.spaceId, id);
    const overlay = await this.store.overlay(requestPoint(head, NOTHING_HIDDEN));
    const rows = rowsBetween(overlay, changes);
    const isMoved = head.baseSequence !== primary.sequence;
    if (rows.length === 0 && !isMoved) return head.revisionId;
    const facts = {
      ...({ type: 'computed', sourceRevision, keepsReviews: rows.length === 0 } as const),
      ...(isMoved && { otherParents: [primary.revisionId] }),
    };
    return this.commits.toRequest(head, rows, [], facts, isMoved ? { base: primary } : {});
  }

  private async note(
    organizationId: string,
    translationId: string,
    review: (WrittenReview & { readonly sequence: number }) | undefined,
  ): Promise<void> {
    await this.database.execute(
      'UPDATE translation SET review_request_id = $3, review_revision_id = $4, review_sequence = $5 WHERE organization_id = $1 AND id = $2',
      [organizationId, translationId, review?.id ?? null, review?.revisionId ?? null, review?.sequence ?? null],
    );
  }
}

/** The rows that turn an overlay into these changes. */
function rowsBetween(overlay: Overlay, changes: Overlay): RowChange[] {
  const gone = [...overlay.keys()].filter((key) => !changes.has(key)).map((key): RowChange => ({ remove: key }));
  const made = [...changes].flatMap(([key, item]): RowChange[] => {
    const now = overlay.get(key);
    if (item === null) return now === null ? [] : [{ tombstone: key }];
    return now && sameItem(now, item) ? [] : [{ item }];
  });
  return [...gone, ...made];
}
