import { Injectable } from '@nestjs/common';
import type { BatchIds } from './batch-ids.js';
import type { ChangeInput } from './change-input.js';
import { ContentLines, revisionPoint, type RevisionRow } from './content-lines.js';
import { ContentStore, type Point } from './content-store.js';
import { ChangeFault } from './domain/content-change.js';
import type { Item, ItemKey } from './domain/content-item.js';

/** The version of a page on which its new document was written, and the revision that has it. */
export interface BaseVersion {
  readonly item: Item;
  readonly revision: RevisionRow;
}

type Based = Extract<ChangeInput, { operation: 'update_page' }> & { readonly base: string };

/** Finds the versions that changes name as their `base`. */
@Injectable()
export class BaseVersions {
  constructor(
    private readonly store: ContentStore,
    private readonly lines: ContentLines,
  ) {}

  /** Indexed by change; two queries for each revision that the batch names. Throws `ChangeFault` with the index. */
  async read(point: Point, inputs: readonly ChangeInput[], ids: BatchIds): Promise<Map<number, BaseVersion>> {
    const byRevision = new Map<string, { page: string; index: number }[]>();
    inputs.forEach((input, index) => {
      if (!isBased(input)) return;
      requireAlone(inputs, ids, index, ids.page(input.page));
      byRevision.set(input.base, [...(byRevision.get(input.base) ?? []), { page: ids.page(input.page), index }]);
    });
    const found = new Map<number, BaseVersion>();
    for (const [id, based] of byRevision) {
      const first = based[0]?.index ?? 0;
      const revision = await this.lines.findRevision(point.spaceId, id);
      if (!revision || !isBefore(revision, point))
        throw new ChangeFault('base', 'is not a revision that this content comes from', first);
      const items = await this.store.byKeys(
        revisionPoint(point.spaceId, revision, point.hidden),
        based.map(({ page }): ItemKey => `page:${page}`),
      );
      for (const { page, index } of based) {
        const item = items.get(`page:${page}`);
        if (!item) throw new ChangeFault('base', 'does not have the page', index);
        found.set(index, { item, revision });
      }
    }
    return found;
  }
}

function isBased(input: ChangeInput): input is Based {
  return input.operation === 'update_page' && input.base !== undefined;
}

/** A state of the line itself, or of the primary line no later than what a change request stands on. */
function isBefore(revision: RevisionRow, point: Point): boolean {
  return revision.line === '' ? revision.sequence <= point.base : revision.line === point.line;
}

/** The current document with which a change merges is the one before the batch. */
function requireAlone(inputs: readonly ChangeInput[], ids: BatchIds, index: number, page: string): void {
  const input = inputs[index];
  if (input?.operation === 'update_page' && input.document === undefined)
    throw new ChangeFault('base', 'is the version on which a document was written, and there is none', index);
  const hasOther = inputs.some(
    (other, at) =>
      at !== index &&
      (other.operation === 'revert_page' || (other.operation === 'update_page' && other.document !== undefined)) &&
      ids.page(other.page) === page,
  );
  if (hasOther) throw new ChangeFault('base', 'another change of the batch writes the same page', index);
}
