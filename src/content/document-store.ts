import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../common/clock.js';
import { Database } from '../common/database.js';

/** The text under one heading of a document. */
export interface DocumentSection {
  /** Anchor of the heading; '' for what stands before the first one. */
  readonly anchor: string;
  readonly level: number;
  readonly title: string;
  readonly text: string;
}

/** A reference from a document to something else. */
export interface DocumentReference {
  readonly relation: 'reference' | 'dependsOn';
  readonly kind: string;
  readonly target: string;
  readonly space?: string;
  readonly anchor?: string;
  readonly node?: string;
}

/** A document as it is stored: its canonical JSON, and what follows from it alone. */
export interface NewDocument {
  readonly hash: string;
  readonly json: string;
  readonly words: number;
  readonly sections: readonly DocumentSection[];
  readonly references: readonly DocumentReference[];
  readonly anchors: readonly string[];
  /** A document with mostly the same sections, whose vectors are taken over: making them is most of the cost of storing a document. */
  readonly previous?: string;
}

/** Which document and title a page of the primary line has now; `removed` for a page that is gone. */
export type CurrentPage =
  | { readonly page: string; readonly removed: true }
  | { readonly page: string; readonly removed: false; readonly hash: string | null; readonly title: string; readonly description: string };

const CACHE_BYTES = 64 * 1024 ** 2;
/** Characters of a section that are indexed as one row: PostgreSQL's limit for one vector is 1 MB. */
const SECTION_CHARACTERS = 50_000;
const CHUNK_BYTES = 1024 ** 2;

/** Stands between JSON texts that are sent as one: none holds a control character, and their client takes long to write them as an array. */
const SEPARATOR = '\u001e';
const list = (parameter: string): string => `string_to_array(${parameter}, chr(${SEPARATOR.charCodeAt(0)}))`;

/** Nothing sweeps a document that a change names. */
const CLAIMED = 'DELETE FROM document_staged s USING input i WHERE s.space_id = $1 AND s.hash = i.hash';
const STAGED = `INSERT INTO document_staged (space_id, hash, staged_at) SELECT DISTINCT $1::text, hash, $7::timestamptz FROM input ORDER BY hash
    ON CONFLICT (space_id, hash) DO UPDATE SET staged_at = excluded.staged_at`;

/**
 * Stores documents. The mark comes first: it waits for a sweep that is removing one of them, which is inserted anew after
 * that.
 */
const insertMarked = (mark: string): string => `WITH input AS (
    SELECT decode(d.hash, 'hex') AS hash, d.body, d.words, d.sections, d.refs, decode(d.previous, 'hex') AS previous, d.anchors
      FROM unnest($2::text[], ${list('$3')}, $4::int[], ${list('$5')}::jsonb[], ${list('$6')}::jsonb[], $9::text[], ${list('$10')}::jsonb[]) AS d(hash, body, words, sections, refs, previous, anchors)),
  marked AS (${mark} RETURNING 1),
  stored AS (
    INSERT INTO document (space_id, hash, body, words, anchors, created_at)
    SELECT $1, hash, body::json, words, ARRAY(SELECT jsonb_array_elements_text(anchors)), $7 FROM input WHERE (SELECT count(*) FROM marked) >= 0
    ON CONFLICT DO NOTHING RETURNING hash),
  section AS MATERIALIZED (
    SELECT i.hash, s.*, p.vector IS NULL AS fresh, coalesce(p.heading_vector, search_vector($1, search_config($8), s.title)) AS heading_vector,
           coalesce(p.vector, search_vector($1, search_config($8), s.title || ' ' || s.text)) AS vector
      FROM stored JOIN input i USING (hash)
     CROSS JOIN LATERAL jsonb_to_recordset(i.sections) AS s(idx int, anchor text, level smallint, title text, text text)
      LEFT JOIN LATERAL (
        SELECT p.heading_vector, p.vector FROM document_section p
         WHERE p.space_id = $1 AND p.hash = i.previous AND p.title = s.title AND p.body = s.text AND p.vector IS NOT NULL LIMIT 1) p ON true),
  sections AS (
    INSERT INTO document_section (space_id, hash, idx, anchor, level, title, body, heading_vector, vector)
    SELECT $1, hash, idx, anchor, level, title, text, heading_vector, vector FROM section),
  words AS (
    INSERT INTO search_word (space_id, word, letters)
    SELECT $1, w.word, search_letters(w.word) FROM search_new_words($1, ARRAY(SELECT vector FROM section WHERE fresh)) AS w (word))
  INSERT INTO document_ref (space_id, hash, idx, relation, kind, target, target_space_id, anchor, node)
  SELECT $1, i.hash, r.idx, r.relation, r.kind, r.target, r.space, r.anchor, r.node
    FROM stored JOIN input i USING (hash)
   CROSS JOIN LATERAL jsonb_to_recordset(i.refs) AS r(idx int, relation text, kind text, target text, space text, anchor text, node text)`;
