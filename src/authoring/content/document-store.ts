import { Injectable } from '@nestjs/common';
import { Cache, textBytes } from '../../kernel/common/cache.js';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { hashText } from '../../formats/document/hash.js';

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

/**
 * Separates JSON texts that are sent as one: JSON contains no control characters, and the driver is slow to write
 * arrays.
 */
const SEPARATOR = '\u001e';
const list = (parameter: string): string => `string_to_array(${parameter}, chr(${SEPARATOR.charCodeAt(0)}))`;

/** The search vectors of a section, in the language of a parameter: that of the heading is only compared, so it needs no place. */
const vectorsOf = (
  section: string,
  language: string,
): string => `search_vector('{}', search_config(${language}), ${section} ->> 'title') AS heading_vector,
           search_vector((SELECT search_scopes($1)), search_config(${language}), (${section} ->> 'title') || ' ' || (${section} ->> 'text')) AS vector`;

/** Protects the document of a change from the sweep. */
const CLAIMED = 'DELETE FROM document_staged s USING input i WHERE s.space_id = $1 AND s.hash = i.hash';
const STAGED = `INSERT INTO document_staged (space_id, hash, staged_at) SELECT DISTINCT $1::text, hash, $7::timestamptz FROM input ORDER BY hash
    ON CONFLICT (space_id, hash) DO UPDATE SET staged_at = excluded.staged_at`;

/**
 * Stores documents. The mark comes first: it waits for a sweep that is removing one of them, which is then inserted
 * again.
 */
const insertMarked = (mark: string): string => `WITH input AS MATERIALIZED (
    SELECT decode(d.hash, 'hex') AS hash, d.body, d.words, d.sections, ARRAY(SELECT decode(text, 'hex') FROM string_to_table(d.texts, ' ') AS text) AS texts, d.refs, d.anchors
      FROM unnest($2::text[], ${list('$3')}, $4::int[], ${list('$5')}::jsonb[], ${list('$6')}::jsonb[], $9::text[], ${list('$10')}::jsonb[]) AS d(hash, body, words, sections, refs, texts, anchors)),
  marked AS (${mark} RETURNING 1),
  stored AS (
    INSERT INTO document (space_id, hash, body, words, anchors, sections, section_texts, created_at)
    SELECT $1, hash, body::json, words, ARRAY(SELECT jsonb_array_elements_text(anchors)), sections, texts, $7 FROM input WHERE (SELECT count(*) FROM marked) >= 0
    ON CONFLICT DO NOTHING RETURNING hash),
  fresh AS MATERIALIZED (
    SELECT DISTINCT ON (t.hash) t.hash, i.sections -> (t.idx - 1)::int AS section
      FROM input i CROSS JOIN LATERAL unnest(i.texts) WITH ORDINALITY AS t (hash, idx)
     WHERE (SELECT true FROM section_vector v WHERE v.space_id = $1 AND v.hash = t.hash LIMIT 1) IS NULL ORDER BY t.hash),
  made AS MATERIALIZED (SELECT hash, ${vectorsOf('section', '$8')} FROM fresh),
  vectors AS (
    INSERT INTO section_vector (space_id, hash, heading_vector, vector) SELECT $1, hash, heading_vector, vector FROM made ON CONFLICT DO NOTHING),
  unused AS (
    INSERT INTO section_unused (space_id, hash, since) SELECT $1, hash, $11::timestamptz FROM made ON CONFLICT DO NOTHING),
  words AS (
    INSERT INTO space_vocabulary (space_id, words)
    SELECT $1, w.words FROM search_words(ARRAY(SELECT vector FROM made)) AS w (words) WHERE w.words IS NOT NULL)
  INSERT INTO document_ref (space_id, hash, idx, relation, kind, target, target_space_id, anchor, node)
  SELECT $1, i.hash, r.idx, r.relation, r.kind, r.target, r.space, r.anchor, r.node
    FROM stored JOIN input i USING (hash)
   CROSS JOIN LATERAL jsonb_to_recordset(i.refs) AS r(idx int, relation text, kind text, target text, space text, anchor text, node text)`;
