import { Injectable } from '@nestjs/common';
import { DomainError } from '../../kernel/common/errors.js';
import { DocumentStaging, type DocumentDraft } from '../../authoring/content/document-staging.js';
import { itemKey, type Item, type ItemKey, type ItemProps } from '../../authoring/content/domain/content-item.js';
import { WorkerPool } from '../../kernel/platform/workers/worker-pool.js';
import { renameIds, renameIdsIn } from '../../authoring/interchange/rename-ids.js';
import { SpaceContents } from '../../authoring/interchange/space-content.js';
import { fingerprint, segmentDigest, translationStyleKey } from './domain/memory-key.js';
import type { Segment } from './domain/segment.js';
import type { CopiedIds, Slugs, TargetText } from './domain/target-items.js';
import { translateText, type TranslateSegment } from './domain/translate-document.js';
import { SegmentTranslator, type Spoken, type Translating } from './segment-translator.js';
import type { Followed } from './translated-items.js';
import type { PublishedItem } from './segments/corrected-items.js';
import { Corrections } from './segments/corrections.js';
import { SegmentRecords } from './segments/segment-records.js';
import { TranslationMemory } from './translation-memory.js';
import { DOCUMENT_SEGMENTS, TRANSLATED_DOCUMENT } from './translation-tasks.js';

/** Which space is translated into which, and how. */
export interface TranslationOrder extends Translating {
  readonly sourceSpaceId: string;
  readonly resultSpaceId: string;
  readonly language: string;
  readonly slugs: Slugs;
  /** Readers are told which pages nobody has reviewed. */
  readonly readerNote: boolean;
}

/** The space with the result before a run. */
export interface PresentResult {
  readonly items: ReadonlyMap<ItemKey, Item>;
  /** Tells whether what is made of an item of the source does not say yet what people have said. */
  readonly isStale: (key: ItemKey) => boolean;
}

/** Translates the texts and documents of pages and reusable contents, and stores the documents ahead. */
@Injectable()
export class ItemTranslator {
  constructor(
    private readonly contents: SpaceContents,
    private readonly staging: DocumentStaging,
    private readonly memory: TranslationMemory,
    private readonly corrections: Corrections,
    private readonly segments: SegmentRecords,
    private readonly workers: WorkerPool,
  ) {}

  /** Begins a run. */
  begin(order: TranslationOrder, ids: CopiedIds, result: PresentResult): TranslationWork {
    return new TranslationWork(
      order,
      ids,
      result,
      this.contents,
      this.staging,
      this.segments,
      new SegmentTranslator(this.memory, this.corrections, order, this.workers),
      this.workers,
    );
  }
}

/** A page or reusable content on its way into the other language. */
interface Underway {
  readonly item: Item;
  /** Its document as JSON, and the segments of that. */
  readonly json: string | undefined;
  readonly said: readonly Segment[];
  /** Those of its own texts. */
  readonly texts: readonly Segment[];
  readonly segments: readonly Segment[];
}

/** One run: what is said of each item so far. */
class TranslationWork {
  readonly said = new Map<ItemKey, TargetText>();
  readonly hashes: string[] = [];
  readonly followed: Followed[] = [];
  /** The corrections of people, as the items have them now. */
  readonly corrected: PublishedItem[] = [];
  /** Why items stay as they are: their translations cannot be stored. */
  readonly faults: string[] = [];
  private readonly manner: string;

  constructor(
    private readonly order: TranslationOrder,
    private readonly ids: CopiedIds,
    private readonly result: PresentResult,
    private readonly contents: SpaceContents,
    private readonly staging: DocumentStaging,
    private readonly records: SegmentRecords,
    private readonly translator: SegmentTranslator,
    private readonly workers: WorkerPool,
  ) {
    this.manner = translationStyleKey(order.manner, order.glossary);
  }

  readonly refer = (props: ItemProps): ItemProps => renameIds(props, this.ids);

  /** Takes what the result has of an item already where that follows from the same; false where it has to be translated. */
  keep(item: Item, known: string | undefined): boolean {
    const now = this.result.items.get(this.targetKey(item));
    if (!now || known === undefined || known !== this.fingerprintOf(item)) return false;
    if (this.result.isStale(itemKey(item))) return false;
    this.said.set(itemKey(item), { title: now.title, ...textsOf(now), hash: now.hash });
    return true;
  }

