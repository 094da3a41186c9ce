import { Injectable } from '@nestjs/common';
import { Commits } from '../content/commits.js';
import { Database } from '../../kernel/common/database.js';
import { ContentLines, primaryPoint, requestPoint, revisionPoint, type RevisionRow } from '../content/content-lines.js';
import { ContentStore, NOTHING_HIDDEN, type Point, type RowChange } from '../content/content-store.js';
import { sameItem, type Item, type ItemKey } from '../content/domain/content-item.js';
import type { RequestHead } from '../content/request-lines.js';
import { ChangeRequest } from './change-request.entity.js';
import { newDocuments, RequestMerger, type RequestMerge } from './request-merger.js';

type Overlay = ReadonlyMap<ItemKey, Item | null>;

/** Writes new content of change requests that follow something outside, and keeps what people have changed in them. */
@Injectable()
export class RequestRewrites {
  constructor(
    private readonly database: Database,
    private readonly lines: ContentLines,
    private readonly store: ContentStore,
    private readonly merger: RequestMerger,
    private readonly commits: Commits,
  ) {}

  /**
   * Runs `write`, which makes a change request say something new, as if nobody had changed it since its revision `since`, and
   * then repeats what people have changed; where both have changed the same, theirs stays. Must run in a transaction.
   */
  async write<Result>(
    spaceId: string,
    id: string,
    since: string | undefined,
    write: () => Promise<Result>,
  ): Promise<Result> {
    const head = await this.lines.lockRequest(spaceId, id);
    if (since === undefined || head.revisionId === since) return write();
    const then = await this.lines.revision(spaceId, since);
    const before = requestPoint({ ...head, sequence: then.sequence, baseSequence: then.baseSequence }, NOTHING_HIDDEN);
    const after = requestPoint(head, NOTHING_HIDDEN);
    const [was, is] = [await this.store.overlay(before), await this.store.overlay(after)];
    const keys = differing(was, is);
    const base = { revisionId: then.baseRevisionId ?? head.baseRevisionId, sequence: then.baseSequence };
    await this.commits.toRequest(head, keys.map(rowIn(was)), [], { type: 'edits' }, { base });
    const result = await write();
    await this.repeat(revisionPoint(spaceId, then, NOTHING_HIDDEN), after, keys, spaceId, id);
    return result;
  }

  /**
   * Lets a new change request go on from a revision of a merged one: it says the same then, and what is merged of it is the difference
   * to that. Must run in a transaction.
   */
  async continue(spaceId: string, id: string, revision: RevisionRow): Promise<void> {
    const head = await this.lines.lockRequest(spaceId, id);
    const was = await this.store.overlay(revisionPoint(spaceId, revision, NOTHING_HIDDEN));
    await this.database.of(ChangeRequest).update({ id }, { continuedRevisionId: revision.id });
    const facts = { type: 'edits', otherParents: [revision.id] } as const;
    await this.commits.toRequest(head, [...was.keys()].map(rowIn(was)), [], facts);
  }

  /** Repeats what is different in some items between two states on the head of a change request. */
  private async repeat(
    before: Point,
    after: Point,
    keys: readonly ItemKey[],
    spaceId: string,
    id: string,
  ): Promise<void> {
    const now = await this.lines.lockRequest(spaceId, id);
    const merge = await this.merger.repeat(before, after, keys, requestPoint(now, NOTHING_HIDDEN));
    const rows = await this.rowsOf(merge, now);
    if (rows.length > 0) await this.commits.toRequest(now, rows, newDocuments(merge), { type: 'edits' });
  }

  /** The rows of a request with what a merge gives; what is deleted there leaves a mark where the primary line has it. */
  private async rowsOf({ outcome: { items } }: RequestMerge, now: RequestHead): Promise<RowChange[]> {
    const base = primaryPoint({ spaceId: now.spaceId, sequence: now.baseSequence }, NOTHING_HIDDEN);
    const deleted = [...items].flatMap(([key, item]) => (item ? [] : [key]));
    const known = await this.store.byKeys(base, deleted);
    return [...items].map(([key, item]): RowChange => {
      if (item) return { item };
      return known.has(key) ? { tombstone: key } : { remove: key };
    });
  }
}

function differing(was: Overlay, is: Overlay): ItemKey[] {
  return [...new Set([...was.keys(), ...is.keys()])].filter((key) => {
    const [before, after] = [was.get(key), is.get(key)];
    return before && after ? !sameItem(before, after) : before !== after;
  });
}

function rowIn(overlay: Overlay): (key: ItemKey) => RowChange {
  return (key) => {
    const item = overlay.get(key);
    if (item === undefined) return { remove: key };
    return item ? { item } : { tombstone: key };
  };
}
