import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError } from '../../kernel/common/errors.js';
import { ContentStore } from '../../authoring/content/content-store.js';
import { DocumentStaging, type DocumentDraft } from '../../authoring/content/document-staging.js';
import { itemKey, type Item, type ItemKey, type ItemProps } from '../../authoring/content/domain/content-item.js';
import { ContentLines, primaryPoint } from '../../authoring/content/content-lines.js';
import { PageRedirects, type GivenRedirect } from '../../authoring/content/page-redirects.js';
import { WorkerPool } from '../../kernel/platform/workers/worker-pool.js';
import { renameIds, renameIdsIn } from '../../authoring/interchange/rename-ids.js';
import { SpaceContents } from '../../authoring/interchange/space-content.js';
import { fingerprint, translationStyleKey } from './domain/memory-key.js';
import type { Segment } from './domain/segment.js';
import { CopiedIds, targetChanges, type TargetText, type Slugs } from './domain/target-items.js';
import { translateText, type TranslateSegment } from './domain/translate-document.js';
import { SegmentTranslator, type Translating } from './segment-translator.js';
import { TranslationMemory } from './translation-memory.js';
import { DOCUMENT_SEGMENTS, TRANSLATED_DOCUMENT } from './translation-tasks.js';

/** Maximum number of documents in memory at once. */
const DOCUMENTS_AT_ONCE = 25;

/** Source and target of a translation, and its settings. */
export interface TranslationOrder extends Translating {
  readonly sourceSpaceId: string;
  readonly resultSpaceId: string;
  readonly language: string;
  readonly slugs: Slugs;
}

/** The key of a translated page or reusable content; null if not all of it could be translated. */
export interface Followed {
  readonly key: ItemKey;
  readonly fingerprint: string | null;
}

/** All pending changes, with their documents stored. */
export interface TranslatedSpace {
  /** Sequences of the source and of the result as read. */
  readonly sourceSequence: number;
  readonly resultSequence: number;
  readonly changes: ReadonlyMap<ItemKey, Item | null>;
  /** The documents that were stored before the changes. */
  readonly hashes: readonly string[];
  readonly followed: readonly Followed[];
  readonly gone: readonly ItemKey[];
  readonly redirects: readonly GivenRedirect[];
  readonly pages: number;
}

/** Translates a space; only changes since the last run cost work. */
@Injectable()
export class SpaceTranslator {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly lines: ContentLines,
    private readonly store: ContentStore,
    private readonly contents: SpaceContents,
    private readonly staging: DocumentStaging,
    private readonly redirects: PageRedirects,
    private readonly memory: TranslationMemory,
    private readonly workers: WorkerPool,
  ) {}

  async translate(order: TranslationOrder): Promise<TranslatedSpace> {
    const source = await this.read(order.sourceSpaceId);
    const result = await this.read(order.resultSpaceId);
    const present = new Map(result.items.map((item) => [itemKey(item), item]));
    const ids = new CopiedIds(
      order.sourceSpaceId,
      order.resultSpaceId,
      new Set(source.items.flatMap(({ kind, id }) => (kind === 'variable' ? [] : [id]))),
    );
    const work = new Work(
      order,
      ids,
      present,
      this.contents,
      this.staging,
      new SegmentTranslator(this.memory, order, this.workers),
      this.workers,
    );
    const known = await this.fingerprints(order.resultSpaceId);
    const speaking = source.items.filter(({ kind }) => kind === 'page' || kind === 'reusable');
    const changed = speaking.filter((item) => !work.keep(item, known.get(itemKey(item))));
    for (let at = 0; at < changed.length; at += DOCUMENTS_AT_ONCE) {
      order.signal.throwIfAborted();
      await work.translate(changed.slice(at, at + DOCUMENTS_AT_ONCE));
    }
    const speakingKeys = new Set(speaking.map(itemKey));
    return {
      sourceSequence: source.sequence,
      resultSequence: result.sequence,
      changes: targetChanges(source.items, {
        ids,
        said: work.said,
        refer: work.refer,
        slugs: order.slugs,
        present,
        now: this.clock.now(),
      }),
      hashes: work.hashes,
      followed: work.followed,
      redirects: renameIds(await this.redirects.given(order.sourceSpaceId), ids),
      gone: [...known.keys()].filter((key) => !speakingKeys.has(key)),
      pages: changed.filter(({ kind }) => kind === 'page').length,
    };
  }

  private async read(spaceId: string): Promise<{ sequence: number; items: Item[] }> {
    const head = await this.lines.primary(spaceId);
    return {
      sequence: head.sequence,
      items: await this.store.ofKinds(primaryPoint(head), ['page', 'file', 'reusable', 'variable']),
    };
  }

  private async fingerprints(spaceId: string): Promise<Map<ItemKey, string>> {
    const rows = await this.database.query<{ kind: Item['kind']; id: string; fingerprint: string }>(
      `SELECT kind, id, encode(fingerprint, 'hex') AS fingerprint FROM translated_item WHERE space_id = $1`,
      [spaceId],
    );
    return new Map(rows.map((row) => [itemKey(row), row.fingerprint]));
  }
}

