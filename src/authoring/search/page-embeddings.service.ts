import { createHash } from 'node:crypto';
import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Database } from '../../kernel/common/database.js';
import { CONFIG, type Config } from '../../kernel/platform/config/config.js';
import { Jobs } from '../../kernel/platform/jobs/jobs.js';
import { meanDirection, sketchOf } from '../../kernel/platform/sentence-vectors/domain/sketch.js';
import { Metrics } from '../../kernel/platform/telemetry/metrics.js';
import { SentenceVectors, type VectorSource } from '../../kernel/platform/sentence-vectors/sentence-vectors.js';

const BATCH = 20;
/** Sections of one page that have vectors; further ones are found by their words. */
const MAX_SECTIONS = 500;
const MAX_TITLE = 200;
/** Characters of a section that a service gets beside its titles; the built-in model is better and faster without. */
const BODY: Readonly<Record<VectorSource, number>> = { model: 0, service: 1_000 };

interface DuePage {
  readonly space: string;
  readonly page: string;
  readonly generation: number;
  /** Null for a page that is no more; `en` where the space names none. */
  readonly language: string | null;
  readonly title: string;
  readonly sections: readonly { readonly hash: string; readonly title: string; readonly body: string }[];
  /** The source of the vectors that the page has, in hexadecimal digits. */
  readonly source: string | null;
}

/** The texts of a page whose vectors are made, one for each of its sections. */
interface Described {
  readonly space: string;
  readonly page: string;
  /** The SHA-256 of the texts, in hexadecimal digits. */
  readonly source: string;
  readonly hashes: readonly string[];
  readonly texts: readonly string[];
  /** Whether the vectors that the page has are still right. */
  readonly isSame: boolean;
}

const DUE = `SELECT d.space_id AS space, d.page_id AS page, d.generation, CASE WHEN s.id IS NOT NULL THEN coalesce(s.language, 'en') END AS language, coalesce(left(i.title, ${MAX_TITLE}), '') AS title, coalesce(t.sections, '[]') AS sections, encode(e.source, 'hex') AS source
  FROM (SELECT space_id, page_id, generation FROM page_embedding_due WHERE space_id > $3 ORDER BY space_id, page_id LIMIT ${BATCH}) d
  LEFT JOIN page_current p ON p.space_id = d.space_id AND p.page_id = d.page_id
  LEFT JOIN space s ON s.id = p.space_id
  LEFT JOIN content_item i ON i.space_id = p.space_id AND i.line = '' AND i.kind = 'page' AND i.id = p.page_id
  LEFT JOIN page_embedding e ON e.space_id = d.space_id AND e.page_id = d.page_id AND e.model = $2
  LEFT JOIN LATERAL (
    SELECT jsonb_agg(jsonb_build_object('hash', encode(x.hash, 'hex'), 'title', left(x.section ->> 'title', ${MAX_TITLE}), 'body', left(x.section ->> 'text', $1)) ORDER BY x.idx) AS sections
      FROM (SELECT u.hash, u.idx, c.sections -> (u.idx - 1)::int AS section FROM document c CROSS JOIN LATERAL unnest(c.section_texts) WITH ORDINALITY AS u (hash, idx)
             WHERE c.space_id = p.space_id AND c.hash = p.hash AND u.idx <= ${MAX_SECTIONS}) x) t ON true`;

const COUNT = 'SELECT count(*) AS count FROM page_embedding_due';

const FORGET = `DELETE FROM page_embedding WHERE ctid = ANY (ARRAY(
  SELECT e.ctid FROM unnest($1::text[], $2::text[]) AS d (space, page) JOIN page_embedding e ON e.space_id = d.space AND e.page_id = d.page FOR UPDATE OF e))`;

const KEEP = `INSERT INTO page_embedding (space_id, page_id, model, source, sketch, hashes, sketches)
  SELECT m.space, m.page, $2, decode(m.source, 'hex'), m.whole::bit varying, ARRAY(SELECT decode(h, 'hex') FROM unnest(m.hashes) AS h), m.parts::bit varying[]
    FROM jsonb_to_recordset($1::jsonb) AS m (space text, page text, source text, whole text, hashes text[], parts text[])
      ON CONFLICT (space_id, page_id) DO UPDATE SET model = excluded.model, source = excluded.source, sketch = excluded.sketch, hashes = excluded.hashes, sketches = excluded.sketches`;

const RENAME = `UPDATE page_embedding e SET hashes = ARRAY(SELECT decode(h, 'hex') FROM unnest(m.hashes) AS h)
  FROM jsonb_to_recordset($1::jsonb) AS m (space text, page text, hashes text[]) WHERE e.space_id = m.space AND e.page_id = m.page`;

/** Pages that were changed meanwhile, or are being changed, stay due. */
const DONE = `DELETE FROM page_embedding_due WHERE ctid = ANY (ARRAY(
  SELECT p.ctid FROM unnest($1::text[], $2::text[], $3::int[]) AS d (space, page, generation)
    JOIN page_embedding_due p ON p.space_id = d.space AND p.page_id = d.page AND p.generation = d.generation FOR UPDATE OF p SKIP LOCKED))`;

