import { Injectable } from '@nestjs/common';
import { limitAt, WorkerPool } from '../../kernel/platform/workers/worker-pool.js';
import type { BaseVersion } from './base-versions.js';
import { MERGE_ONTO_CURRENT, type BaseMerge } from './base-merge-tasks.js';
import type { Point } from './content-store.js';
import { fieldOf, type DraftDocument } from './document-drafts.js';
import { DocumentStore, type NewDocument } from './document-store.js';
import {
  MAKE_DOCUMENT,
  type GivenDocument,
  type MadeDocument,
  type Refused,
  type ResolvedTarget,
} from './document-tasks.js';
import { ChangeFault, type WrittenDocument } from './domain/content-change.js';
import { itemKey, type Item } from './domain/content-item.js';
import { mergeAttributes } from './domain/merge-attributes.js';
import { readLinkTarget } from '../../formats/document/link-target.js';
import { LinkTargets, type BatchRef } from './link-targets.js';
import type { WriteConflict } from './write-conflicts.js';
import type { WriteResolutions } from './write-resolutions.js';

/** A document of a batch whose links are not resolved yet. */
export interface UnreadDocument {
  /** The index of its change. */
  readonly index: number;
  readonly draft: DraftDocument;
  /** The document that it replaces, and whose block keys are reused. */
  readonly previous: string | null;
  /** The path of the folder from which relative links are resolved. */
  readonly directory: string;
  readonly onto?: Onto;
}

/** The version on which a document was written, and the current one with which it is merged. */
export interface Onto {
  readonly base: BaseVersion;
  readonly current: Item;
  readonly resolutions: WriteResolutions | undefined;
}

export interface ReadDocuments {
  /** Indexed by change. */
  readonly written: ReadonlyMap<number, WrittenDocument>;
  readonly documents: readonly NewDocument[];
  /** Documents that cannot be merged with what others have written since. */
  readonly conflicts: readonly WriteConflict[];
}

/** The input without a document: an empty page. */
const EMPTY: GivenDocument = { markdown: '', of: 'page' };

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
    const [resolvers, previous] = await Promise.all([
      this.targets.resolve(point, unread.flatMap(ownTargets), refs),
      this.store.json(
        point.spaceId,
        unread.flatMap(({ previous: hash, onto }) =>
          [hash, onto?.base.item.hash].filter((each) => typeof each === 'string'),
        ),
      ),
    ]);
    const written = new Map<number, WrittenDocument>();
    const documents = new Map<string, NewDocument>();
    const conflicts: WriteConflict[] = [];
    for (const each of unread) {
      const { index, draft, directory, onto } = each;
      const { given = onto && EMPTY } = draft;
      if (given === undefined) {
        written.set(index, { hash: null, attributes: {} });
        continue;
      }
      const resolve = resolvers(directory);
      const resolved = draft.targets.map(({ target, kind }) => ({ target, kind, ref: resolve(target, kind, 1) }));
      const made = await this.make(each, given, resolved, previous);
      if ('fault' in made) throw new ChangeFault(`document.${made.fault.path}`, made.fault.message, index);
      const { document } = made;
      const resolutions: WriteResolutions = onto?.resolutions ?? new Map();
      const attributes = onto
        ? mergeAttributes(made.attributes, onto.base.item, onto.current, (conflict) => {
            const resolution = resolutions.get(conflict);
            if (resolution && !('keep' in resolution))
              throw new ChangeFault('resolutions', 'cannot settle an attribute with a text: keep one side', index);
            return resolution?.keep;
          })
        : { attributes: made.attributes, conflicts: [] };
      const blocks = 'conflicts' in made ? made.conflicts : [];
      if (onto && !areSettled([...blocks, ...attributes.conflicts], resolutions))
        conflicts.push({
          index,
          page: onto.current,
          base: onto.base.revision,
          blocks,
          attributes: attributes.conflicts,
        });
      if (document) documents.set(document.hash, document);
      written.set(index, { hash: document?.hash ?? null, attributes: attributes.attributes });
    }
    return { written, documents: [...documents.values()], conflicts };
  }

  /** The document as it is stored: in place of the previous one, or merged with it. */
  private make(
    { index, previous, onto }: UnreadDocument,
    given: GivenDocument,
    resolved: readonly ResolvedTarget[],
    texts: ReadonlyMap<string, string>,
  ): Promise<MadeDocument | BaseMerge | Refused> {
    const textOf = (hash: string | null) => (hash === null ? undefined : texts.get(hash));
    const made = onto
      ? this.workers.run(MERGE_ONTO_CURRENT, {
          item: itemKey(onto.current),
          given,
          resolved,
          base: textOf(onto.base.item.hash),
          current: textOf(onto.current.hash),
          ...(onto.resolutions && { resolutions: onto.resolutions }),
        })
      : this.workers.run(MAKE_DOCUMENT, { given, resolved, previous: textOf(previous) });
    return made.catch(limitAt(fieldOf(index, given)));
  }
}

/** True if the resolutions are exactly those of the present conflicts: decisions about other conflicts have no meaning any more. */
function areSettled(conflicts: readonly { readonly id: string }[], resolutions: WriteResolutions): boolean {
  return conflicts.length === resolutions.size && conflicts.every(({ id }) => resolutions.has(id));
}

/** The targets that may refer to objects of the space. */
function ownTargets({ draft, directory }: UnreadDocument): { target: string; directory: string }[] {
  return draft.targets.flatMap(({ target, kind }) =>
    kind === 'openapi' || readLinkTarget(target, directory).kind !== 'external' ? [{ target, directory }] : [],
  );
}
