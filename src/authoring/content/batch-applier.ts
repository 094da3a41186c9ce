import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { DomainError } from '../../kernel/common/errors.js';
import { keyBetween, MAX_KEY_LENGTH, spacedKeys } from '../../kernel/common/order-key.js';
import type { ChangeInput } from './change-input.js';
import { ChangePreparer, type Batch, type PreparedBatch } from './change-preparer.js';
import { ContentStore, NOTHING_HIDDEN, type Point } from './content-store.js';
import type { NewDocument } from './document-store.js';
import { applyChanges } from './domain/apply-changes.js';
import { sourceOfDerived } from './domain/computed/expansion.js';
import { ChangeFault } from './domain/content-change.js';
import { itemKey, splitKey, type Item, type ItemKey } from './domain/content-item.js';
import { neededChildren } from './domain/needed-children.js';
import { WorkingTree, type OrderKeys } from './domain/working-tree.js';

const ORDER_KEYS: OrderKeys = { between: keyBetween, spaced: spacedKeys, maxLength: MAX_KEY_LENGTH };

/** The effect of a batch on one page. */
export interface TouchedPage {
  readonly page: string;
  readonly change: 'created' | 'updated' | 'deleted';
  readonly ref?: string;
}

export interface BatchResult {
  /** One entry for each page, in the order in which the batch first touched them. */
  readonly touched: readonly TouchedPage[];
  readonly insertedFiles: readonly Item[];
}

/** The content at a point after a batch. */
export interface AppliedBatch {
  readonly point: Point;
  readonly items: ReadonlyMap<ItemKey, Item | null>;
  readonly documents: readonly NewDocument[];
  readonly result: BatchResult;
  /** The pages whose own versions at the point, texts included, it follows from. */
  readonly pages: ReadonlySet<string>;
}

/** Applies batches of changes to the content at a point, without writing. */
@Injectable()
export class BatchApplier {
  constructor(
    private readonly clock: Clock,
    private readonly store: ContentStore,
    private readonly preparer: ChangePreparer,
  ) {}

  /**
   * Throws `ChangeFault` with the index of an impossible change. A page that the caller does not see is not in this
   * content. Its siblings still keep their slugs and places apart from it, so the tree has it, and it is lost with no
   * page above it.
   */
  async apply(point: Point, batch: Batch): Promise<AppliedBatch> {
    const hidden = await this.store.hiddenAt(point);
    requireSeen(batch, hidden);
    const prepared = await this.preparer.prepare(point, batch);
    const tree = await this.load({ ...point, hidden: NOTHING_HIDDEN }, prepared);
    try {
      applyChanges(tree, prepared.changes, this.clock.now());
    } catch (fault) {
      throw fault instanceof ChangeFault ? asRequested(fault, prepared.origins, batch.inputs) : fault;
    }
    const items = tree.changes();
    requireKept(items, hidden);
    return {
      point,
      items,
      documents: prepared.documents,
      result: { touched: touchedPages(items, prepared, batch.inputs), insertedFiles: insertedFiles(items, prepared) },
      pages: new Set([...[...items.keys()].map((key) => splitKey(key).id), ...prepared.items.map(({ id }) => id)]),
    };
  }

  /** Loads the pages of the batch with everything that its rules check: siblings, and descendants of deleted pages. */
  private async load(point: Point, batch: PreparedBatch): Promise<WorkingTree> {
    const needed = neededChildren(batch.changes, batch.items);
    const [children, below] = await Promise.all([
      this.store.children(point, needed.parents),
      this.store.descendants(point, needed.subtrees),
    ]);
    const complete = new Set([...needed.parents, ...needed.subtrees, ...below.map((page) => page.id)]);
    return new WorkingTree([...children, ...below, ...batch.items], complete, ORDER_KEYS);
  }
}

/** Throws `ChangeFault` for a change that names a page that the caller does not see, as for one that is not there. */
function requireSeen({ inputs, ids }: Batch, hidden: ReadonlySet<string>): void {
  if (hidden.size === 0) return;
  inputs.forEach((input, index) => {
    const named = {
      page: 'page' in input ? ids.page(input.page) : undefined,
      into: 'into' in input && input.into !== undefined && input.into !== '' ? ids.parent(input.into) : undefined,
    };
    for (const [field, page] of Object.entries(named))
      if (page !== undefined && hidden.has(sourceOfDerived(page) ?? page))
        throw new ChangeFault(field, 'is not in this content', index);
  });
}

/** Throws `forbidden` where a page would be deleted with others that the caller does not see. */
function requireKept(items: ReadonlyMap<ItemKey, Item | null>, hidden: ReadonlySet<string>): void {
  for (const id of hidden)
    if (items.get(`page:${id}`) === null)
      throw new DomainError('forbidden', 'Below a page that would be deleted are pages that are limited to others');
}

/**
 * Converts the fault of a change to the operation of the request from which it was made; one operation can delete many
 * files.
 */
function asRequested(
  { field, message, index = 0 }: ChangeFault,
  origins: readonly number[],
  inputs: readonly ChangeInput[],
): ChangeFault {
  const origin = origins[index] ?? 0;
  const isListed = inputs[origin]?.operation === 'delete_files' && field === 'file';
  return new ChangeFault(isListed ? `files.${index - origins.indexOf(origin)}` : field, message, origin);
}

function touchedPages(
  items: ReadonlyMap<ItemKey, Item | null>,
  batch: PreparedBatch,
  inputs: readonly ChangeInput[],
): TouchedPage[] {
  const touched = new Map<string, TouchedPage>();
  batch.changes.forEach((change, at) => {
    const input = inputs[batch.origins[at] ?? 0];
    const page =
      change.operation === 'insert_page'
        ? change.id
        : change.operation === 'restore_page'
          ? change.version.id
          : 'page' in change
            ? change.page
            : undefined;
    const now = page === undefined ? undefined : items.get(`page:${page}`);
    if (page === undefined || now === undefined || touched.has(page)) return;
    const ref = input?.operation === 'insert_page' && input.ref !== undefined ? { ref: input.ref } : {};
    touched.set(page, {
      page,
      change: now === null ? 'deleted' : change.operation === 'insert_page' ? 'created' : 'updated',
      ...ref,
    });
  });
  return [...touched.values()];
}

function insertedFiles(items: ReadonlyMap<ItemKey, Item | null>, batch: PreparedBatch): Item[] {
  return batch.changes.flatMap((change) =>
    change.operation === 'insert_file' ? (items.get(itemKey({ kind: 'file', id: change.id })) ?? []) : [],
  );
}
