import { Injectable } from '@nestjs/common';
import { Cache, textBytes } from '../../kernel/common/cache.js';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { hashText } from '../../formats/document/hash.js';
import {
  FORGET_TEXTS,
  INSERT_DOCUMENTS,
  JSON_SEPARATOR,
  STAGE_DOCUMENTS,
  SWEEP_STAGED,
  SWITCH_CURRENT,
  USE_TEXTS,
  WORD_COUNTS,
} from './document-store.statements.js';

/** The text under one heading of a document. */
export interface DocumentSection {
  /** Anchor of the heading; '' for the text before the first one. */
  readonly anchor: string;
  readonly title: string;
  readonly text: string;
}

/** A reference from a document to another object. */
export interface DocumentReference {
  readonly relation: 'reference' | 'dependsOn';
  readonly kind: string;
  readonly target: string;
  readonly space?: string;
  readonly anchor?: string;
  readonly node?: string;
}

/** A document as stored: its canonical JSON, and data derived from it alone. */
export interface NewDocument {
  readonly hash: string;
  readonly json: string;
  readonly words: number;
  readonly sections: readonly DocumentSection[];
  readonly references: readonly DocumentReference[];
  readonly anchors: readonly string[];
}

/** The current document and title of a page of the primary line; `removed` for a deleted page. */
export type CurrentPage =
  | { readonly page: string; readonly removed: true }
  | {
      readonly page: string;
      readonly removed: false;
      readonly hash: string | null;
      /** The title and description; undefined if no search finds the page. */
      readonly text?: string;
    };

/** Characters of a section that are indexed as one text: PostgreSQL's limit for one vector is 1 MB. */
const SECTION_CHARACTERS = 50_000;
/**
 * Milliseconds for which vectors of texts that are not on the primary line yet are kept, so that merging them need not
 * compute these again.
 */
const DRAFTS_KEPT_MS = 7 * 24 * 60 * 60 * 1000;
const CHUNK_BYTES = 1024 ** 2;

/** Documents of a change that stay in memory: as many as one request of a person writes. */
const REMEMBERED = 50;

/** Immutable documents by hash, and the current ones of the primary line. */
@Injectable()
export class DocumentStore {
  private readonly bodies = new Cache<string>({ share: 12, weigh: textBytes });

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** The numbers of words of current pages, by space and page; pages that readers see in parts have none. */
  async wordCounts(spaceIds: readonly string[]): Promise<Map<string, Map<string, number>>> {
    const rows = await this.database.query<{ spaceId: string; pageId: string; words: number }>(WORD_COUNTS, [spaceIds]);
    const counts = new Map<string, Map<string, number>>();
    for (const { spaceId, pageId, words } of rows)
      counts.set(spaceId, (counts.get(spaceId) ?? new Map<string, number>()).set(pageId, words));
    return counts;
  }

  /**
   * Sends documents with their sections, references and vectors, for a change in the same transaction; existing ones
   * stay unchanged. Statements that are sent after it find all of them; `stored` settles with the last one.
   */
  put(
    spaceId: string,
    language: string | null,
    documents: Iterable<NewDocument>,
  ): Promise<{ readonly stored: Promise<unknown> }> {
    return this.sendAll(INSERT_DOCUMENTS, spaceId, language, this.remembered(spaceId, documents));
  }

  /** Stores documents before a change, which has to claim them. */
  async stage(spaceId: string, language: string | null, documents: Iterable<NewDocument>): Promise<void> {
    const { stored } = await this.sendAll(STAGE_DOCUMENTS, spaceId, language, documents);
    await stored;
  }

  /** Makes staged documents permanent, in the transaction of their change; false if one has been swept. */
  async claim(spaceId: string, hashes: Iterable<string>): Promise<boolean> {
    const wanted = [...new Set(hashes)].map(bytes);
    await this.database.execute('DELETE FROM document_staged WHERE space_id = $1 AND hash = ANY ($2::bytea[])', [
      spaceId,
      wanted,
    ]);
    const found = await this.database.one<{ count: number }>(
      'SELECT count(*)::int AS count FROM document WHERE space_id = $1 AND hash = ANY ($2::bytea[])',
      [spaceId, wanted],
    );
    return found?.count === wanted.length;
  }

  /**
   * Removes documents that were staged before a time and never claimed, at most so many in one transaction; returns the
   * number removed.
   */
  async sweep(before: Date, batch: number): Promise<number> {
    const spaces = await this.database.query<{ id: string }>(
      'SELECT DISTINCT space_id AS id FROM document_staged WHERE staged_at < $1',
      [before],
    );
    let total = 0;
    for (const { id } of spaces) {
      for (let isMore = true; isMore;) {
        const { seen = 0, removed = 0 } =
          (await this.database.one<{ seen: number; removed: number }>(SWEEP_STAGED, [id, before, batch])) ?? {};
        total += removed;
        isMore = seen === batch;
      }
    }
    return total;
  }

  /** Keeps the first of these documents for the next reading, which is soon where a person writes. */
  private *remembered(spaceId: string, documents: Iterable<NewDocument>): Generator<NewDocument> {
    let kept = 0;
    for (const document of documents) {
      const { hash, json } = document;
      if (kept++ < REMEMBERED) this.database.afterCommit(() => this.bodies.set(`${spaceId}:${hash}`, json));
      yield document;
    }
  }

