import { Injectable } from '@nestjs/common';
import { limitAt, WorkerPool } from '../../kernel/platform/workers/worker-pool.js';
import type { Point } from './content-store.js';
import { fieldOf, type DraftDocument } from './document-drafts.js';
import { DocumentStore, type NewDocument } from './document-store.js';
import { MAKE_DOCUMENT } from './document-tasks.js';
import { ChangeFault, type WrittenDocument } from './domain/content-change.js';
import { readLinkTarget } from '../../formats/document/link-target.js';
import { LinkTargets, type BatchRef } from './link-targets.js';

/** A document of a batch whose links are not resolved yet. */
export interface UnreadDocument {
  /** The index of its change. */
  readonly index: number;
  readonly draft: DraftDocument;
  /** The document that it replaces, and whose block keys are reused. */
  readonly previous: string | null;
  /** The path of the folder from which relative links are resolved. */
  readonly directory: string;
}

export interface ReadDocuments {
  /** Indexed by change. */
  readonly written: ReadonlyMap<number, WrittenDocument>;
  readonly documents: readonly NewDocument[];
}

/** Completes the documents of a batch: resolves their links in the space, and reuses the keys of their blocks. */
@Injectable()
export class DocumentReader {
  constructor(
    private readonly targets: LinkTargets,
    private readonly store: DocumentStore,
    private readonly workers: WorkerPool,
  ) {}

  async read(
    point: Point,
    unread: readonly UnreadDocument[],
    refs: ReadonlyMap<string, BatchRef>,
  ): Promise<ReadDocuments> {
    const resolvers = await this.targets.resolve(point, unread.flatMap(ownTargets), refs);
    const previous = await this.store.json(
      point.spaceId,
      unread.flatMap((each) => each.previous ?? []),
    );
    const written = new Map<number, WrittenDocument>();
    const documents = new Map<string, NewDocument>();
    for (const { index, draft, previous: replaced, directory } of unread) {
      if (draft.given === undefined) {
        written.set(index, { hash: null, attributes: {} });
        continue;
      }
      const resolve = resolvers(directory);
      const resolved = draft.targets.map(({ target, kind }) => ({ target, kind, ref: resolve(target, kind, 1) }));
      const made = await this.workers
        .run(MAKE_DOCUMENT, {
          given: draft.given,
          resolved,
          previous: replaced === null ? undefined : previous.get(replaced),
        })
        .catch(limitAt(fieldOf(index, draft.given)));
      if ('fault' in made) throw new ChangeFault(`document.${made.fault.path}`, made.fault.message, index);
      const { document, attributes } = made;
      if (document) documents.set(document.hash, document);
      written.set(index, { hash: document?.hash ?? null, attributes });
    }
    return { written, documents: [...documents.values()] };
  }
}

/** The targets that may refer to objects of the space. */
function ownTargets({ draft, directory }: UnreadDocument): { target: string; directory: string }[] {
  return draft.targets.flatMap(({ target, kind }) =>
    kind === 'openapi' || readLinkTarget(target, directory).kind !== 'external' ? [{ target, directory }] : [],
  );
}