const INSERT = insertMarked(CLAIMED);
const STAGE = insertMarked(STAGED);

/** Removes documents of the space $1 that were staged before $2 and that nothing has come to name, of $3 at a time. */
const SWEEP = `WITH old AS MATERIALIZED (
    SELECT hash FROM document_staged WHERE space_id = $1 AND staged_at < $2 LIMIT $3 FOR UPDATE SKIP LOCKED),
  looked_at AS (
    DELETE FROM document_staged s USING old WHERE s.space_id = $1 AND s.hash = old.hash),
  removed AS (
    DELETE FROM document d USING old WHERE d.space_id = $1 AND d.hash = old.hash
       AND NOT EXISTS (SELECT FROM content_item i WHERE i.space_id = $1 AND i.kind IN ('page', 'reusable') AND i.hash = old.hash)
       AND NOT EXISTS (SELECT FROM content_undo u WHERE u.space_id = $1 AND u.kind IN ('page', 'reusable') AND u.hash = old.hash)
    RETURNING 1)
  SELECT (SELECT count(*) FROM old)::int AS seen, (SELECT count(*) FROM removed)::int AS removed`;

/** The vectors of these documents again, where they were dropped. */
const REVIVE = `WITH current AS (
    DELETE FROM document_superseded WHERE space_id = $1 AND hash = ANY ($2::bytea[]))
  UPDATE document_section SET heading_vector = search_vector($1, search_config($3), title),
         vector = search_vector($1, search_config($3), title || ' ' || body)
   WHERE space_id = $1 AND hash = ANY ($2::bytea[]) AND vector IS NULL`;

const SWITCH = `WITH input AS (
    SELECT i.page, i.removed, decode(i.hash, 'hex') AS hash, i.text
      FROM jsonb_to_recordset($2::jsonb) AS i(page text, removed boolean, hash text, text text)),
  superseded AS (
    INSERT INTO document_superseded (space_id, hash, at)
    SELECT DISTINCT $1, c.hash, $3::timestamptz FROM page_current c JOIN input i ON i.page = c.page_id
     WHERE c.space_id = $1 AND c.hash IS NOT NULL AND (i.removed OR c.hash IS DISTINCT FROM i.hash)
    ON CONFLICT (space_id, hash) DO UPDATE SET at = excluded.at),
  removed AS (
    DELETE FROM page_current c USING input i WHERE i.removed AND c.space_id = $1 AND c.page_id = i.page),
  titles AS MATERIALIZED (SELECT page, hash, search_vector($1, search_config($4), text) AS vector FROM input WHERE NOT removed),
  words AS (
    INSERT INTO search_word (space_id, word, letters)
    SELECT $1, w.word, search_letters(w.word) FROM search_new_words($1, ARRAY(SELECT vector FROM titles)) AS w (word))
  INSERT INTO page_current (space_id, page_id, hash, title_vector)
  SELECT $1, page, hash, vector FROM titles
  ON CONFLICT (space_id, page_id) DO UPDATE SET hash = excluded.hash, title_vector = excluded.title_vector`;

/** Drops the vectors of documents that left the primary line before a time, so that old versions do not slow the search. */
const FORGET = `WITH old AS (
    DELETE FROM document_superseded WHERE (space_id, hash) IN (
      SELECT space_id, hash FROM document_superseded WHERE at < $1 ORDER BY at LIMIT $2 FOR UPDATE SKIP LOCKED)
    RETURNING space_id, hash),
  swept AS (
    UPDATE document_section s SET heading_vector = NULL, vector = NULL FROM old
     WHERE s.space_id = old.space_id AND s.hash = old.hash AND s.vector IS NOT NULL
       AND NOT EXISTS (SELECT FROM page_current c WHERE c.space_id = old.space_id AND c.hash = old.hash))
  SELECT count(*)::int AS count FROM old`;

/** Immutable documents by hash, and which of them are current on the primary line. */
@Injectable()
export class DocumentStore {
  private readonly bodies = new LRUCache<string, string>({ maxSize: CACHE_BYTES, sizeCalculation: (json) => 2 * json.length + 100 });

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Stores documents with their sections, references and vectors, for a change in the same transaction; those that are there already stay as they are. */
  async put(spaceId: string, language: string | null, documents: Iterable<NewDocument>): Promise<void> {
    await this.insertAll(INSERT, spaceId, language, documents);
  }