const INSERT = insertMarked(CLAIMED);
const STAGE = insertMarked(STAGED);

/** Removes documents of the space $1 that were staged before $2 and never claimed, at most $3 at a time. */
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

/** The numbers of words of the current pages of spaces; none for documents of which a part has a condition. */
const WORDS = `SELECT c.space_id AS "spaceId", c.page_id AS "pageId", d.words FROM page_current c JOIN document d ON d.space_id = c.space_id AND d.hash = c.hash
   WHERE c.space_id = ANY ($1) AND NOT EXISTS (SELECT FROM document f WHERE f.space_id = d.space_id AND f.hash = d.hash AND f.body::text LIKE '%"type":"if"%')`;

/**
 * Marks the texts of these documents as used. Waits while their vectors are being dropped, so that the next statement
 * sees that.
 */
const USE = `DELETE FROM section_unused WHERE ctid = ANY (ARRAY(
    SELECT u.place FROM document d CROSS JOIN LATERAL unnest(d.section_texts) AS t (hash)
     CROSS JOIN LATERAL (SELECT u.ctid AS place FROM section_unused u WHERE u.space_id = $1 AND u.hash = t.hash OFFSET 0) u
     WHERE d.space_id = $1 AND d.hash = ANY ($2::bytea[])))`;

const textsOf = (hash: string): string => `SELECT i.page, i.${hash} AS document, t.hash, t.idx FROM input i
     CROSS JOIN LATERAL (SELECT d.section_texts FROM document d WHERE d.space_id = $1 AND d.hash = i.${hash} OFFSET 0) d
     CROSS JOIN LATERAL unnest(d.section_texts) WITH ORDINALITY AS t (hash, idx) WHERE i.hash IS DISTINCT FROM i.before`;

/**
 * Only writes texts that a page gains or loses; texts without vectors get them again, and a title keeps its vector where
 * the revision $5 left the title and description as they were. OFFSET leaves the planner no other way to a row than its
 * key, and CASE none but a table of hashes; these rows do not change concurrently, so the physical address of a row is as
 * good as its key.
 */
const SWITCH = `WITH input AS MATERIALIZED (
    SELECT i.page, i.removed, decode(i.hash, 'hex') AS hash, i.text, c.hash AS before, CASE WHEN u.text IS NOT DISTINCT FROM i.text THEN u.title_vector END AS vector
      FROM jsonb_to_recordset($2::jsonb) AS i(page text, removed boolean, hash text, text text)
      LEFT JOIN LATERAL (SELECT c.hash, c.title_vector FROM page_current c WHERE c.space_id = $1 AND c.page_id = i.page OFFSET 0) c ON true
      LEFT JOIN LATERAL (
        SELECT c.title_vector, CASE WHEN u.props -> 'noIndex' = 'true' THEN NULL ELSE u.title || ' ' || coalesce(u.props ->> 'description', '') END AS text
          FROM content_undo u WHERE u.space_id = $1 AND u.line = '' AND u.sequence = $5 AND u.kind = 'page' AND u.id = i.page AND u.existed OFFSET 0) u ON true),
  had AS MATERIALIZED (${textsOf('before')}),
  has AS MATERIALIZED (${textsOf('hash')}),
  lost AS MATERIALIZED (SELECT page, hash FROM had EXCEPT SELECT page, hash FROM has),
  gained AS MATERIALIZED (SELECT page, hash FROM has EXCEPT SELECT page, hash FROM had),
  gone AS (
    DELETE FROM section_current WHERE ctid = ANY (ARRAY(
      SELECT c.place FROM lost l CROSS JOIN LATERAL (
        SELECT c.ctid AS place FROM section_current c WHERE c.space_id = $1 AND c.hash = l.hash AND c.page_id = l.page OFFSET 0) c))),
  unused AS (
    INSERT INTO section_unused (space_id, hash, since) SELECT DISTINCT $1, hash, $3::timestamptz FROM lost
    ON CONFLICT (space_id, hash) DO UPDATE SET since = excluded.since),
  come AS (
    INSERT INTO section_current (space_id, hash, page_id) SELECT $1, hash, page FROM gained),
  missing AS MATERIALIZED (
    SELECT DISTINCT ON (h.hash) h.hash, h.document, h.idx FROM has h
     WHERE CASE WHEN h.hash IN (
       SELECT g.hash FROM gained g WHERE (SELECT true FROM section_vector v WHERE v.space_id = $1 AND v.hash = g.hash LIMIT 1) IS NULL) THEN true ELSE false END ORDER BY h.hash),
  revived AS (
    INSERT INTO section_vector (space_id, hash, heading_vector, vector)
    SELECT $1, m.hash, ${vectorsOf('d.section', '$4')}
      FROM missing m CROSS JOIN LATERAL (SELECT d.sections -> (m.idx - 1)::int AS section FROM document d WHERE d.space_id = $1 AND d.hash = m.document OFFSET 0) d
    ON CONFLICT DO NOTHING),
  removed AS (
    DELETE FROM page_current WHERE space_id = $1 AND page_id = ANY (ARRAY(SELECT page FROM input WHERE removed))),
  titles AS MATERIALIZED (
    SELECT page, hash, vector IS NULL AS is_new,
           CASE WHEN vector IS NOT NULL THEN vector WHEN text IS NULL THEN '' ELSE search_vector((SELECT search_scopes($1)), search_config($4), text) END AS vector
      FROM input WHERE NOT removed),
  words AS (
    INSERT INTO space_vocabulary (space_id, words)
    SELECT $1, w.words FROM search_words(ARRAY(SELECT vector FROM titles WHERE is_new)) AS w (words) WHERE w.words IS NOT NULL)
  INSERT INTO page_current (space_id, page_id, hash, title_vector)
  SELECT $1, page, hash, vector FROM titles
  ON CONFLICT (space_id, page_id) DO UPDATE SET hash = excluded.hash, title_vector = excluded.title_vector`;

