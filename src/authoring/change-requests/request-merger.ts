import { Injectable } from '@nestjs/common';
import { keyBetween } from '../../kernel/common/order-key.js';
import { DomainError } from '../../kernel/common/errors.js';
import { primaryPoint, requestPoint, type PrimaryHead, type RevisionRow } from '../content/content-lines.js';
import { ContentStore, type Point } from '../content/content-store.js';
import type { NewDocument } from '../content/document-store.js';
import type { Side } from '../content/domain/block-order.js';
import { itemKey, type ItemKey } from '../content/domain/content-item.js';
import { mergeContent, type MergeOutcome } from '../content/domain/merge.js';
import type { RequestHead } from '../content/request-lines.js';
import { DocumentMerger, type MergedDocuments } from './document-merger.js';
import { MergeLoader, type LoadedSides } from './merge-loader.js';
import type { GivenResolutions } from './merge-tasks.js';

/** A merge as it would come out: nothing of it is written. */
export interface RequestMerge {
  readonly sides: LoadedSides;
  readonly documents: MergedDocuments;
  readonly outcome: MergeOutcome;
}

/** Works out what merging a change request with the primary line gives, in both directions the same. */
@Injectable()
export class RequestMerger {
  constructor(
    private readonly loader: MergeLoader,
    private readonly documents: DocumentMerger,
    private readonly store: ContentStore,
  ) {}

  /** Those of some conflicts that are on no page that is hidden. */
  async seen<Item extends { readonly item: string }>(
    conflicts: readonly Item[],
    head: Pick<PrimaryHead, 'spaceId' | 'sequence'>,
    request: RequestHead,
    hiddenPages: readonly string[],
  ): Promise<readonly Item[]> {
    const hidden = await this.hiddenAt(head, request, hiddenPages);
    return conflicts.filter(({ item }) => !hidden.has(item));
  }

  /**
   * Throws `forbidden` where a merge changes pages that are hidden from whoever asks for it, or has a conflict on one: it
   * is for somebody who sees what happens to them.
   */
  async requireSeen(
    { outcome }: RequestMerge,
    head: Pick<PrimaryHead, 'spaceId' | 'sequence'>,
    request: RequestHead,
    hiddenPages: readonly string[],
  ): Promise<void> {
    const hidden = await this.hiddenAt(head, request, hiddenPages);
    if ([...outcome.items.keys(), ...outcome.conflicts.map(({ item }) => item)].some((key) => hidden.has(key)))
      throw new DomainError(
        'forbidden',
        'The change request changes pages that are limited to others: this is for somebody who sees them',
      );
  }

  /** The keys of the pages that are hidden on either side. */
  private async hiddenAt(
    head: Pick<PrimaryHead, 'spaceId' | 'sequence'>,
    request: RequestHead,
    hiddenPages: readonly string[],
  ): Promise<ReadonlySet<string>> {
    const sides = [primaryPoint(head, hiddenPages), requestPoint(request, hiddenPages)];
    const keys = new Set<string>();
    for (const side of sides) for (const id of await this.store.hiddenAt(side)) keys.add(itemKey({ kind: 'page', id }));
    return keys;
  }

  /** The merge of a request with the primary line as it is at `head`; `isStored` is false where only its conflicts are asked for. */
  async merge(
    head: Pick<PrimaryHead, 'spaceId' | 'sequence'>,
    request: RequestHead,
    { isStored = true } = {},
  ): Promise<RequestMerge> {
    const sides = await this.loader.load(head, request);
    const documents = await this.documents.merge(sides, isStored);
    return { sides, documents, outcome: merged(sides, documents) };
  }

  /**
   * The merge that takes back a revision of the primary line from the base of a new request; where others have changed
   * the same since, their changes stay, in `left` places.
   */
  async takeBack(
    request: RequestHead,
    revision: RevisionRow,
  ): Promise<{ readonly merge: RequestMerge; readonly left: number }> {
    const head = { spaceId: request.spaceId, sequence: request.baseSequence };
    const sides = await this.loader.loadBefore(head, revision);
    const documents = await this.documents.merge(sides, true);
    const open = { sides, documents, outcome: merged(sides, documents) };
    const merge = await this.settle(open, { byConflict: new Map(), otherwise: 'primary' });
    return { merge, left: open.outcome.conflicts.length };
  }

  /** The merge that repeats, at a point, the difference of some items between two others, which wins everywhere. */
  async repeat(before: Point, after: Point, keys: readonly ItemKey[], now: Point): Promise<RequestMerge> {
    const sides = await this.loader.loadBetween(before, after, keys, now);
    const documents = await this.documents.merge(sides, true);
    const open = { sides, documents, outcome: merged(sides, documents) };
    return this.settle(open, { byConflict: new Map(), otherwise: 'changed' });
  }

  /** The same merge with conflicts settled. Throws `invalid` with the field of a document that cannot stand there. */
  async settle({ sides, documents: open }: RequestMerge, resolutions: GivenResolutions): Promise<RequestMerge> {
    const documents = await this.documents.settle(sides, open, resolutions);
    return { sides, documents, outcome: merged(sides, documents, resolutions) };
  }
}

/** The documents that a merge made, of items that are still there. */
export function newDocuments({ outcome, documents }: RequestMerge): NewDocument[] {
  return [...outcome.items].flatMap(([key, item]) => (item ? (documents.get(key)?.document ?? []) : []));
}

function merged(sides: LoadedSides, documents: MergedDocuments, resolutions?: GivenResolutions): MergeOutcome {
  if (!resolutions) return mergeContent({ ...sides, documents, keyBetween });
  const byConflict = new Map(
    [...resolutions.byConflict].flatMap(([id, each]): [string, Side][] => ('keep' in each ? [[id, each.keep]] : [])),
  );
  return mergeContent({ ...sides, documents, keyBetween, resolutions: { ...resolutions, byConflict } });
}
