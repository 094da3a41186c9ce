import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { ContentStore, NOTHING_HIDDEN } from '../../authoring/content/content-store.js';
import { itemKey, type Item, type ItemKey } from '../../authoring/content/domain/content-item.js';
import { ContentLines, primaryPoint } from '../../authoring/content/content-lines.js';
import { PageRedirects, type GivenRedirect } from '../../authoring/content/page-redirects.js';
import { renameIds } from '../../authoring/interchange/rename-ids.js';
import { CopiedIds, targetChanges } from './domain/target-items.js';
import { ItemTranslator, type TranslationOrder } from './item-translator.js';
import { CorrectedItems, type PublishedItem } from './segments/corrected-items.js';
import { SegmentRecords } from './segments/segment-records.js';
import { TranslatedItems, type Followed } from './translated-items.js';

/** Maximum number of documents in memory at once. */
const DOCUMENTS_AT_ONCE = 25;

/** Everything that is to be written, with its documents stored. */
export interface TranslatedSpace {
  /** The sequence of the source as read. */
  readonly sourceSequence: number;
  /** The revision of the source that was read. */
  readonly sourceRevision: string;
  readonly changes: ReadonlyMap<ItemKey, Item | null>;
  /** The documents that were stored before the changes. */
  readonly hashes: readonly string[];
  readonly followed: readonly Followed[];
  readonly gone: readonly ItemKey[];
  readonly redirects: readonly GivenRedirect[];
  /** The corrections of people, as the result has them. */
  readonly corrected: readonly PublishedItem[];
  /** Why items stay as they are. */
  readonly faults: readonly string[];
  readonly pages: number;
}

/** Translates a space; only changes since the last run cost work. */
@Injectable()
export class SpaceTranslator {
  constructor(
    private readonly clock: Clock,
    private readonly lines: ContentLines,
    private readonly store: ContentStore,
    private readonly redirects: PageRedirects,
    private readonly translated: TranslatedItems,
    private readonly segments: SegmentRecords,
    private readonly translator: ItemTranslator,
    private readonly corrected: CorrectedItems,
  ) {}

  async translate(order: TranslationOrder): Promise<TranslatedSpace> {
    const source = await this.read(order.sourceSpaceId);
    const result = await this.read(order.resultSpaceId);
    const present = new Map(result.items.map((item) => [itemKey(item), item]));
    const ids = new CopiedIds(
      order.sourceSpaceId,
      order.resultSpaceId,
      new Set(source.items.flatMap(({ kind, id }) => (kind === 'variable' || kind === 'tag' ? [] : [id]))),
    );
    const { resultSpaceId, party: organizationId, translationId } = order;
    const recorded = await this.segments.known({ organizationId, translationId, resultSpaceId });
    const work = this.translator.begin(order, ids, {
      items: present,
      isStale: (key) => recorded.get(key) === true,
    });
    const known = await this.translated.fingerprints(order.resultSpaceId);
    const speaking = source.items.filter(({ kind }) => kind === 'page' || kind === 'reusable');
    const changed = speaking.filter((item) => !work.keep(item, known.get(itemKey(item))));
    for (let at = 0; at < changed.length; at += DOCUMENTS_AT_ONCE) {
      order.signal.throwIfAborted();
      await work.translate(changed.slice(at, at + DOCUMENTS_AT_ONCE));
    }
    const { readerNote } = order;
    const noted = await this.corrected.readerNotes({ organizationId, id: translationId, readerNote });
    const speakingKeys = new Set(speaking.map(itemKey));
    return {
      sourceSequence: source.sequence,
      sourceRevision: source.revisionId,
      changes: targetChanges(source.items, {
        ids,
        said: work.said,
        refer: work.refer,
        slugs: order.slugs,
        notes: new Map(noted.map(({ sourceItemId, note }) => [sourceItemId, note])),
        present,
        now: this.clock.now(),
      }),
      hashes: work.hashes,
      followed: work.followed,
      corrected: work.corrected,
      faults: work.faults,
      redirects: renameIds(await this.redirects.given(order.sourceSpaceId), ids),
      gone: [...new Set([...known.keys(), ...recorded.keys()])].filter((key) => !speakingKeys.has(key)),
      pages: changed.filter(({ kind }) => kind === 'page').length,
    };
  }

  private async read(spaceId: string): Promise<{ sequence: number; revisionId: string; items: Item[] }> {
    const head = await this.lines.primary(spaceId);
    return {
      sequence: head.sequence,
      revisionId: head.revisionId,
      items: await this.store.ofKinds(primaryPoint(head, NOTHING_HIDDEN), [
        'page',
        'file',
        'reusable',
        'variable',
        'tag',
      ]),
    };
  }
}