/** Drops the vectors of texts that no page has had since a time, so that old versions do not slow the search. */
const FORGET = `WITH unused AS (
    DELETE FROM section_unused WHERE (space_id, hash) IN (
      SELECT space_id, hash FROM section_unused WHERE since < $1 ORDER BY since LIMIT $2 FOR UPDATE SKIP LOCKED)
    RETURNING space_id, hash),
  dropped AS (
    DELETE FROM section_vector v USING unused u WHERE v.space_id = u.space_id AND v.hash = u.hash
       AND NOT EXISTS (SELECT FROM section_current c WHERE c.space_id = u.space_id AND c.hash = u.hash))
  SELECT count(*)::int AS count FROM unused`;

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
    const rows = await this.database.query<{ spaceId: string; pageId: string; words: number }>(WORDS, [spaceIds]);
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
    return this.sendAll(INSERT, spaceId, language, this.remembered(spaceId, documents));
  }

  /** Stores documents before a change, which has to claim them. */
  async stage(spaceId: string, language: string | null, documents: Iterable<NewDocument>): Promise<void> {
    const { stored } = await this.sendAll(STAGE, spaceId, language, documents);
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
          (await this.database.one<{ seen: number; removed: number }>(SWEEP, [id, before, batch])) ?? {};
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
      batch.map((each) => each.json).join(SEPARATOR),
      batch.map((each) => each.words),
      sections.map((parts) => JSON.stringify(parts)).join(SEPARATOR),
      batch
        .map((each) => JSON.stringify(each.references.map((reference, idx) => ({ idx, ...reference }))))
        .join(SEPARATOR),
      now,
      language,
      sections.map((parts) =>
        parts.map(({ title, text }) => hashText(`${Buffer.byteLength(title)} ${title}${text}`)).join(' '),
      ),
      batch.map((each) => JSON.stringify(each.anchors)).join(SEPARATOR),
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
      this.database.execute(USE, [spaceId, hashes]),
      this.database.execute(SWITCH, [spaceId, JSON.stringify(pages), this.clock.now(), language, sequence ?? null]),
    ]);
  }

  /**
   * Drops the search vectors of at most `limit` texts that were superseded before a time; returns how many were
   * examined.
   */
  async forgetSuperseded(before: Date, limit: number): Promise<number> {
    const row = await this.database.one<{ count: number }>(FORGET, [before, limit]);
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
