import { Injectable } from '@nestjs/common';
import { batchesWithin } from '../../kernel/common/batches.js';
import { invalid } from '../../kernel/common/errors.js';
import { DocumentStore } from '../content/document-store.js';
import { splitKey, type ItemKey } from '../content/domain/content-item.js';
import type { DocumentMerge } from '../content/domain/merge.js';
import { limitAt, TaskLimitExceeded, WorkerPool } from '../../kernel/platform/workers/worker-pool.js';
import type { LoadedSides } from './merge-loader.js';
import { MERGE_DOCUMENTS, type GivenResolutions, type MadeMerge, type MergeOrder } from './merge-tasks.js';

/** Merges whose documents are loaded together, while a thread works on those before. */
const BATCH_MERGES = 64;
/**
 * Characters of JSON that one call merges: a batch takes a fraction of a second, and about as long to copy its result.
 */
const BATCH_CHARACTERS = 4 * 1024 ** 2;

export type MergedDocuments = ReadonlyMap<ItemKey, MadeMerge>;

type MergesOf = Pick<LoadedSides, 'spaceId' | 'merges'>;
type OrderOf = (batch: readonly DocumentMerge[]) => Pick<MergeOrder, 'resolutions' | 'isStored'>;
type Texts = ReadonlyMap<string, string>;

const UNSETTLED: GivenResolutions = { byConflict: new Map() };

/** Merges documents that both sides of a merge changed, many in one call of a thread. */
@Injectable()
export class DocumentMerger {
  constructor(
    private readonly workers: WorkerPool,
    private readonly documents: DocumentStore,
  ) {}

  /**
   * Merges all documents; `isStored` is false if only the conflicts are needed. Throws `unprocessable` with the item
   * that exceeds the limits of a thread.
   */
  merge(sides: MergesOf, isStored: boolean): Promise<MergedDocuments> {
    return this.inBatches(sides, () => ({ resolutions: UNSETTLED, isStored }));
  }

  /**
   * Merges the documents with conflicts again, and settles these. Throws `invalid` with the field of a document that is
   * not allowed there.
   */
  async settle(
    { spaceId, merges }: MergesOf,
    open: MergedDocuments,
    resolutions: GivenResolutions,
  ): Promise<MergedDocuments> {
    const conflictsOf = ({ item }: DocumentMerge) => open.get(item)?.conflicts ?? [];
    const disputed = merges.filter((merge) => conflictsOf(merge).length > 0);
    const settled = await this.inBatches({ spaceId, merges: disputed }, (batch) => {
      const given = batch.flatMap(conflictsOf).flatMap(({ id }) => {
        const resolution = resolutions.byConflict.get(id);
        return resolution ? [[id, resolution] as const] : [];
      });
      return { resolutions: { ...resolutions, byConflict: new Map(given) }, isStored: true };
    });
    return new Map([...open, ...settled]);
  }

  private async inBatches({ spaceId, merges }: MergesOf, orderOf: OrderOf): Promise<MergedDocuments> {
    const merged = new Map<ItemKey, MadeMerge>();
    const groups = [...batchesWithin(merges, BATCH_MERGES, () => 1)];
    let texts = await this.load(spaceId, groups[0] ?? []);
    for (const [index, group] of groups.entries()) {
      const [next] = await Promise.all([
        this.load(spaceId, groups[index + 1] ?? []),
        this.mergeGroup(group, texts, orderOf, merged),
      ]);
      texts = next;
    }
    return merged;
  }

  private load(spaceId: string, merges: readonly DocumentMerge[]): Promise<Texts> {
    return this.documents.json(spaceId, merges.flatMap(hashesOf));
  }

  private async mergeGroup(
    group: readonly DocumentMerge[],
    texts: Texts,
    orderOf: OrderOf,
    merged: Map<ItemKey, MadeMerge>,
  ): Promise<void> {
    const run = async (batch: readonly DocumentMerge[]): Promise<void> => {
      const [first] = batch;
      if (first === undefined) return;
      try {
        const made = await this.workers.run(MERGE_DOCUMENTS, {
          merges: batch,
          texts: textsOf(batch, texts),
          ...orderOf(batch),
        });
        if ('fault' in made) throw invalid(made.fault.path, made.fault.message);
        batch.forEach(({ item }, index) => {
          const document = made[index];
          if (document) merged.set(item, document);
        });
      } catch (error) {
        if (batch.length === 1 || !(error instanceof TaskLimitExceeded)) limitAt(placeOf(first.item))(error);
        // One of them exceeds the limits: merging each half separately finds it.
        const middle = batch.length >> 1;
        await run(batch.slice(0, middle));
        await run(batch.slice(middle));
      }
    };
    const lengthOf = (merge: DocumentMerge) =>
      [...textsOf([merge], texts).values()].reduce((sum, text) => sum + text.length, 0);
    for (const batch of batchesWithin(group, BATCH_CHARACTERS, lengthOf)) await run(batch);
  }
}

/** The path of an item in errors, such as `pages.<id>.document`. */
function placeOf(item: ItemKey): string {
  const { kind, id } = splitKey(item);
  return `${kind === 'page' ? 'pages' : 'reusableContents'}.${id}.document`;
}

function hashesOf({ base, primary, changed }: DocumentMerge): string[] {
  return [base, primary, changed].filter((hash) => hash !== null);
}

function textsOf(merges: readonly DocumentMerge[], texts: Texts): Map<string, string> {
  const own = merges.flatMap(hashesOf).flatMap((hash) => {
    const text = texts.get(hash);
    return text === undefined ? [] : [[hash, text] as const];
  });
  return new Map(own);
}