/**
 * Makes the vectors by which pages are found that mean what a query means: in the background, twenty pages at a time.
 * The database knows which pages are due, so that a crash loses none.
 */
@Injectable()
export class PageEmbeddings implements OnModuleInit {
  private readonly logger = new Logger(PageEmbeddings.name);
  private hasCheckedModel = false;
  /** The space with the last pages that were taken: spaces take turns, so that none waits for all pages of a large one. */
  private lastSpace = '';

  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'searchVectors'>,
    private readonly database: Database,
    private readonly jobs: Jobs,
    private readonly vectors: SentenceVectors,
    @Inject(Metrics) { registry }: Pick<Metrics, 'registry'>,
  ) {
    new Gauge({
      name: 'bindery_search_pages_due',
      help: 'Pages whose vectors for the search by meaning are still to be made',
      registers: [registry],
      aggregator: 'max',
      async collect() {
        this.set(Number((await database.one<{ count: string }>(COUNT))?.count ?? 0));
      },
    });
  }

  onModuleInit(): void {
    this.jobs.handle('search.embed-pages', async (_, run) => {
      while (!run.signal.aborted && (await this.update(run.signal)) > 0);
    });
  }

  /** Makes the vectors of some due pages; returns the number of pages that are done, 0 if the source has failed. */
  async update(signal?: AbortSignal): Promise<number> {
    const { searchVectors: source } = this.config;
    if (source === 'none') return 0;
    await this.checkModel(this.vectors.nameOf(source));
    const due = await this.nextPages(source);
    try {
      return await this.embed(due, source, signal);
    } catch (error) {
      signal?.throwIfAborted();
      this.logger.warn(`Pages keep the vectors that they have, others could not be made: ${String(error)}`);
      return 0;
    }
  }

  private async nextPages(source: VectorSource): Promise<readonly DuePage[]> {
    const due = await this.database.query<DuePage & Record<string, unknown>>(DUE, [
      BODY[source],
      this.vectors.nameOf(source),
      this.lastSpace,
    ]);
    const isRoundOver = due.length === 0 && this.lastSpace !== '';
    this.lastSpace = due.at(-1)?.space ?? '';
    return isRoundOver ? this.nextPages(source) : due;
  }

  /** Vectors of another model are made again. */
  private async checkModel(model: string): Promise<void> {
    if (this.hasCheckedModel) return;
    await this.database.execute(
      `INSERT INTO page_embedding_due (space_id, page_id) SELECT e.space_id, e.page_id FROM page_embedding e WHERE e.model <> $1 ORDER BY 1, 2 ON CONFLICT DO NOTHING`,
      [model],
    );
    this.hasCheckedModel = true;
  }

  private async embed(due: readonly DuePage[], source: VectorSource, signal: AbortSignal | undefined): Promise<number> {
    if (due.length === 0) return 0;
    const pages = due.flatMap((page) => (page.language === null ? [] : [described(page, source)]));
    const [same, changed] = [pages.filter(({ isSame }) => isSame), pages.filter(({ isSame }) => !isSame)];
    const texts = changed.flatMap((page) => page.texts);
    const vectors = await this.vectors.of(source, texts, signal);
    const gone = due.filter(({ language }) => language === null);
    return this.database.transaction(async () => {
      await this.database.execute(FORGET, [gone.map(({ space }) => space), gone.map(({ page }) => page)]);
      await this.database.execute(KEEP, [
        JSON.stringify(changed.map((page) => withSketches(page, vectors.splice(0, page.texts.length)))),
        this.vectors.nameOf(source),
      ]);
      await this.database.execute(RENAME, [JSON.stringify(same)]);
      return this.database.execute(DONE, [
        due.map(({ space }) => space),
        due.map(({ page }) => page),
        due.map(({ generation }) => generation),
      ]);
    });
  }
}

function described(
  { space, page, language, title, sections, source: former }: DuePage,
  source: VectorSource,
): Described {
  // The built-in model knows English only: other pages have an empty row, so that they are not due again.
  const isKnown = source === 'service' || /^en\b/i.test(language ?? '');
  const shown = isKnown ? (sections.length > 0 ? sections : [{ hash: '', title: '', body: '' }]) : [];
  const texts = shown.map((each) => textOf(title, each));
  const digest = createHash('sha256').update(JSON.stringify(texts)).digest('hex');
  return { space, page, source: digest, hashes: shown.map(({ hash }) => hash), texts, isSame: digest === former };
}

/** A section without any text has a sketch of zeros: it is far from everything. */
function withSketches(
  { space, page, source, hashes }: Described,
  vectors: readonly (Float32Array | undefined)[],
): object {
  const made = vectors.filter((vector) => vector !== undefined);
  const none = new Float32Array(made[0]?.length ?? 0);
  return {
    space,
    page,
    source,
    hashes,
    whole: made.length > 0 ? sketchOf(meanDirection(made)) : null,
    parts: vectors.map((vector) => sketchOf(vector ?? none)),
  };
}

function textOf(page: string, { title, body }: { readonly title: string; readonly body: string }): string {
  return [page, title, body]
    .map((part) => part.replace(/\s+/g, ' ').trim())
    .filter((part) => part !== '')
    .join('. ');
}
