import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, stackOf } from '../../kernel/common/errors.js';
import { Jobs } from '../../kernel/platform/jobs/jobs.js';
import type { JobRun } from '../../kernel/platform/jobs/job-run.js';
import { Blobs, type StoredFile } from '../../kernel/platform/storage/blobs.js';
import { PdfFault } from '../../formats/pdf/layout/pdf-fault.js';
import { PdfPainter } from './pdf-painter.js';
import { PdfBooks, type OpenBook } from './pdf-books.js';
import { RenderingQueue } from './rendering-queue.js';
import type { PdfInputs } from './pdf-cache-key.js';

/** Maximum size of a PDF in bytes. */
const MAX_BYTES = 1024 ** 3;

/** Renders PDFs in the background. */
@Injectable()
export class RenderingWorker implements OnModuleInit {
  private readonly logger = new Logger('PDF');

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
    private readonly blobs: Blobs,
    private readonly books: PdfBooks,
    private readonly painter: PdfPainter,
    private readonly queue: RenderingQueue,
  ) {}

  onModuleInit(): void {
    this.jobs.handle('pdf.render', ({ rendering }, job) => this.render(rendering, job));
    this.jobs.handle('pdf.remove-stale', async () => void (await this.queue.removeStale()));
  }

  private async render(id: string, job: JobRun): Promise<void> {
    const row = await this.database.one<{ wanted: PdfInputs; organizationId: string }>(
      `SELECT jsonb_set(r.wanted::jsonb, '{point}', '{"hidden": []}' || (r.wanted::jsonb -> 'point')) AS wanted, s.organization_id AS "organizationId" FROM pdf_rendering r JOIN space s ON s.id = r.space_id AND s.deleted_at IS NULL WHERE r.id = $1 AND r.status = 'pending'`,
      [id],
    );
    if (!row) return;
    try {
      const begin = performance.now();
      const { open, stored, sheets } = await this.make(row.wanted, row.organizationId, job.signal);
      await job.commit(() =>
        this.end(id, { status: 'done', hash: stored.hash, size: stored.size, used: JSON.stringify([...open.used]) }),
      );
      this.logger.log(
        `made a PDF of ${sheets} sheets and ${stored.size} bytes in ${Math.round(performance.now() - begin)} ms`,
      );
    } catch (error) {
      const isFault = error instanceof PdfFault || error instanceof DomainError;
      if (job.done || (job.signal.aborted && !job.isLast) || !(isFault || job.isLastFor(error))) throw error;
      if (!isFault) this.logger.error(`PDF ${id} failed: ${stackOf(error)}`);
      await job.commit(() =>
        this.end(id, { status: 'failed', error: isFault ? error.message : 'the server failed to do it' }),
      );
    }
  }

  /** Paints a PDF and stores it at the same time, so that it is never in memory as a whole. */
  private async make(
    wanted: PdfInputs,
    organizationId: string,
    signal: AbortSignal,
  ): Promise<{ open: OpenBook; stored: StoredFile; sheets: number }> {
    const open = await this.books.open(wanted, organizationId, this.clock.now());
    const failed = new AbortController();
    const { stream, sheets } = this.painter.paint({ book: open.book, footer: wanted.title }, open.answer, {
      party: organizationId,
      signal: AbortSignal.any([signal, failed.signal]),
    });
    // A failure of either ends the other.
    const storing = this.blobs.store(stream, { name: 'document.pdf', maxBytes: MAX_BYTES }).catch((error: unknown) => {
      failed.abort(error);
      throw error;
    });
    const [painted, stored] = await Promise.allSettled([sheets, storing]);
    if (painted.status === 'rejected') throw painted.reason;
    if (stored.status === 'rejected') throw stored.reason;
    return { open, stored: stored.value, sheets: painted.value };
  }

  private async end(
    id: string,
    facts: { status: 'done'; hash: string; size: number; used: string } | { status: 'failed'; error: string },
  ): Promise<void> {
    await this.database.execute(
      `UPDATE pdf_rendering SET status = $2, hash = decode($3, 'hex'), size = $4, used = $5, error = $6, completed_at = $7 WHERE id = $1 AND status = 'pending'`,
      [
        id,
        facts.status,
        facts.status === 'done' ? facts.hash : null,
        facts.status === 'done' ? facts.size : null,
        facts.status === 'done' ? facts.used : null,
        facts.status === 'failed' ? facts.error : null,
        this.clock.now(),
      ],
    );
  }
}