/** A page or reusable content that is being translated. */
interface Underway {
  readonly item: Item;
  /** Its document as JSON, and the document's segments. */
  readonly json: string | undefined;
  readonly said: readonly Segment[];
  /** These and the segments of its own texts. */
  readonly segments: readonly Segment[];
}

/** One run: the translations of each item so far. */
class Work {
  readonly said = new Map<ItemKey, TargetText>();
  readonly hashes: string[] = [];
  readonly followed: Followed[] = [];
  private readonly manner: string;

  constructor(
    private readonly order: TranslationOrder,
    private readonly ids: CopiedIds,
    private readonly present: ReadonlyMap<ItemKey, Item>,
    private readonly contents: SpaceContents,
    private readonly staging: DocumentStaging,
    private readonly translator: SegmentTranslator,
    private readonly workers: WorkerPool,
  ) {
    this.manner = translationStyleKey(order.manner, order.glossary);
  }

  readonly refer = (props: ItemProps): ItemProps => renameIds(props, this.ids);

  /** Reuses the existing translation of an item if its key is unchanged; false if it has to be translated. */
  keep(item: Item, known: string | undefined): boolean {
    const now = this.present.get(this.targetKey(item));
    if (!now || known === undefined || known !== this.fingerprintOf(item)) return false;
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
      const segments = [...said];
      Object.values({ title: item.title, ...textsOf(item) }).forEach((text) =>
        translateText(text, collecting(segments)),
      );
      underway.push({ item, json, said, segments });
    }
    const { say, isWhole } = await this.translator.speak(underway.flatMap(({ segments }) => segments));
    const hashes = await this.store(underway, say);
    underway.forEach(({ item, segments }, index) => {
      const texts = Object.fromEntries(
        Object.entries(textsOf(item)).map(([name, text]) => [name, translateText(text, say)]),
      );
      this.said.set(itemKey(item), { ...texts, title: translateText(item.title, say), hash: hashes[index] ?? null });
      this.followed.push({ key: itemKey(item), fingerprint: isWhole(segments) ? this.fingerprintOf(item) : null });
    });
  }

  /** Stores the translated documents; returns their hashes, in order. */
  private async store(underway: readonly Underway[], say: TranslateSegment): Promise<(string | null)[]> {
    const drafts: (DocumentDraft & { readonly title: string })[] = [];
    for (const { item, json, said } of underway) {
      if (json === undefined) continue;
      const answers = new Map(said.map((segment) => [JSON.stringify(segment), say(segment)]));
      const translated = await this.workers.run(TRANSLATED_DOCUMENT, { json, answers }, { party: this.order.party });
      drafts.push({
        title: item.title,
        json: renameIdsIn(translated, this.ids),
        previous: this.present.get(this.targetKey(item))?.hash ?? null,
      });
    }
    const staged = await this.staging.stage(this.order.resultSpaceId, this.order.language, drafts);
    const hashes = drafts.map(({ title }, index) => {
      const result = staged[index];
      if (result && 'hash' in result) return result.hash;
      throw new DomainError('invalid', `The translation of “${title}” cannot be stored: ${result?.fault ?? ''}`);
    });
    this.hashes.push(...hashes);
    let next = 0;
    return underway.map(({ json }) => (json === undefined ? null : (hashes[next++] ?? null)));
  }

  private targetKey({ kind, id }: Item): ItemKey {
    return itemKey({ kind, id: this.ids.of(id) });
  }

  private fingerprintOf(item: Item): string {
    return fingerprint(this.manner, [item.title, textsOf(item), item.hash]);
  }
}

/** The texts of an item beside its title and document. */
function textsOf({ props }: Item): { description?: string; linkTitle?: string } {
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
