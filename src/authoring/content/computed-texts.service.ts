import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { Jobs } from '../../kernel/platform/jobs/jobs.js';
import { WorkerPool } from '../../kernel/platform/workers/worker-pool.js';
import { ComputedPages, type ComputedReading } from './computed-pages.js';
import { primaryPoint, ContentLines, type PrimaryHead } from './content-lines.js';
import { ContentStore, NOTHING_HIDDEN } from './content-store.js';
import { DocumentStore, type CurrentPage, type NewDocument } from './document-store.js';
import { PAGES_FORMAT, sourceOfDerived } from './domain/computed/expansion.js';
import type { Item } from './domain/content-item.js';
import { SEARCHABLE_PAGE } from './specification-tasks.js';

/** Spaces that one run brings up to date. */
const SPACES_IN_RUN = 50;
/** Generated pages of one space that are found; further ones are not. */
const MAX_PAGES = 20_000;
/** The format that texts were made in, beside the versions of specifications: no slug has its name. */
const FORMAT = '$format';

interface Due {
  readonly spaceId: string;
  readonly dueAt: Date;
}

/** Texts of the generated pages of a space, and the versions of the specifications that they were made from. */
interface MadeTexts {
  readonly pages: readonly (CurrentPage & { readonly removed: false })[];
  readonly documents: readonly NewDocument[];
  readonly versions: Readonly<Record<string, string | number | null>>;
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
      await this.updateSpace(each).catch((error: unknown) =>
        this.logger.warn(`The computed pages of the space ${each.spaceId} could not be indexed: ${String(error)}`),
      );
    }
    return due.length;
  }

  private async updateSpace({ spaceId, dueAt }: Due): Promise<void> {
    const head = await this.database.transaction(() => this.lines.lockPrimary(spaceId));
    const made = await this.make(head);
    await this.database.transaction(async () => {
      const { sequence, language } = await this.lines.lockPrimary(spaceId);
      // Another change has come meanwhile: its turn follows.
      if (sequence !== head.sequence) return;
      const before = await this.database.query<{ page: string }>(
        'SELECT page_id AS page FROM page_current WHERE space_id = $1 AND length(page_id) = 40',
        [spaceId],
      );
      const now = new Set(made.pages.map(({ page }) => page));
      const gone = before.filter(({ page }) => !now.has(page)).map(({ page }) => ({ page, removed: true as const }));
      await this.documents.put(spaceId, language, made.documents);
      await this.documents.switchCurrent(spaceId, language, [...made.pages, ...gone]);
      await this.database.execute(
        `UPDATE computed_index SET versions = $2, due_at = CASE WHEN due_at > $3 THEN due_at END WHERE space_id = $1`,
        [spaceId, JSON.stringify(made.versions), dueAt],
      );
    });
  }

  private async make(head: PrimaryHead): Promise<MadeTexts> {
    const { spaceId, organizationId } = head;
    const point = primaryPoint(head, NOTHING_HIDDEN);
    const reading = this.computed.reading({ organizationId, point });
    const items = await reading.expand(await this.store.ofKinds(point, ['page']));
    const pages: (CurrentPage & { removed: false })[] = [];
    const documents: NewDocument[] = [];
    for (const item of items) {
      if (sourceOfDerived(item.id) === undefined || item.type !== 'document') continue;
      if (pages.length === MAX_PAGES) {
        this.logger.warn(`The space ${spaceId} has more than ${MAX_PAGES} computed pages: the others are not found`);
        break;
      }
      const document = await this.documentOf(reading, item);
      if (document) documents.push(document);
      const { description, noIndex } = item.props;
      const text = `${item.title} ${typeof description === 'string' ? description : ''}`;
      pages.push({ page: item.id, removed: false, hash: document?.hash ?? null, ...(noIndex !== true && { text }) });
    }
    return { pages, documents, versions: { ...Object.fromEntries(reading.used), [FORMAT]: PAGES_FORMAT } };
  }

  private async documentOf(reading: ComputedReading, item: Item): Promise<NewDocument | undefined> {
    const [body, parts] = await Promise.all([reading.body(item, { forSearch: true }), reading.parts(item)]);
    return body && parts ? this.workers.run(SEARCHABLE_PAGE, { body, parts: parts.shared }) : undefined;
  }
}