  async translate(items: readonly Item[]): Promise<void> {
    const documents = await this.contents.documentTexts(this.order.sourceSpaceId, items);
    const underway: Underway[] = [];
    for (const item of items) {
      const json = item.hash === null ? undefined : documents.get(item.hash);
      const said =
        json === undefined ? [] : await this.workers.run(DOCUMENT_SEGMENTS, json, { party: this.order.party });
      const texts: Segment[] = [];
      Object.values({ title: item.title, ...textsOf(item) }).forEach((text) => translateText(text, collecting(texts)));
      underway.push({ item, json, said, texts, segments: [...said, ...texts] });
    }
    const spoken = await this.translator.speak(underway.flatMap(({ segments }) => segments));
    const { say, isWhole } = spoken;
    await this.record(underway, spoken);
    const stored = await this.store(underway, say);
    underway.forEach(({ item, segments }, index) => {
      const hash = stored[index] ?? null;
      if (typeof hash === 'object' && hash !== null) return this.leave(item, hash.fault);
      const texts = Object.fromEntries(
        Object.entries(textsOf(item)).map(([name, text]) => [name, translateText(text, say)]),
      );
      this.said.set(itemKey(item), { ...texts, title: translateText(item.title, say), hash });
      this.followed.push({ key: itemKey(item), fingerprint: isWhole(segments) ? this.fingerprintOf(item) : null });
      const said = segments
        .filter(spoken.isCorrected)
        .map((segment) => ({ digest: segmentDigest(segment), target: say(segment) }));
      if (said.length > 0) this.corrected.push({ kind: item.kind, sourceItemId: item.id, said });
    });
  }

  /** An item whose translation cannot be stored stays as it is; one that the result does not have yet ends the run. */
  private leave(item: Item, fault: string): void {
    const now = this.result.items.get(this.targetKey(item));
    const message = unstorable(now?.title ?? item.title, fault);
    if (!now) throw new DomainError('invalid', message);
    this.said.set(itemKey(item), { title: now.title, ...textsOf(now), hash: now.hash });
    this.followed.push({ key: itemKey(item), fingerprint: null });
    this.faults.push(message);
  }

  /** Stores what each item consists of. */
  private async record(underway: readonly Underway[], { say, isCorrected, isWhole }: Spoken): Promise<void> {
    const { party, translationId, resultSpaceId } = this.order;
    await this.records.replace(
      { organizationId: party, translationId, resultSpaceId },
      underway.map(({ item, texts, said }) => ({
        kind: item.kind,
        sourceItemId: item.id,
        itemId: this.ids.of(item.id),
        segments: [...new Map([...texts, ...said].map((segment) => [JSON.stringify(segment), segment])).values()].map(
          (source) => ({
            source,
            target: say(source),
            isCorrected: isCorrected(source),
            isUntranslated: !isWhole([source]),
          }),
        ),
      })),
      this.order.signal,
    );
  }

  /** Stores the documents in the other language; gives their hashes, in order, or why they cannot be stored. */
  private async store(
    underway: readonly Underway[],
    say: Spoken['say'],
  ): Promise<(string | { readonly fault: string } | null)[]> {
    const drafts: DocumentDraft[] = [];
    for (const { item, json, said } of underway) {
      if (json === undefined) continue;
      const answers = new Map(said.map((segment) => [JSON.stringify(segment), say(segment)]));
      const translated = await this.workers.run(TRANSLATED_DOCUMENT, { json, answers }, { party: this.order.party });
      drafts.push({
        json: renameIdsIn(translated, this.ids),
        previous: this.result.items.get(this.targetKey(item))?.hash ?? null,
      });
    }
    const staged = await this.staging.stage(this.order.resultSpaceId, this.order.language, drafts);
    this.hashes.push(...staged.flatMap((each) => ('hash' in each ? each.hash : [])));
    let next = 0;
    return underway.map(({ json }) => {
      const result = json === undefined ? undefined : staged[next++];
      return result && 'hash' in result ? result.hash : (result ?? null);
    });
  }

  private targetKey({ kind, id }: Item): ItemKey {
    return itemKey({ kind, id: this.ids.of(id) });
  }

  private fingerprintOf(item: Item): string {
    return fingerprint(this.manner, [item.title, textsOf(item), item.hash]);
  }
}

/** Says that an item cannot be stored in the other language. */
export function unstorable(title: string, fault: string): string {
  return `The translation of “${title}” cannot be stored: ${fault}`;
}

/** The texts of an item beside its title and document. */
export function textsOf({ props }: Item): { description?: string; linkTitle?: string } {
  const { description, linkTitle } = props;
  return {
    ...(typeof description === 'string' && { description }),
    ...(typeof linkTitle === 'string' && { linkTitle }),
  };
}

function collecting(segments: Segment[]): TranslateSegment {
  return (segment) => {
    segments.push(segment);
    return segment;
  };
}
