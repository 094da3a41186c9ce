import { Injectable } from '@nestjs/common';
import type { EvaluationContext } from '../content/reused-documents.js';
import type { WrittenReferences } from '../content/relative-links.js';
import { isOwn, ReusedDocuments } from '../content/reused-documents.js';
import type { SpecificationPlace } from '../content/specifications.js';
import { referencesIn } from '../../formats/document/derive.js';
import type { Document } from '../../formats/document/types.js';
import { factsOf, type ContentFacts } from '../../formats/html/reference-facts.js';
import type { BlockNaming, ReferenceResolver } from '../../formats/html/render-context.js';
import {
  RenderedContentCache,
  type DiffVersions,
  type ShownContent,
} from '../../formats/html/rendered-content-cache.js';
import { drawnIn, READ_STORED_DOCUMENT, type ReadDocument } from '../../formats/html/rendering-tasks.js';
import { WorkerPool } from '../../kernel/platform/workers/worker-pool.js';
import { ApiDescriptions, type FoundDescriptions, type FoundSpecifications } from './api-descriptions.js';

/** A document, as JSON, with the references of it and of its reusable contents. */
export interface WholeDocument extends ReadDocument {
  readonly document: string;
  /** The number of its own references, which come before those of its reusable contents. */
  readonly own: number;
}

/** Documents of one space with the contents that they show in place of references. */
export interface ContentWithReferences {
  readonly documents: readonly WholeDocument[];
  readonly reused: ReadonlyMap<string, Document>;
  readonly specifications: FoundSpecifications;
}

/** Answers for references that depend on the reader. */
export type ReaderReferences = Omit<ReferenceResolver, 'reusable' | 'specification'>;

/** Makes HTML of documents of a space, with the contents that they show: for published pages and for the workspace. */
@Injectable()
export class ContentHtml {
  private readonly rendered: RenderedContentCache;

  constructor(
    private readonly reused: ReusedDocuments,
    private readonly descriptions: ApiDescriptions,
    private readonly workers: WorkerPool,
  ) {
    this.rendered = new RenderedContentCache(workers);
  }

  /** Reads documents, given as JSON, and finds the contents that they show; all together cost as much as one. */
  async read(
    documents: readonly string[],
    place: SpecificationPlace,
    evaluation: EvaluationContext,
  ): Promise<ContentWithReferences> {
    const party = place.organizationId;
    const read: WholeDocument[] = [];
    for (const document of documents) {
      const each = await this.workers.run(READ_STORED_DOCUMENT, document, { party });
      read.push({ ...each, document, own: each.references.length });
    }
    const reused = await this.reused.of(
      read.flatMap(({ references }) => references),
      place.point,
      evaluation,
    );
    const whole = read.map((each) => ({ ...each, ...withReused(each, reused, place.point.spaceId) }));
    const specifications = await this.descriptions.find(
      place,
      whole.map(({ drawn }) => drawn),
    );
    return { documents: whole, reused, specifications };
  }

  /** The HTML of a document; with `naming` it is made for writers, and its elements name their blocks. */
  async render(
    { document }: Pick<WholeDocument, 'document'>,
    facts: ContentFacts,
    party: string,
    naming?: BlockNaming,
  ): Promise<ShownContent> {
    return this.rendered.render(document, facts, party, naming);
  }

  /** The difference of two versions of a document as HTML, for writers. */
  async diff(versions: DiffVersions, party: string): Promise<string> {
    return this.rendered.diff(versions, party);
  }
}

/** The references of a document by the folders from which its relative links lead. */
export function writtenIn({ references, own }: WholeDocument, directory: string): WrittenReferences[] {
  return [
    { references: references.slice(0, own), directory },
    { references: references.slice(own), directory: '' },
  ];
}

/** The answers for the references of a document: those of its reader, and the contents that it shows. */
export function contentFacts(
  { references }: Pick<WholeDocument, 'references'>,
  {
    reused,
    descriptions,
    spaceId,
  }: {
    readonly reused: ReadonlyMap<string, Document>;
    readonly descriptions: FoundDescriptions;
    readonly spaceId: string;
  },
  reader: ReaderReferences,
): ContentFacts {
  return factsOf(references, {
    ...reader,
    reusable: (ref) => (isOwn(ref, spaceId) ? reused.get(ref.reusableContent) : undefined),
    specification: (ref) => descriptions.of(ref),
  });
}

/** The references of a document, including those of reusable contents at any depth. */
function withReused(
  read: Pick<ReadDocument, 'references' | 'drawn'>,
  reused: ReadonlyMap<string, Document>,
  spaceId: string,
): Pick<ReadDocument, 'references' | 'drawn'> {
  const [documents, references] = [new Set<Document>(), [...read.references]];
  // References of the found ones are appended meanwhile.
  for (let index = 0; index < references.length; index++) {
    const ref = references[index];
    const inside =
      ref?.kind === 'reusable-content' && isOwn(ref, spaceId) ? reused.get(ref.reusableContent) : undefined;
    if (!inside || documents.has(inside)) continue;
    documents.add(inside);
    for (const each of referencesIn(inside)) references.push(each);
  }
  return { references, drawn: [...read.drawn, ...[...documents].flatMap(drawnIn)] };
}