  /** Stores them ahead of a change, which has to claim them. */
  async stage(spaceId: string, language: string | null, documents: Iterable<NewDocument>): Promise<void> {
    await this.insertAll(STAGE, spaceId, language, documents);
  }

  /** Keeps staged documents for good, in the transaction of the change that names them; false where one has been swept. */
  async claim(spaceId: string, hashes: Iterable<string>): Promise<boolean> {
    const wanted = [...new Set(hashes)].map(bytes);
    await this.database.execute('DELETE FROM document_staged WHERE space_id = $1 AND hash = ANY ($2::bytea[])', [spaceId, wanted]);
    const found = await this.database.one<{ count: number }>('SELECT count(*)::int AS count FROM document WHERE space_id = $1 AND hash = ANY ($2::bytea[])', [spaceId, wanted]);
    return found?.count === wanted.length;
  }

  /** Removes documents that were staged before a time and never claimed, at most so many in one transaction; gives the number removed. */
  async sweep(before: Date, batch: number): Promise<number> {
    const spaces = await this.database.query<{ id: string }>('SELECT DISTINCT space_id AS id FROM document_staged WHERE staged_at < $1', [before]);
    let total = 0;
    for (const { id } of spaces) {
      for (let isMore = true; isMore; ) {
        const { seen = 0, removed = 0 } = (await this.database.one<{ seen: number; removed: number }>(SWEEP, [id, before, batch])) ?? {};
        total += removed;
        isMore = seen === batch;
      }
    }
    return total;
  }

  private async insertAll(statement: string, spaceId: string, language: string | null, documents: Iterable<NewDocument>): Promise<void> {
    let running = Promise.resolve(0);
    try {
      // While the database stores some of them, the next ones are made.
      for (const batch of chunks(documents)) {
        await running;
        running = this.insert(statement, spaceId, language, batch);
      }
    } finally {
      await running;
    }
  }

  private insert(statement: string, spaceId: string, language: string | null, batch: readonly NewDocument[]): Promise<number> {
    return this.database.execute(statement, [
      spaceId,
      batch.map((each) => each.hash),
      batch.map((each) => each.json).join(SEPARATOR),
      batch.map((each) => each.words),
      batch.map((each) => JSON.stringify(sectionRows(each.sections))).join(SEPARATOR),
      batch.map((each) => JSON.stringify(each.references.map((reference, idx) => ({ idx, ...reference })))).join(SEPARATOR),
      this.clock.now(),
      language,
      batch.map((each) => each.previous ?? null),
      batch.map((each) => JSON.stringify(each.anchors)).join(SEPARATOR),
    ]);
  }

  /** The canonical JSON of documents by hash; unknown hashes are left out. `keep` is false for those who go through a whole space. */
  async json(spaceId: string, hashes: Iterable<string>, { keep = true }: { keep?: boolean } = {}): Promise<Map<string, string>> {
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

  /** Makes these the documents and titles of primary's pages, for search and links. Costs what changed, not the space. */
  async switchCurrent(spaceId: string, language: string | null, pages: readonly CurrentPage[]): Promise<void> {
    if (pages.length === 0) return;
    const rows = pages.map((each) => (each.removed ? each : { ...each, text: `${each.title} ${each.description}` }));
    const hashes = pages.flatMap((each) => (each.removed || each.hash === null ? [] : [bytes(each.hash)]));
    await this.database.execute(SWITCH, [spaceId, JSON.stringify(rows), this.clock.now(), language]);
    await this.database.execute(REVIVE, [spaceId, hashes, language]);
  }

  /** Drops search vectors of at most `limit` documents that were superseded before a time; gives how many were looked at. */
  async forgetSuperseded(before: Date, limit: number): Promise<number> {
    const row = await this.database.one<{ count: number }>(FORGET, [before, limit]);
    return row?.count ?? 0;
  }
}

function bytes(hash: string): Buffer {
  return Buffer.from(hash, 'hex');
}

function sectionRows(sections: readonly DocumentSection[]): object[] {
  const rows: object[] = [];
  for (const { text, ...section } of sections) {
    let start = 0;
    do {
      const end = start + SECTION_CHARACTERS - (isHighSurrogate(text.charCodeAt(start + SECTION_CHARACTERS - 1)) ? 1 : 0);
      rows.push({ idx: rows.length, ...section, text: text.slice(start, end) });
      start = end;
    } while (start < text.length);
  }
  return rows;
}

/** Whether a code unit is the first half of a pair, which must not be cut. */
function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** Each document once, in batches for statements that stay small. */
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
