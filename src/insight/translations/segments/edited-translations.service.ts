import { Injectable } from '@nestjs/common';
import {
  itemKey,
  sameItem,
  sameValue,
  type Item,
  type ItemKey,
} from '../../../authoring/content/domain/content-item.js';
import {
  ContentLines,
  primaryPoint,
  revisionPoint,
  type PrimaryHead,
} from '../../../authoring/content/content-lines.js';
import { ContentStore, NOTHING_HIDDEN, type Point } from '../../../authoring/content/content-store.js';
import { readerNoteOf, withReaderNote } from '../../../authoring/content/domain/reader-note.js';
import type { TranslationEdits } from '../../../authoring/content/translation-edits.js';
import { Database } from '../../../kernel/common/database.js';
import { DomainError } from '../../../kernel/common/errors.js';
import { WorkerPool } from '../../../kernel/platform/workers/worker-pool.js';
import type { SegmentPair } from '../domain/edited-item.js';
import { segmentText } from '../domain/segment.js';
import { ReviewRequests } from '../review/review-requests.js';
import { RunRequests } from '../run-requests.js';
import { EDITED_ITEMS } from '../translation-tasks.js';
import { Corrections } from './corrections.js';
import { SegmentRecords } from './segment-records.js';
import { TranslatedWords } from './translated-words.js';

/** Items whose documents are in memory at once. */
const ITEMS_AT_ONCE = 50;

interface EditedTranslation extends Record<string, unknown> {
  readonly id: string;
  readonly sourceSpaceId: string;
  readonly sourceSequence: number;
  /** The change request of its runs, as the latest of them has written it, and the source as it says that. */
  readonly reviewRequestId: string | null;
  readonly reviewRevisionId: string | null;
  readonly reviewSequence: number | null;
}

/** An item before and after an edit, and that of the source which it is made of. */
interface EditedItem {
  readonly source: Item;
  readonly before: Item;
  readonly item: Item;
}

/** Reads what people write in translated spaces as corrections. */
@Injectable()
export class EditedTranslations implements TranslationEdits {
  constructor(
    private readonly database: Database,
    private readonly store: ContentStore,
    private readonly words: TranslatedWords,
    private readonly corrections: Corrections,
    private readonly records: SegmentRecords,
    private readonly workers: WorkerPool,
    private readonly lines: ContentLines,
    private readonly reviews: ReviewRequests,
    private readonly requests: RunRequests,
  ) {}

  async accept(
    head: PrimaryHead,
    items: ReadonlyMap<ItemKey, Item | null>,
    mergedFrom?: string,
  ): Promise<ReadonlyMap<ItemKey, Item | null>> {
    const translation = await this.lock(head);
    if (mergedFrom !== undefined && mergedFrom === translation.reviewRequestId)
      return this.acceptReviewed(head, translation, items);
    const point = primaryPoint(
      { spaceId: translation.sourceSpaceId, sequence: translation.sourceSequence },
      NOTHING_HIDDEN,
    );
    return this.correct(head, translation, items, { before: primaryPoint(head, NOTHING_HIDDEN), source: point });
  }

  /** All that a run has written is accepted as it is; what people have changed since then are corrections. */
  private async acceptReviewed(
    head: PrimaryHead,
    translation: EditedTranslation,
    items: ReadonlyMap<ItemKey, Item | null>,
  ): Promise<ReadonlyMap<ItemKey, Item | null>> {
    const written = await this.lines.revision(head.spaceId, translation.reviewRevisionId ?? '');
    const before = revisionPoint(head.spaceId, written, NOTHING_HIDDEN);
    const made = await this.store.byKeys(before, items.keys());
    const isAsMade = ([key, item]: [ItemKey, Item | null]): boolean => {
      const now = made.get(key);
      return item && now ? sameItem(item, now) : !item && !now;
    };
    const changed = new Map([...items].filter((each) => !isAsMade(each)));
    const source = primaryPoint(
      { spaceId: translation.sourceSpaceId, sequence: translation.reviewSequence ?? translation.sourceSequence },
      NOTHING_HIDDEN,
    );
    const corrected = await this.correct(head, translation, changed, { before, source });
    await this.reviews.merged(head.organizationId, translation.id);
    // It brings what people have left out or the source says by now.
    await this.requests.request([translation.id]);
    return new Map([...items].map(([key, item]) => [key, corrected.get(key) ?? item]));
  }

  /** Stores what people have said otherwise than before; returns the items as they become part of the revision. */
  private async correct(
    head: PrimaryHead,
    translation: EditedTranslation,
    items: ReadonlyMap<ItemKey, Item | null>,
    { before, source: point }: { readonly before: Point; readonly source: Point },
  ): Promise<ReadonlyMap<ItemKey, Item>> {
    const edited = await this.edited(head, translation, items, { before, source: point });
    const said = new Map<string, string>();
    const changes = new Map<ItemKey, readonly SegmentPair[]>();
    for (let at = 0; at < edited.length; at += ITEMS_AT_ONCE) {
      const batch = edited.slice(at, at + ITEMS_AT_ONCE);
      for (const [index, changed] of (await this.read(head, batch, point)).entries()) {
        const { item, source } = batch[index] as EditedItem;
        const twice = changed.find((pair) => isSaidOtherwise(said, pair));
        if (twice) throw refused(item, `would say “${segmentText(twice.source)}” in two ways: say it in one`);
        if (changed.length > 0) changes.set(itemKey(source), changed);
      }
    }
    const { organizationId } = head;
    await this.corrections.put(organizationId, translation.id, [...changes.values()].flat());
    await this.records.offer({ organizationId, translationId: translation.id }, changes);
    return new Map(edited.map(({ item }) => [itemKey(item), item]));
  }

