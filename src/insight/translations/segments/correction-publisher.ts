import { Injectable } from '@nestjs/common';
import { Commits } from '../../../authoring/content/commits.js';
import { ContentLines, primaryPoint } from '../../../authoring/content/content-lines.js';
import { ContentStore, NOTHING_HIDDEN } from '../../../authoring/content/content-store.js';
import { DocumentStaging } from '../../../authoring/content/document-staging.js';
import { itemKey, sameItem, type Item, type ItemKey } from '../../../authoring/content/domain/content-item.js';
import { withReaderNote } from '../../../authoring/content/domain/reader-note.js';
import { Clock } from '../../../kernel/common/clock.js';
import { Database } from '../../../kernel/common/database.js';
import { TaskLimitExceeded, WorkerPool } from '../../../kernel/platform/workers/worker-pool.js';
import { textsOf, unstorable } from '../item-translator.js';
import { CORRECTED_WORDS, type StoredWords } from '../translation-tasks.js';
import { CorrectedItems, type CorrectedItem, type CorrectedTranslation } from './corrected-items.js';
import { TranslatedWords } from './translated-words.js';

/** Items whose documents are in memory at once, and that one revision changes. */
const ITEMS_AT_ONCE = 50;

/** What was done with the corrections of some items. */
interface Published {
  /** Items that cannot be corrected as they are: a run has to translate them. */
  readonly needsRun: boolean;
  /** Items that somebody has changed meanwhile: they have to be read again. */
  readonly isOvertaken: boolean;
}

/** An item as it is now, and as it will be. */
interface Change {
  readonly corrected: CorrectedItem;
  readonly before: Item;
  readonly after: Item;
}

