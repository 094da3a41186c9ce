import { Injectable } from '@nestjs/common';
import { WorkerPool } from '../../kernel/platform/workers/worker-pool.js';
import type { ChangeInput } from './change-input.js';
import { ContentStore, type Point } from './content-store.js';
import { DocumentStore, type NewDocument } from './document-store.js';
import { REVERT_BLOCKS } from './document-tasks.js';
import { ChangeFault, type ContentChange } from './domain/content-change.js';
import { ROOT, type Item, type ItemKey } from './domain/content-item.js';
import { ContentLines, revisionPoint } from './content-lines.js';

type Revert = Extract<ChangeInput, { operation: 'revert_page' }>;

export interface ReadReverts {
  /** Indexed by change. */
  readonly changes: ReadonlyMap<number, ContentChange>;
  readonly documents: readonly NewDocument[];
  /** The parents to which deleted pages return, with all their ancestors. */
  readonly parents: readonly Item[];
}

/** Finds the earlier versions for `revert_page`. */
@Injectable()
export class PageReverts {
  constructor(
    private readonly store: ContentStore,
    private readonly documents: DocumentStore,
    private readonly lines: ContentLines,
    private readonly workers: WorkerPool,
  ) {}

  /** One query for each revision in the batch. `items` are the current versions. */
  async read(point: Point, inputs: readonly ChangeInput[], items: ReadonlyMap<ItemKey, Item>): Promise<ReadReverts> {
    const reverts = inputs.flatMap((input, index) => (input.operation === 'revert_page' ? [{ input, index }] : []));
    const byRevision = new Map<string | undefined, { input: Revert; index: number }[]>();
    for (const each of reverts)
      byRevision.set(each.input.revision, [...(byRevision.get(each.input.revision) ?? []), each]);
    const changes = new Map<number, ContentChange>();
    const documents: NewDocument[] = [];
    for (const [revision, group] of byRevision) {
      const versions = await this.store.byKeys(
        await this.pointOf(point, revision, group[0]?.index ?? 0),
        group.map(({ input }): ItemKey => `page:${input.page}`),
      );
      for (const { input, index } of group) {
        const version = versions.get(`page:${input.page}`);
        if (!version) throw new ChangeFault('page', 'is not in that revision', index);
        const current = items.get(`page:${input.page}`);
        if (!input.block) {
          changes.set(index, { operation: 'restore_page', version });
          continue;
        }
        const document = await this.mixed(point.spaceId, current, version, input.block, index);
        if (document) documents.push(document);
        changes.set(index, {
          operation: 'update_page',
          page: input.page,
          document: { hash: document?.hash ?? null, attributes: {} },
        });
      }
    }
    const lost = [...changes.values()].flatMap((change) =>
      change.operation === 'restore_page' && change.version.parentId !== ROOT ? [change.version.parentId] : [],
    );
    return { changes, documents, parents: await this.store.withAncestors(point, lost) };
  }

  /** The state to revert to: a revision, or the base of the change request. */
  private async pointOf(point: Point, revision: string | undefined, index: number): Promise<Point> {
    if (revision !== undefined) {
      const found = await this.lines.findRevision(point.spaceId, revision);
      if (!found) throw new ChangeFault('revision', 'is not a revision of this space', index);
      return revisionPoint(point.spaceId, found, point.hidden);
    }
    if (point.line === null) throw new ChangeFault('revision', 'is needed outside of a change request', index);
    return { ...point, line: null, sequence: 0 };
  }

  private async mixed(
    spaceId: string,
    current: Item | undefined,
    version: Item,
    keys: readonly string[],
    index: number,
  ): Promise<NewDocument | undefined> {
    if (!current) throw new ChangeFault('page', 'is not in this content', index);
    const json = await this.documents.json(
      spaceId,
      [current.hash, version.hash].flatMap((hash) => hash ?? []),
    );
    return this.workers.run(REVERT_BLOCKS, {
      now: json.get(current.hash ?? ''),
      then: json.get(version.hash ?? ''),
      keys,
    });
  }
}
