import { Injectable } from '@nestjs/common';
import { Immutable } from '../../kernel/common/envelope.interceptor.js';
import { notFound } from '../../kernel/common/errors.js';
import { WorkerPool } from '../../kernel/platform/workers/worker-pool.js';
import { mayHoldAnchors } from '../../formats/document/block-ids.js';
import type { Evaluated } from '../../formats/document/evaluate.js';
import { SCHEMA_VERSION } from '../../formats/document/types.js';
import type { ComputedReading, FoundPage } from './computed-pages.js';
import type { ContentPlace } from './content-places.js';
import { DocumentEvaluation } from './document-evaluation.js';
import { DocumentStore } from './document-store.js';
import { DOCUMENT_MARKDOWN, JSON_WITH_IDS } from './document-tasks.js';
import type { Item } from './domain/content-item.js';
import { sourceOfDerived } from './domain/computed/expansion.js';
import { indexPages, pathOf } from './domain/page-paths.js';
import { MarkdownLinks } from './markdown-links.js';
import { ReaderPages } from './reader-pages.js';
import { serializeTitle } from './serialize-title.js';

/** The document of an item that has none. */
export const EMPTY_DOCUMENT = JSON.stringify({
  object: 'document',
  data: { schemaVersion: SCHEMA_VERSION },
  nodes: [],
});

/** Gives the documents of pages and reusable contents as whoever asks may read them: in JSON or in Markdown. */
@Injectable()
export class DocumentRenderer {
  constructor(
    private readonly documents: DocumentStore,
    private readonly evaluation: DocumentEvaluation,
    private readonly links: MarkdownLinks,
    private readonly readerPages: ReaderPages,
    private readonly workers: WorkerPool,
  ) {}

  /** A document by its own id. */
  async stored(spaceId: string, hash: string): Promise<Immutable> {
    const json = /^[0-9a-f]{64}$/.test(hash) ? (await this.documents.json(spaceId, [hash])).get(hash) : undefined;
    if (json === undefined) throw notFound('Document');
    return new Immutable(await this.withIds(json), `"${hash}"`);
  }

  /** The document of a page or reusable content: computed, or as it was written. */
  async json(place: ContentPlace, item: Item, evaluated: Evaluated, reading?: ComputedReading): Promise<string> {
    const computed = await reading?.body(item);
    if (computed) return JSON.stringify(computed);
    const json =
      item.hash === null ? undefined : (await this.documents.json(place.space.id, [item.hash])).get(item.hash);
    if (json === undefined) return EMPTY_DOCUMENT;
    const { reader } = place.space;
    // Readers never get the expressions themselves, nor what conditions hide from them.
    return this.evaluation.evaluate(place.point, item, json, reader ? 'true' : evaluated, reader?.visitor);
  }

  /** The JSON of a document as clients read it: blocks that can be linked to have the ids of the published page. */
  async withIds(json: string): Promise<string> {
    return mayHoldAnchors(json) ? this.workers.run(JSON_WITH_IDS, json) : json;
  }

  /** The document of a page, given in JSON, as Markdown under its title. */
  async markdown(place: ContentPlace, { page, around }: FoundPage, document: string): Promise<string> {
    const body = await this.workers.run(DOCUMENT_MARKDOWN, document);
    const title = serializeTitle(page.title);
    // Pages of one specification refer to each other; they are seen by everybody who sees one of them.
    const generated = around.filter(({ id }) => sourceOfDerived(id) !== undefined);
    const links = await this.links.render(place.point, pathOf(page, indexPages(around)), body, async (pages) => [
      ...(await this.readerPages.seen(place.point, place.space.reader, pages)),
      ...(generated.length === 0 ? [] : around),
    ]);
    return links === '' ? title : `${title}\n${links}`;
  }
}
