import { Injectable } from '@nestjs/common';
import { Access, type SpaceAccess } from '../../kernel/access/access.service.js';
import type { PermissionKey } from '../../kernel/access/permissions.js';
import { requireMatch, type Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, invalid } from '../../kernel/common/errors.js';
import { BatchApplier, type AppliedBatch, type BatchResult } from './batch-applier.js';
import { BatchIds } from './batch-ids.js';
import type { ChangeInput } from './change-input.js';
import type { Batch } from './change-preparer.js';
import { Commits, type RevisionFacts } from './commits.js';
import { ContentStore, NOTHING_HIDDEN, type RowChange } from './content-store.js';
import { DocumentDrafts } from './document-drafts.js';
import { ChangeFault } from './domain/content-change.js';
import type { Item, ItemKey } from './domain/content-item.js';
import { isActive } from './domain/request-status.js';
import { FileIntake } from './file-intake.js';
import { ContentLines, primaryPoint, requestPoint, type RevisionType } from './content-lines.js';
import type { RequestHead } from './request-lines.js';
import { TextChanges } from './text-changes.js';

export const MAX_CHANGES = 50;

/** The target of a write: a change request by id or number, or without one the space's primary line. */
export interface WriteTarget {
  readonly spaceId: string;
  readonly changeRequest?: string;
}

export interface WriteOptions {
  /** The caller whose permission to edit is checked again under the lock; internal callers have done so. */
  readonly caller?: Caller;
  /** The space as it was shown to the caller: a batch for its primary line is prepared for that state before the lock is taken. */
  readonly seen?: SpaceAccess;
  /** For internal callers: allows more changes than a request may have, all in one revision. */
  readonly allowMany?: boolean;
  /** For internal callers: writes to a primary line whose space is locked for live edits. */
  readonly evenIfLocked?: boolean;
  /** For internal callers: `If-Match` names another object, and has been compared with that. */
  readonly isMatched?: boolean;
  readonly type?: RevisionType;
  readonly message?: string;
  readonly git?: unknown;
  /** Reads what a change request has become, in the same transaction and sent with its last statements. */
  readonly readAfter?: () => Promise<unknown>;
}

export interface WrittenContent extends BatchResult {
  readonly revisionId: string;
}

/**
 * The only way in which pages, files, reusable contents and variables change: an atomic batch that makes one revision.
 */
@Injectable()
export class ContentWriter {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly lines: ContentLines,
    private readonly store: ContentStore,
    private readonly applier: BatchApplier,
    private readonly commits: Commits,
    private readonly drafts: DocumentDrafts,
    private readonly intake: FileIntake,
    private readonly changes: TextChanges,
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
      if (target.changeRequest !== undefined)
        return this.writeRequest(target.spaceId, target.changeRequest, batch, options);
      const early = options.seen && (await this.applyEarly(options.seen, batch));
      return this.writePrimary(target.spaceId, batch, options, early);
    });
  }

  /** None for a batch with a fault, which is met again under the lock, behind all that refuses the write itself. */
  private async applyEarly(space: SpaceAccess, batch: Batch): Promise<AppliedBatch | undefined> {
    const head = { spaceId: space.id, sequence: Number(space.sequence) };
    try {
      return await this.applier.apply(primaryPoint(head, space.hiddenPages), batch);
    } catch (fault) {
      if (fault instanceof ChangeFault || fault instanceof DomainError) return undefined;
      throw fault;
    }
  }

  private writePrimary(
    spaceId: string,
    batch: Batch,
    options: WriteOptions,
    early: AppliedBatch | undefined,
  ): Promise<WrittenContent> {
    return this.database.transaction(async () => {
      const [head, hidden, changed] = await Promise.all([
        this.lines.lockPrimary(spaceId),
        this.hiddenFrom(options.caller, spaceId, 'space:edit'),
        early && this.changes.sinceSequence(spaceId, early.point.base),
      ]);
      if (!options.isMatched) requireMatch(head.version);
      if (head.editMode === 'locked' && !options.evenIfLocked)
        throw new DomainError('conflict', 'The space is locked for live edits: use a change request');
      const applied =
        early && hidden.length === 0 && isStillRight(early, changed)
          ? early
          : await this.applier.apply(primaryPoint(head, hidden), batch);
      const revisionId = await this.commits.toPrimary(head, applied, factsOf(options));
      return { revisionId, ...applied.result };
    });
  }

  private writeRequest(spaceId: string, request: string, batch: Batch, options: WriteOptions): Promise<WrittenContent> {
    return this.database.transaction(async () => {
      const [head, hidden] = await Promise.all([
        this.lines.lockRequest(spaceId, request),
        this.hiddenFrom(options.caller, spaceId, 'space:propose'),
      ]);
      if (!options.isMatched) requireMatch(head.version);
      if (!isActive(head.status))
        throw new DomainError('conflict', `The change request is ${head.status}: its content cannot change`);
      const applied = await this.applier.apply(requestPoint(head, hidden), batch);
      const rows = await this.overlayRows(head, applied.items);
      const revisionId = await this.commits.toRequest(head, rows, applied.documents, factsOf(options), {
        also: options.readAfter,
      });
      return { revisionId, ...applied.result };
    });
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
}

/**
 * Tells whether a batch does the same after changes of the primary line: if these are texts of pages alone, and of none
 * that it follows from; `changed` is what `TextChanges` tells.
 */
function isStillRight({ point, pages }: AppliedBatch, changed: ReadonlySet<string> | undefined): boolean {
  return point.hidden.length === 0 && changed !== undefined && ![...pages].some((id) => changed.has(id));
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
