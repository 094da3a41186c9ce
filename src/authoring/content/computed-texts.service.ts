import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { Jobs } from '../../kernel/platform/jobs/jobs.js';
import { TaskLimitExceeded, WorkerPool } from '../../kernel/platform/workers/worker-pool.js';
import { ComputedPages, type ComputedReading } from './computed-pages.js';
import { primaryPoint, ContentLines, type PrimaryHead } from './content-lines.js';
import { ContentStore, NOTHING_HIDDEN } from './content-store.js';
import { DocumentStore, type CurrentPage, type NewDocument } from './document-store.js';
import { PAGES_FORMAT, sourceOfDerived } from './domain/computed/expansion.js';
import type { BodyOrder } from './domain/computed/computed-page-body.js';
import type { Item } from './domain/content-item.js';
import type { SpecificationParts } from '../../formats/openapi/specification-parts.js';
import { SEARCHABLE_PAGES } from './specification-tasks.js';

/** Spaces that one run brings up to date. */
const SPACES_IN_RUN = 50;
/** Generated pages of one space that are found; further ones are not. */
const MAX_PAGES = 20_000;
/** Pages whose texts one task makes, and characters of their descriptions. */
const PAGES_AT_ONCE = 100;
const CHARACTERS_AT_ONCE = 20_000;
/** The format that texts were made in, beside the versions of specifications: no slug has its name. */
const FORMAT = '$format';

interface Due {
  readonly spaceId: string;
  readonly dueAt: Date;
}

/** Texts of the generated pages of a space, and the versions of the specifications that they were made from. */
interface MadeTexts {
  readonly pages: readonly (CurrentPage & { readonly removed: false })[];
  readonly versions: Readonly<Record<string, string | number | null>>;
}

/** Pages of one specification, whose texts are made in one task. */
interface Chunk {
  readonly parts: SpecificationParts | undefined;
  readonly pages: readonly { readonly item: Item; readonly order: BodyOrder | undefined }[];
}

/**
 * Makes the texts by which pages computed from specifications are found: in the background, after a space or a
 * specification has changed. What is due is known to the database, so that a crash loses none of it.
 */
