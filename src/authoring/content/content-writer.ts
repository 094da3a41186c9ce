import { Injectable } from '@nestjs/common';
import { Access } from '../../kernel/access/access.service.js';
import type { PermissionKey } from '../../kernel/access/permissions.js';
import { Clock } from '../../kernel/common/clock.js';
import { requireMatch, type Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, invalid } from '../../kernel/common/errors.js';
import { keyBetween, MAX_KEY_LENGTH, spacedKeys } from '../../kernel/common/order-key.js';
import { BatchIds } from './batch-ids.js';
import type { ChangeInput } from './change-input.js';
import { ChangePreparer, type Batch, type PreparedBatch } from './change-preparer.js';
import { Commits, type RevisionFacts } from './commits.js';
import { ContentStore, NOTHING_HIDDEN, type Point, type RowChange } from './content-store.js';
import { DocumentDrafts } from './document-drafts.js';
import type { NewDocument } from './document-store.js';
import { applyChanges } from './domain/apply-changes.js';
import { sourceOfDerived } from './domain/computed/expansion.js';
import { neededChildren } from './domain/needed-children.js';
import { ChangeFault } from './domain/content-change.js';
import { itemKey, type Item, type ItemKey } from './domain/content-item.js';
import { isActive } from './domain/request-status.js';
import { WorkingTree, type OrderKeys } from './domain/working-tree.js';
import { FileIntake } from './file-intake.js';
import { ContentLines, primaryPoint, requestPoint, type RevisionType } from './content-lines.js';
import type { RequestHead } from './request-lines.js';

export const MAX_CHANGES = 50;

const ORDER_KEYS: OrderKeys = { between: keyBetween, spaced: spacedKeys, maxLength: MAX_KEY_LENGTH };

/** The target of a write: a change request by id or number, or without one the space's primary line. */
export interface WriteTarget {
  readonly spaceId: string;
  readonly changeRequest?: string;
}

export interface WriteOptions {
  /** The caller whose permission to edit is checked again under the lock; internal callers have done so. */
  readonly caller?: Caller;
  /** For internal callers: allows more changes than a request may have, all in one revision. */
  readonly allowMany?: boolean;
  /** For internal callers: writes to a primary line whose space is locked for live edits. */
  readonly evenIfLocked?: boolean;
  /** For internal callers: `If-Match` names another object, and has been compared with that. */
  readonly isMatched?: boolean;
  readonly type?: RevisionType;
  readonly message?: string;
  readonly git?: unknown;
}

/** The effect of a batch on one page. */
export interface TouchedPage {
  readonly page: string;
  readonly change: 'created' | 'updated' | 'deleted';
  readonly ref?: string;
}

export interface WrittenContent {
  readonly revisionId: string;
  /** One entry for each page, in the order in which the batch first touched them. */
  readonly touched: readonly TouchedPage[];
  readonly insertedFiles: readonly Item[];
}

interface AppliedBatch {
  readonly items: ReadonlyMap<ItemKey, Item | null>;
  readonly documents: readonly NewDocument[];
  readonly result: Omit<WrittenContent, 'revisionId'>;
}

/**
 * The only way in which pages, files, reusable contents and variables change: an atomic batch that makes one revision.
 */