  private async lock({ organizationId, spaceId }: PrimaryHead): Promise<EditedTranslation> {
    const found = await this.database.one<EditedTranslation>(
      `SELECT t.id, t.source_space_id AS "sourceSpaceId", t.source_sequence::float8 AS "sourceSequence",
          t.review_request_id AS "reviewRequestId", t.review_revision_id AS "reviewRevisionId", t.review_sequence::float8 AS "reviewSequence" FROM translation t
        WHERE t.organization_id = $1 AND t.result_space_id = $2 FOR NO KEY UPDATE`,
      [organizationId, spaceId],
    );
    if (!found) throw new DomainError('conflict', 'The space was a translation until now: try again');
    return found;
  }

  /** The changed items, each with that of the source as the latest run has read it. */
  private async edited(
    head: PrimaryHead,
    { id }: EditedTranslation,
    items: ReadonlyMap<ItemKey, Item | null>,
    { before, source: point }: { readonly before: Point; readonly source: Point },
  ): Promise<EditedItem[]> {
    const present = await this.store.byKeys(before, items.keys());
    const pairs = [...items].map(([key, item]) => requireWordsAlone(present.get(key), item));
    const sources = await this.sources(
      head.organizationId,
      id,
      pairs.map(({ item }) => item),
      point,
    );
    return pairs.map(({ before, item }) => {
      const source = sources.get(itemKey(item));
      if (!source) throw refused(item, 'can be changed here after its next run, which is on its way');
      return { before, item, source };
    });
  }

  /** The items of the source by the keys of those that are made of them. */
  private async sources(
    organizationId: string,
    translationId: string,
    edited: readonly Item[],
    point: Point,
  ): Promise<Map<ItemKey, Item>> {
    const pairs = await this.database.query<{ kind: Item['kind']; source: string; item: string }>(
      `SELECT DISTINCT s.kind, s.source_item_id AS source, s.item_id AS item FROM translation_segment s
        WHERE s.organization_id = $1 AND s.translation_id = $2 AND s.item_id = ANY ($3)`,
      [organizationId, translationId, edited.map((item) => item.id)],
    );
    const items = await this.store.byKeys(
      point,
      pairs.map(({ kind, source }) => itemKey({ kind, id: source })),
    );
    return new Map(
      pairs.flatMap(({ kind, source, item }): [ItemKey, Item][] => {
        const found = items.get(itemKey({ kind, id: source }));
        return found ? [[itemKey({ kind, id: item }), found]] : [];
      }),
    );
  }

  /** The segments of each item that are translated otherwise. */
  private async read(head: PrimaryHead, batch: readonly EditedItem[], point: Point): Promise<readonly SegmentPair[][]> {
    const spaceId = head.spaceId;
    const all = (which: 'source' | 'before' | 'item'): Item[] => batch.map((each) => each[which]);
    const sources = await this.words.ofSource(point, all('source'), spaceId);
    const before = await this.words.of(spaceId, all('before'));
    const edited = await this.words.of(spaceId, all('item'));
    const orders = sources.flatMap((source, index) => {
      const [was, now] = [before[index], edited[index]];
      return was && now ? [{ source, before: was, edited: now }] : [];
    });
    const read = await this.workers.run(EDITED_ITEMS, orders, { party: head.organizationId });
    return read.map((one, index) => {
      if ('fault' in one) throw refused((batch[index] as EditedItem).item, one.fault);
      return [...one.changed];
    });
  }
}

/** Tells whether a text was given another translation before; notes this one. */
function isSaidOtherwise(said: Map<string, string>, { source, target }: SegmentPair): boolean {
  const [text, now] = [JSON.stringify(source), JSON.stringify(target)];
  const before = said.get(text);
  said.set(text, now);
  return before !== undefined && before !== now;
}

function refused({ title }: Pick<Item, 'title'>, why: string): DomainError {
  return new DomainError('conflict', `The space is a translation, and “${title}” ${why}`);
}

/** The item before and after, if nothing else of it has changed but its words: notes for readers stay as they are. */
function requireWordsAlone(before: Item | undefined, item: Item | null): { before: Item; item: Item } {
  if (!before || !item) {
    const title = item?.title ?? before?.title ?? '';
    throw refused({ title }, 'would come or go: change the source, or delete the translation first');
  }
  const placeOf = ({ kind, parentId, position, type, slug }: Item) => ({ kind, parentId, position, type, slug });
  const otherProps = ({ props: { description, linkTitle, readerNote: _note, ...props } }: Item) => ({
    ...props,
    texts: [typeof description, typeof linkTitle],
  });
  if (!sameValue(placeOf(before), placeOf(item)) || !sameValue(otherProps(before), otherProps(item)))
    throw refused(before, 'has to keep its place and settings: change those of the source');
  return { before, item: { ...item, props: withReaderNote(item.props, readerNoteOf(before.props)) } };
}