  /** Sends documents in batches; `stored` settles with the last one. */
  private async sendAll(
    statement: string,
    spaceId: string,
    language: string | null,
    documents: Iterable<NewDocument>,
  ): Promise<{ readonly stored: Promise<unknown> }> {
    let stored: Promise<unknown> = Promise.resolve();
    for (const batch of chunks(documents)) {
      // While the database stores one batch, the next one is prepared.
      await stored;
      stored = this.insert(statement, spaceId, language, batch);
      // The caller waits for it, but may fail before that.
      stored.catch(() => undefined);
    }
    return { stored };
  }

  private insert(
    statement: string,
    spaceId: string,
    language: string | null,
    batch: readonly NewDocument[],
  ): Promise<number> {
    const sections = batch.map((each) => each.sections.flatMap(partsOf));
    const now = this.clock.now();
    return this.database.execute(statement, [
      spaceId,
      batch.map((each) => each.hash),
      batch.map((each) => each.json).join(JSON_SEPARATOR),
      batch.map((each) => each.words),
      sections.map((parts) => JSON.stringify(parts)).join(JSON_SEPARATOR),
      batch
        .map((each) => JSON.stringify(each.references.map((reference, idx) => ({ idx, ...reference }))))
        .join(JSON_SEPARATOR),
      now,
      language,
      sections.map((parts) =>
        parts.map(({ title, text }) => hashText(`${Buffer.byteLength(title)} ${title}${text}`)).join(' '),
      ),
      batch.map((each) => JSON.stringify(each.anchors)).join(JSON_SEPARATOR),
      new Date(now.getTime() + DRAFTS_KEPT_MS),
    ]);
  }

  /**
   * The canonical JSON of documents by hash; unknown hashes are left out. `keep` is false for reads of a whole space,
   * which bypass the cache.
   */
  async json(
    spaceId: string,
    hashes: Iterable<string>,
    { keep = true }: { keep?: boolean } = {},
  ): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    const missing: string[] = [];
    for (const hash of new Set(hashes)) {
      const known = this.bodies.get(`${spaceId}:${hash}`);
      if (known === undefined) missing.push(hash);
      else found.set(hash, known);
    }
    if (missing.length === 0) return found;
    const rows = await this.database.query<{ hash: Buffer; body: string }>(
      'SELECT hash, body::text AS body FROM document WHERE space_id = $1 AND hash = ANY ($2::bytea[])',
      [spaceId, missing.map(bytes)],
    );
    for (const row of rows) {
      const hash = row.hash.toString('hex');
      found.set(hash, row.body);
      if (keep) this.bodies.set(`${spaceId}:${hash}`, row.body);
    }
    return found;
  }

  /** Those of these documents that show something in place of a reference: reusable contents, or operations of APIs. */
  async showing(spaceId: string, hashes: readonly string[]): Promise<Set<string>> {
    const rows = await this.database.query<{ hash: Buffer }>(
      `SELECT DISTINCT hash FROM document_ref WHERE space_id = $1 AND hash = ANY ($2::bytea[]) AND relation = 'dependsOn'`,
      [spaceId, hashes.map(bytes)],
    );
    return new Set(rows.map(({ hash }) => hash.toString('hex')));
  }

  /**
   * Makes these the documents and titles of primary's pages, for search and links; `sequence` is that of the revision
   * which changes the pages, if they are stored ones. The cost depends on the changes, not on the space.
   */
  async switchCurrent(
    spaceId: string,
    language: string | null,
    pages: readonly CurrentPage[],
    sequence?: number,
  ): Promise<void> {
    if (pages.length === 0) return;
    const hashes = pages.flatMap((each) => (each.removed || each.hash === null ? [] : [bytes(each.hash)]));
    await Promise.all([
      this.database.execute(USE_TEXTS, [spaceId, hashes]),
      this.database.execute(SWITCH_CURRENT, [
        spaceId,
        JSON.stringify(pages),
        this.clock.now(),
        language,
        sequence ?? null,
      ]),
    ]);
  }

  /**
   * Drops the search vectors of at most `limit` texts that were superseded before a time; returns how many were
   * examined.
   */
  async forgetSuperseded(before: Date, limit: number): Promise<number> {
    const row = await this.database.one<{ count: number }>(FORGET_TEXTS, [before, limit]);
    return row?.count ?? 0;
  }
}

function bytes(hash: string): Buffer {
  return Buffer.from(hash, 'hex');
}

/** Splits a section into parts that fit into one vector. */
function partsOf({ text, ...section }: DocumentSection): DocumentSection[] {
  const parts: DocumentSection[] = [];
  let start = 0;
  do {
    const end = start + SECTION_CHARACTERS - (isHighSurrogate(text.charCodeAt(start + SECTION_CHARACTERS - 1)) ? 1 : 0);
    parts.push({ ...section, text: text.slice(start, end) });
    start = end;
  } while (start < text.length);
  return parts;
}

/** Tells whether a code unit is the first half of a surrogate pair, which must not be split. */
function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** Documents without duplicates, in batches for small statements. */
function* chunks(documents: Iterable<NewDocument>): Generator<NewDocument[]> {
  const hashes = new Set<string>();
  let batch: NewDocument[] = [];
  let size = 0;
  for (const document of documents) {
    if (hashes.has(document.hash)) continue;
    hashes.add(document.hash);
    batch.push(document);
    size += document.json.length * 3;
    if (size < CHUNK_BYTES) continue;
    yield batch;
    batch = [];
    size = 0;
  }
  if (batch.length > 0) yield batch;
}
