import { Inject, Injectable } from '@nestjs/common';
import { sourceOfDerived } from '../../../authoring/content/domain/computed/expansion.js';
import {
  itemKey,
  sameValue,
  splitKey,
  type Item,
  type ItemKey,
} from '../../../authoring/content/domain/content-item.js';
import { primaryPoint, type PrimaryHead } from '../../../authoring/content/content-lines.js';
import { ContentStore, NOTHING_HIDDEN, type Point } from '../../../authoring/content/content-store.js';
import type { TranslationEdits } from '../../../authoring/content/translation-edits.js';
import { idsIn, renameIdsIn } from '../../../authoring/interchange/rename-ids.js';
import { SpaceContents } from '../../../authoring/interchange/space-content.js';
import { Database } from '../../../kernel/common/database.js';
import { DomainError } from '../../../kernel/common/errors.js';
import { CONFIG, type Config } from '../../../kernel/platform/config/config.js';
import { WorkerPool } from '../../../kernel/platform/workers/worker-pool.js';
import { CopiedIds } from '../domain/target-items.js';
import { textsOf } from '../item-translator.js';
import { RunRequests } from '../run-requests.js';
import { EDITED_ITEM, type StoredWords } from '../translation-tasks.js';
import type { SegmentPair } from '../domain/edited-item.js';
import { segmentText } from '../domain/segment.js';
import { Corrections, type Correction } from './corrections.js';
import { SegmentRecords } from './segment-records.js';

interface EditedTranslation extends Record<string, unknown> {
  readonly id: string;
  readonly sourceSpaceId: string;
  readonly sourceSequence: number;
}

/** Reads what people write in translated spaces as corrections. */
@Injectable()
export class EditedTranslations implements TranslationEdits {
  constructor(
    private readonly database: Database,
    private readonly store: ContentStore,
    private readonly contents: SpaceContents,
    private readonly corrections: Corrections,
    private readonly records: SegmentRecords,
    private readonly requests: RunRequests,
    private readonly workers: WorkerPool,
    @Inject(CONFIG) private readonly config: Pick<Config, 'translationDelay'>,
  ) {}

  async accept(head: PrimaryHead, items: ReadonlyMap<ItemKey, Item | null>): Promise<void> {
    const translation = await this.lock(head);
    const present = await this.store.byKeys(primaryPoint(head, NOTHING_HIDDEN), items.keys());
    const edited = [...items].map(([key, item]) => requireWordsAlone(present.get(key), item));
    const point = primaryPoint(
      { spaceId: translation.sourceSpaceId, sequence: translation.sourceSequence },
      NOTHING_HIDDEN,
    );
    const sources = await this.sources(head, translation, edited, point);
    const corrections: Correction[] = [];
    const changes: [ItemKey, readonly SegmentPair[]][] = [];
    for (const item of edited) {
      const [before, source] = [present.get(itemKey(item)), sources.get(itemKey(item))];
      if (!before || !source) throw refused(item, 'can be changed here after its next run, which is on its way');
      const read = await this.workers.run(
        EDITED_ITEM,
        {
          source: await this.sourceWords(point, source, head.spaceId),
          before: await this.words(head.spaceId, before),
          edited: await this.words(head.spaceId, item),
        },
        { party: head.organizationId },
      );
      if ('fault' in read) throw refused(item, read.fault);
      corrections.push(...read.changed);
      changes.push([itemKey(source), read.changed]);
      const twice = saidTwice(corrections);
      if (twice) throw refused(item, `would say “${segmentText(twice.source)}” in two ways: say it in one`);
    }
    const place = { organizationId: head.organizationId, translationId: translation.id };
    await this.corrections.put(head.organizationId, translation.id, corrections);
    for (const [key, changed] of changes) if (changed.length > 0) await this.records.offer(place, key, changed);
    if (corrections.length > 0) await this.requests.request([translation.id], this.config.translationDelay);
  }

  private async lock({ organizationId, spaceId }: PrimaryHead): Promise<EditedTranslation> {
    const found = await this.database.one<EditedTranslation>(
      `SELECT t.id, t.source_space_id AS "sourceSpaceId", t.source_sequence::float8 AS "sourceSequence" FROM translation t
        WHERE t.organization_id = $1 AND t.result_space_id = $2 FOR NO KEY UPDATE`,
      [organizationId, spaceId],
    );
    if (!found) throw new DomainError('conflict', 'The space was a translation until now: try again');
    return found;
  }

  /** The items of the source, as the latest run has read them, by the keys of those that are made of them. */
  private async sources(
    { organizationId }: PrimaryHead,
    { id }: EditedTranslation,
    edited: readonly Item[],
    point: Point,
  ): Promise<Map<ItemKey, Item>> {
    const pairs = await this.database.query<{ kind: Item['kind']; source: string; item: string }>(
      `SELECT DISTINCT s.kind, s.source_item_id AS source, s.item_id AS item FROM translation_segment s
        WHERE s.organization_id = $1 AND s.translation_id = $2 AND s.item_id = ANY ($3)`,
      [organizationId, id, edited.map((item) => item.id)],
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

  /** The words of an item of the source, with the references that they have in the translation. */
  private async sourceWords(point: Point, item: Item, resultSpaceId: string): Promise<StoredWords> {
    const { texts, json } = await this.words(point.spaceId, item);
    if (json === undefined) return { texts, json };
    const named = [...idsIn(json)].flatMap((id) => [id, sourceOfDerived(id) ?? id]);
    const kinds = ['page', 'file', 'reusable'] as const;
    const present = await this.store.byKeys(
      point,
      named.flatMap((id) => kinds.map((kind) => itemKey({ kind, id }))),
    );
    const ids = new Set([...present.keys()].map((key) => splitKey(key).id));
    return { texts, json: renameIdsIn(json, new CopiedIds(point.spaceId, resultSpaceId, ids)) };
  }

  private async words(spaceId: string, item: Item): Promise<StoredWords> {
    const documents = await this.contents.documentTexts(spaceId, [item]);
    return {
      texts: [item.title, ...Object.values(textsOf(item))],
      json: item.hash === null ? undefined : documents.get(item.hash),
    };
  }
}

/** The first of these that has another target than one before it. */
function saidTwice(corrections: readonly Correction[]): Correction | undefined {
  const said = new Map<string, string>();
  return corrections.find(({ source, target }) => {
    const [text, now] = [JSON.stringify(source), JSON.stringify(target)];
    const before = said.get(text);
    said.set(text, now);
    return before !== undefined && before !== now;
  });
}

function refused({ title }: Pick<Item, 'title'>, why: string): DomainError {
  return new DomainError('conflict', `The space is a translation, and “${title}” ${why}`);
}

/** The edited item, if nothing else of it has changed but its words. */
function requireWordsAlone(before: Item | undefined, item: Item | null): Item {
  if (!before || !item) {
    const title = item?.title ?? before?.title ?? '';
    throw refused({ title }, 'would come or go: change the source, or delete the translation first');
  }
  const placeOf = ({ kind, parentId, position, type, slug }: Item) => ({ kind, parentId, position, type, slug });
  const otherProps = ({ props: { description, linkTitle, ...props } }: Item) => ({
    ...props,
    texts: [typeof description, typeof linkTitle],
  });
  if (!sameValue(placeOf(before), placeOf(item)) || !sameValue(otherProps(before), otherProps(item)))
    throw refused(before, 'has to keep its place and settings: change those of the source');
  return item;
}