/** Writes what people have said for texts onto the pages of translations, which needs no engine. */
@Injectable()
export class CorrectionPublisher {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly items: CorrectedItems,
    private readonly lines: ContentLines,
    private readonly store: ContentStore,
    private readonly words: TranslatedWords,
    private readonly staging: DocumentStaging,
    private readonly commits: Commits,
    private readonly workers: WorkerPool,
  ) {}

  /** Throws where people change the same pages all the time, for a later attempt. */
  async publish(translationId: string, signal: AbortSignal): Promise<{ readonly needsRun: boolean }> {
    let needsRun = false;
    let isOvertaken = false;
    for (let after: ItemKey | undefined; ;) {
      signal.throwIfAborted();
      const translation = await this.items.translation(translationId);
      const batch = translation ? await this.items.next(translation, after, ITEMS_AT_ONCE) : [];
      const last = batch.at(-1);
      if (!translation || !last) break;
      after = keyOfSource(last);
      const done = await this.correct(translation, batch);
      needsRun ||= done.needsRun;
      isOvertaken ||= done.isOvertaken;
    }
    if (isOvertaken) throw new Error('pages of a translation were changed while they were corrected');
    return { needsRun };
  }

  private async correct(translation: CorrectedTranslation, batch: readonly CorrectedItem[]): Promise<Published> {
    const { resultSpaceId: spaceId } = translation;
    const { changes, faults } = await this.changes(translation, batch);
    const overtaken = await this.database.transaction(async () => {
      const head = await this.lines.lockPrimary(spaceId);
      const held = await this.items.hold(translation.organizationId, spaceId);
      // Deleted meanwhile: the space is an ordinary one, which has its own words and no notes.
      if (held?.id !== translation.id) return 0;
      const now = await this.store.byKeys(
        primaryPoint(head, NOTHING_HIDDEN),
        changes.map(({ before }) => itemKey(before)),
      );
      const current = changes.filter(({ before }) => {
        const item = now.get(itemKey(before));
        return item !== undefined && sameItem(item, before);
      });
      const noted = await this.noted(held, current);
      const changed = noted.filter(({ before, after }) => !sameItem(before, after));
      const hashes = changed.flatMap(({ after }) => after.hash ?? []);
      if (!(await this.staging.claim(spaceId, hashes)))
        throw new Error('what was corrected cannot be written any more');
      if (changed.length > 0)
        await this.commits.toPrimary(
          head,
          { items: new Map(changed.map(({ after }) => [itemKey(after), after])), documents: [] },
          { type: 'edits', translated: true },
        );
      await this.items.publish(
        translation,
        current.map(({ corrected }) => corrected),
      );
      // A run would fail to store them as well.
      if (faults.length > 0) await this.items.tell(translation, faults);
      return changes.length - current.length;
    });
    const hasNewTitles =
      translation.slugs === 'translate' && changes.some(({ before, after }) => before.title !== after.title);
    return { needsRun: changes.length + faults.length < batch.length || hasNewTitles, isOvertaken: overtaken > 0 };
  }

  /** The changes with the notes for readers as they are after them. */
  private async noted(translation: CorrectedTranslation, changes: readonly Change[]): Promise<Change[]> {
    const sources = changes.map(({ corrected }) => corrected.sourceItemId);
    const rows = await this.items.readerNotes(translation, { sources });
    const notes = new Map(rows.map(({ sourceItemId, note }) => [sourceItemId, note]));
    return changes.map((change) => {
      const { corrected, after } = change;
      const note = corrected.kind === 'page' ? notes.get(corrected.sourceItemId) : undefined;
      return { ...change, after: { ...after, props: withReaderNote(after.props, note) } };
    });
  }

  /** The items with what people have said, as far as they can say it as they are, and why some cannot be stored; the documents of the others are. */
  private async changes(
    { sourceSpaceId, sourceSequence, resultSpaceId, language, organizationId }: CorrectedTranslation,
    batch: readonly CorrectedItem[],
  ): Promise<{ readonly changes: readonly Change[]; readonly faults: readonly string[] }> {
    const point = primaryPoint({ spaceId: sourceSpaceId, sequence: sourceSequence }, NOTHING_HIDDEN);
    const head = await this.lines.primary(resultSpaceId);
    const sources = await this.store.byKeys(point, batch.map(keyOfSource));
    const present = await this.store.byKeys(primaryPoint(head, NOTHING_HIDDEN), batch.map(keyOfResult));
    const found = batch.flatMap((corrected) => {
      const [source, before] = [sources.get(keyOfSource(corrected)), present.get(keyOfResult(corrected))];
      return source && before ? [{ corrected, source, before }] : [];
    });
    const asked = await this.words.ofSource(
      point,
      found.map(({ source }) => source),
      resultSpaceId,
    );
    const said = await this.words.of(
      resultSpaceId,
      found.map(({ before }) => before),
    );
    const made: { corrected: CorrectedItem; before: Item; words: StoredWords }[] = [];
    for (const [index, { corrected, before }] of found.entries()) {
      const [source, now] = [asked[index], said[index]];
      const words = source && now && (await this.corrected(source, now, corrected, organizationId));
      if (words) made.push({ corrected, before, words });
    }
    const drafts = made.flatMap(({ before, words: { json } }) =>
      json === undefined ? [] : [{ json, previous: before.hash }],
    );
    const staged = await this.staging.stage(resultSpaceId, language, drafts);
    let next = 0;
    const faults: string[] = [];
    const changes = made.flatMap(({ corrected, before, words }): Change[] => {
      const document = words.json === undefined ? undefined : staged[next++];
      if (document && 'fault' in document) {
        faults.push(unstorable(before.title, document.fault));
        return [];
      }
      return [{ corrected, before, after: this.itemWith(before, words.texts, document?.hash ?? before.hash) }];
    });
    return { changes, faults };
  }

  /** Items that take too long to read are left to a run. */
  private async corrected(
    source: StoredWords,
    present: StoredWords,
    { said }: CorrectedItem,
    party: string,
  ): Promise<StoredWords | undefined> {
    try {
      return await this.workers.run(CORRECTED_WORDS, { source, present, said }, { party });
    } catch (error) {
      if (error instanceof TaskLimitExceeded) return undefined;
      throw error;
    }
  }

  private itemWith(before: Item, [title = before.title, ...texts]: readonly string[], hash: string | null): Item {
    const props = Object.fromEntries(Object.keys(textsOf(before)).map((name, index) => [name, texts[index]]));
    return { ...before, title, hash, props: { ...before.props, ...props }, updatedAt: this.clock.now() };
  }
}

function keyOfSource({ kind, sourceItemId: id }: CorrectedItem): ItemKey {
  return itemKey({ kind, id });
}

function keyOfResult({ kind, itemId: id }: CorrectedItem): ItemKey {
  return itemKey({ kind, id });
}
