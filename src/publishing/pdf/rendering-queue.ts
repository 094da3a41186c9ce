import { Injectable } from '@nestjs/common';
import { ComputedPages, type UsedVersions } from '../../authoring/content/computed-pages.js';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError } from '../../kernel/common/errors.js';
import { newId } from '../../kernel/common/ids.js';
import { Jobs } from '../../kernel/platform/jobs/jobs.js';
import { pdfCacheKey, type PdfInputs } from './pdf-cache-key.js';

/** Milliseconds for which a failure is told before the PDF is tried again. */
const FAILURE_KEPT = 10 * 60_000;
/** Milliseconds after which a PDF that nobody is working on any more is begun anew. */
const STUCK_AFTER = 3 * 3600_000;
/** Hours for which a PDF is kept after it was last asked for. */
const KEPT_HOURS = 24;
/** PDFs of one space that wait to be rendered: so many that members asked for, and as many for readers of published sites, who keep no member waiting. */
const MOST_PENDING = 20;

/** PDFs of the space $1 that wait: those for readers, or those for members. */
const WAITING = `SELECT count(*)::int AS count FROM pdf_rendering WHERE space_id = $1 AND status = 'pending' AND (wanted -> 'reader' IS NOT NULL) = $2::boolean`;

interface RenderingRow {
  readonly [column: string]: unknown;
  readonly id: string;
  readonly status: 'pending' | 'done' | 'failed';
  readonly used: [string, string | null][] | null;
  readonly error: string | null;
  readonly createdAt: Date;
  readonly completedAt: Date | null;
  readonly isNew: boolean;
}

/** PDFs that are there, under way or about to be rendered: each once, however many ask. */
@Injectable()
export class RenderingQueue {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly computed: ComputedPages,
    private readonly jobs: Jobs,
  ) {}

  /** The rendering of a PDF: one that is there or under way, else a new one. */
  async begun(organizationId: string, wanted: PdfInputs, name: string): Promise<Pick<RenderingRow, 'id' | 'status'>> {
    const key = pdfCacheKey(wanted);
    for (;;) {
      const row = await this.database.transaction(() => this.find(key, wanted, name));
      if (row.isNew || (await this.isCurrent(organizationId, wanted, row))) return row;
      await this.database.execute('UPDATE pdf_rendering SET key = NULL WHERE id = $1 AND key = $2', [row.id, key]);
    }
  }

  /** Forgets PDFs that nobody has asked for in a day, and gives their number. Their bytes go with the others that nothing refers to. */
  removeStale(): Promise<number> {
    return this.database.execute('DELETE FROM pdf_rendering WHERE asked_at < $1', [
      new Date(this.clock.now().getTime() - KEPT_HOURS * 3600_000),
    ]);
  }

  private async find(key: Buffer, wanted: PdfInputs, name: string): Promise<RenderingRow> {
    const {
      point: { spaceId },
      reader,
    } = wanted;
    const now = this.clock.now();
    const row = await this.database.one<RenderingRow>(
      `INSERT INTO pdf_rendering (id, space_id, key, status, wanted, name, created_at, asked_at) VALUES ($1, $2, $3, 'pending', $4, $5, $6, $6)
       ON CONFLICT (space_id, key) DO UPDATE SET asked_at = excluded.asked_at
       RETURNING id, status, used, error, created_at AS "createdAt", completed_at AS "completedAt", id = $1 AS "isNew"`,
      [newId(now.getTime()), spaceId, key, JSON.stringify(wanted), name, now],
    );
    if (!row) throw new Error('the PDF was not recorded');
    if (!row.isNew) return row;
    const waiting = await this.database.one<{ count: number }>(WAITING, [spaceId, reader !== undefined]);
    if ((waiting?.count ?? 0) > MOST_PENDING)
      throw new DomainError(
        'tooManyRequests',
        `${MOST_PENDING} PDFs of this space are already being made: wait for one of them`,
        [],
        { 'Retry-After': '30' },
      );
    await this.jobs.enqueue('pdf.render', { rendering: row.id });
    return row;
  }

  private async isCurrent(organizationId: string, { point }: PdfInputs, row: RenderingRow): Promise<boolean> {
    const now = this.clock.now().getTime();
    if (row.status === 'pending') return now - row.createdAt.getTime() < STUCK_AFTER;
    if (row.status === 'failed') {
      if (now - (row.completedAt?.getTime() ?? 0) >= FAILURE_KEPT) return false;
      throw couldNot(row.error);
    }
    const used: UsedVersions = new Map(row.used ?? []);
    return used.size === 0 || this.computed.areCurrent({ organizationId, point }, used);
  }
}

/** Says that a PDF could not be made, and why if that is known. */
export function couldNot(reason: string | null): DomainError {
  return new DomainError('conflict', `The PDF could not be made: ${reason ?? 'the server failed'}`);
}