@Injectable()
export class ComputedTexts implements OnModuleInit {
  private readonly logger = new Logger(ComputedTexts.name);

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
    private readonly lines: ContentLines,
    private readonly store: ContentStore,
    private readonly documents: DocumentStore,
    private readonly computed: ComputedPages,
    private readonly workers: WorkerPool,
  ) {}

  onModuleInit(): void {
    this.jobs.handle('content.index-computed', async (_, run) => void (await this.update(run.signal)));
  }

  /** Marks the spaces of an organization whose pages are computed from a specification, in the ambient transaction. */
  async specificationChanged(organizationId: string, slug: string): Promise<void> {
    await this.database.execute(
      `UPDATE computed_index c SET due_at = coalesce(c.due_at, $3) FROM space s WHERE s.id = c.space_id AND s.organization_id = $1 AND c.versions ? $2`,
      [organizationId, slug, this.clock.now()],
    );
  }

  /** Brings due spaces up to date; returns their number. */
  async update(signal?: AbortSignal): Promise<number> {
    const due = await this.database.query<Due & Record<string, unknown>>(
      `SELECT c.space_id AS "spaceId", coalesce(c.due_at, now()) AS "dueAt" FROM computed_index c
        WHERE c.due_at IS NOT NULL OR c.versions -> '${FORMAT}' IS DISTINCT FROM to_jsonb($1::int)
        ORDER BY c.due_at NULLS LAST LIMIT ${SPACES_IN_RUN}`,
      [PAGES_FORMAT],
    );
    for (const each of due) {
      signal?.throwIfAborted();
      await this.updateSpace(each, signal).catch((error: unknown) =>
        this.logger.warn(`The computed pages of the space ${each.spaceId} could not be indexed: ${String(error)}`),
      );
    }
    return due.length;
  }

  private async updateSpace({ spaceId, dueAt }: Due, signal?: AbortSignal): Promise<void> {
    const head = await this.database.transaction(() => this.lines.lockPrimary(spaceId));
    const made = await this.make(head, signal);
    await this.database.transaction(async () => {
      const { sequence, language } = await this.lines.lockPrimary(spaceId);
      // Another change has come meanwhile: its turn follows.
      if (sequence !== head.sequence || language !== head.language) return;
      const before = await this.database.query<{ page: string }>(
        'SELECT page_id AS page FROM page_current WHERE space_id = $1 AND length(page_id) = 40',
        [spaceId],
      );
      const now = new Set(made.pages.map(({ page }) => page));
      const gone = before.filter(({ page }) => !now.has(page)).map(({ page }) => ({ page, removed: true as const }));
      await this.documents.switchCurrent(spaceId, language, [...made.pages, ...gone]);
      await this.database.execute(
        `UPDATE computed_index SET versions = $2, due_at = CASE WHEN due_at > $3 THEN due_at END WHERE space_id = $1`,
        [spaceId, JSON.stringify(made.versions), dueAt],
      );
    });
  }

  private async make(head: PrimaryHead, signal?: AbortSignal): Promise<MadeTexts> {
    const { spaceId, organizationId } = head;
    const point = primaryPoint(head, NOTHING_HIDDEN);
    const reading = this.computed.reading({ organizationId, point });
    const items = await reading.expand(await this.store.ofKinds(point, ['page']));
    const found = items.filter((item) => sourceOfDerived(item.id) !== undefined && item.type === 'document');
    if (found.length > MAX_PAGES)
      this.logger.warn(`The space ${spaceId} has more than ${MAX_PAGES} computed pages: the others are not found`);
    const pages: (CurrentPage & { removed: false })[] = [];
    for await (const chunk of this.chunks(reading, found.slice(0, MAX_PAGES))) {
      signal?.throwIfAborted();
      const documents = await this.documentsOf(chunk);
      // Stored before the space is locked, so that nobody who writes it waits for them.
      await this.database.transaction(async () => {
        const { stored } = await this.documents.put(spaceId, head.language, documents);
        await stored;
      });
      for (const [index, { item }] of chunk.pages.entries()) {
        const { description, noIndex } = item.props;
        const text = `${item.title} ${typeof description === 'string' ? description : ''}`;
        const hash = documents[index]?.hash ?? null;
        pages.push({ page: item.id, removed: false, hash, ...(noIndex !== true && { text }) });
      }
    }
    return { pages, versions: { ...Object.fromEntries(reading.used), [FORMAT]: PAGES_FORMAT } };
  }

  /** The pages in their order, some of one specification at a time: each costs a worker bounded time. */
  private async *chunks(reading: ComputedReading, items: readonly Item[]): AsyncGenerator<Chunk> {
    let chunk: Chunk = { parts: undefined, pages: [] };
    let characters = 0;
    for (const item of items) {
      const [order, parts] = [await reading.order(item, { forSearch: true }), await reading.parts(item)];
      const length = order?.description.length ?? 0;
      const isFull = chunk.pages.length >= PAGES_AT_ONCE || characters + length > CHARACTERS_AT_ONCE;
      if (chunk.pages.length > 0 && (isFull || parts?.shared.id !== chunk.parts?.shared.id)) {
        yield chunk;
        [chunk, characters] = [{ parts, pages: [] }, 0];
      }
      chunk = { parts, pages: [...chunk.pages, { item, order }] };
      characters += length;
    }
    if (chunk.pages.length > 0) yield chunk;
  }

  /** The documents of pages; one that takes too long has its description as it is written. */
  private async documentsOf({ parts, pages }: Chunk): Promise<NewDocument[]> {
    const orders = pages.flatMap(({ order }) => order ?? []);
    if (!parts || orders.length !== pages.length) return [];
    const made = (some: readonly BodyOrder[], isRead: boolean): Promise<NewDocument[]> =>
      this.workers.run(SEARCHABLE_PAGES, { orders: some, parts: parts.shared, isRead });
    try {
      return await made(orders, true);
    } catch (error) {
      if (!(error instanceof TaskLimitExceeded)) throw error;
    }
    const documents: NewDocument[] = [];
    for (const order of orders)
      documents.push(
        ...(await made([order], true).catch((error: unknown) => {
          if (error instanceof TaskLimitExceeded) return made([order], false);
          throw error;
        })),
      );
    return documents;
  }
}
