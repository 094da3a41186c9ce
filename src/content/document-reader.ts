import { Injectable } from '@nestjs/common';
import type { Point } from './content-store.js';
import { keyed, toNewDocument } from './document-codec.js';
import type { DocumentSource, Reading } from './document-source.js';
import { DocumentStore, type NewDocument } from './document-store.js';
import type { WrittenDocument } from './domain/change.js';
import type { Document } from './domain/document/types.js';
import { readLinkTarget } from './domain/link-target.js';
import { LinkTargets, type BatchRef, type WrittenTarget } from './link-targets.js';

/** A document of a batch whose links are still to be resolved. */
export interface UnreadDocument {
  /** The change that it belongs to. */
  readonly index: number;
  readonly source: DocumentSource;
  /** The document that it replaces, whose blocks lend their keys. */
  readonly previous: string | null;
  /** The path of the folder that relative links start from. */
  readonly directory: string;
}

export interface ReadDocuments {
  /** By the index of the change. */
  readonly written: ReadonlyMap<number, WrittenDocument>;
  readonly documents: readonly NewDocument[];
}

/** Makes the documents of a batch: their links resolved in the space, their blocks with the keys that they had. */
@Injectable()
export class DocumentReader {
  constructor(
    private readonly targets: LinkTargets,
    private readonly store: DocumentStore,
  ) {}

  async read(point: Point, unread: readonly UnreadDocument[], refs: ReadonlyMap<string, BatchRef>): Promise<ReadDocuments> {
    const drafts = unread.map(draftOf);
    const resolvers = await this.targets.resolve(point, drafts.flatMap((draft) => draft.targets), refs);
    const previous = await this.store.json(point.spaceId, unread.flatMap((each) => each.previous ?? []));
    const written = new Map<number, WrittenDocument>();
    const documents = new Map<string, NewDocument>();
    for (const draft of drafts) {
      const { index, previous: replaced, directory } = draft.unread;
      // What names nothing of ours means the same whoever resolves it.
      const { document, attributes } = draft.targets.length === 0 ? draft.reading : draft.unread.source(resolvers(directory));
      if (document === null) {
        written.set(index, { hash: null, attributes });
        continue;
      }
      const before = replaced === null ? undefined : previous.get(replaced);
      const stored = toNewDocument(keyed(document, before === undefined ? undefined : (JSON.parse(before) as Document)));
      documents.set(stored.hash, stored);
      written.set(index, { hash: stored.hash, attributes });
    }
    return { written, documents: [...documents.values()] };
  }
}

/** A document that has been read once, to find out which targets in it may mean something of the space. */
interface Draft {
  readonly unread: UnreadDocument;
  readonly reading: Reading;
  readonly targets: readonly WrittenTarget[];
}

function draftOf(unread: UnreadDocument): Draft {
  const targets: WrittenTarget[] = [];
  const { directory, source } = unread;
  const reading = source((target, kind) => {
    if (kind === 'openapi' || readLinkTarget(target, directory).kind !== 'external') targets.push({ target, directory });
    return undefined;
  });
  return { unread, reading, targets };
}