@Injectable()
export class ContentWriter {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly clock: Clock,
    private readonly lines: ContentLines,
    private readonly store: ContentStore,
    private readonly preparer: ChangePreparer,
    private readonly commits: Commits,
    private readonly drafts: DocumentDrafts,
    private readonly intake: FileIntake,
  ) {}

  /**
   * Applies a batch of changes in order and makes one revision. Throws `invalid` with the path `changes.<index>…` if
   * one of them is not possible, `conflict` if the target is read-only; nothing is written then.
   */
  async write(
    target: WriteTarget,
    inputs: readonly ChangeInput[],
    options: WriteOptions = {},
  ): Promise<WrittenContent> {
    if (inputs.length === 0 || (inputs.length > MAX_CHANGES && !options.allowMany))
      throw invalid('changes', `must have 1 to ${MAX_CHANGES} changes`);
    return refuseFaults(async () => {
      const batch = {
        inputs,
        ids: new BatchIds(inputs),
        drafts: await this.drafts.read(inputs),
        files: await this.intake.store(inputs),
      };
      return this.database.transaction(() =>
        target.changeRequest === undefined
          ? this.writePrimary(target.spaceId, batch, options)
          : this.writeRequest(target.spaceId, target.changeRequest, batch, options),
      );
    });
  }

  private async writePrimary(spaceId: string, batch: Batch, options: WriteOptions): Promise<WrittenContent> {
    const head = await this.lines.lockPrimary(spaceId);
    const hidden = await this.hiddenFrom(options.caller, spaceId, 'space:edit');
    if (!options.isMatched) requireMatch(head.version);
    // Translations refuse every write, which Commits enforces.
    if (head.editMode === 'locked' && !options.evenIfLocked && !head.isTranslation)
      throw new DomainError('conflict', 'The space is locked for live edits: use a change request');
    const applied = await this.apply(primaryPoint(head, hidden), batch);
    const revisionId = await this.commits.toPrimary(head, applied, factsOf(options));
    return { revisionId, ...applied.result };
  }

  private async writeRequest(
    spaceId: string,
    request: string,
    batch: Batch,
    options: WriteOptions,
  ): Promise<WrittenContent> {
    const head = await this.lines.lockRequest(spaceId, request);
    const hidden = await this.hiddenFrom(options.caller, spaceId, 'space:propose');
    if (!options.isMatched) requireMatch(head.version);
    if (!isActive(head.status))
      throw new DomainError('conflict', `The change request is ${head.status}: its content cannot change`);
    const applied = await this.apply(requestPoint(head, hidden), batch);
    const rows = await this.overlayRows(head, applied.items);
    const revisionId = await this.commits.toRequest(head, rows, applied.documents, factsOf(options));
    return { revisionId, ...applied.result };
  }

  /** A deleted item needs a tombstone only if primary has it. */
  private async overlayRows(head: RequestHead, items: ReadonlyMap<ItemKey, Item | null>): Promise<RowChange[]> {
    const gone = [...items].flatMap(([key, item]) => (item ? [] : [key]));
    const below = await this.store.byKeys({ ...requestPoint(head, NOTHING_HIDDEN), line: null }, gone);
    return [...items].map(([key, item]): RowChange =>
      item ? { item } : below.has(key) ? { tombstone: key } : { remove: key },
    );
  }

  /** The pages that are hidden from the caller of a write, who must have the permission now. */
  private async hiddenFrom(
    caller: Caller | undefined,
    spaceId: string,
    permission: PermissionKey,
  ): Promise<readonly string[]> {
    return caller ? (await this.access.requireSpace(caller, spaceId, permission)).hiddenPages : NOTHING_HIDDEN;
  }

  /**
   * A page that the caller does not see is not in this content. Its siblings still keep their slugs and places apart from
   * it, so the tree has it, and it is lost with no page above it.
   */
  private async apply(point: Point, batch: Batch): Promise<AppliedBatch> {
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
      items,
      documents: prepared.documents,
      result: { touched: touchedPages(items, prepared, batch.inputs), insertedFiles: insertedFiles(items, prepared) },
    };
  }

  /** Loads the pages of the batch with everything that its rules check: siblings, and descendants of deleted pages. */
  private async load(point: Point, batch: PreparedBatch): Promise<WorkingTree> {
    const needed = neededChildren(batch.changes, batch.items);
    const children = await this.store.children(point, needed.parents);
    const below = await this.store.descendants(point, needed.subtrees);
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

function factsOf({ type = 'edits', message, git }: WriteOptions): RevisionFacts {
  return { type, git, ...(message !== undefined && { message }) };
}

/** Converts a fault of the batch to an error that names the field of the request. */
async function refuseFaults<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (fault) {
    if (!(fault instanceof ChangeFault)) throw fault;
    throw invalid(
      ['changes', fault.index, fault.field].filter((part) => part !== undefined && part !== '').join('.'),
      fault.message,
    );
  }
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
