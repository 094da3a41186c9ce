import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, stackOf } from '../../kernel/common/errors.js';
import { CONFIG, type Config } from '../../kernel/platform/config/config.js';
import { type JobRun, LostJob } from '../../kernel/platform/jobs/job-run.js';
import { hasOpenJob } from '../../kernel/platform/jobs/job-statements.js';
import { Jobs } from '../../kernel/platform/jobs/jobs.js';
import { codeOf } from '../../kernel/platform/operator-error.js';
import { Blobs } from '../../kernel/platform/storage/blobs.js';
import { FileStorage } from '../../kernel/platform/storage/file-storage.js';
import { archiveStream } from './archive-sink.js';
import { storedArchive } from './archive-source.js';
import { rowsIn } from './archive-format.js';
import type { ArchiveProgress } from './export-organization.js';
import type { OrganizationImportReport } from './import-organization.js';
import { OrganizationArchives } from './organization-archives.service.js';
import { OrganizationRun, type OrganizationRunResult } from './organization-run.entity.js';

/** The code of an error of a disk that is full: the next attempt would find it as full. */
const NO_ROOM = 'ENOSPC';
/** Milliseconds between two notes of how far a run is. */
const NOTE_EVERY = 1000;
const KEPT_DAYS = 90;
const FAILED = 'The server failed to do it';
/** What an archive that no operator answers for holds at most, in bytes for each byte of it; small ones may hold more. */
const MOST_UNPACKED = { ratio: 100, least: 256 * 1024 ** 2 } as const;

const ABANDONED = (['export', 'import'] as const).map(
  (kind) => `UPDATE organization_run r
      SET status = CASE WHEN r.result IS NULL THEN 'failed' ELSE 'completed' END, error = CASE WHEN r.result IS NULL THEN $2 END,
          completed_at = $1, source_hash = NULL
    WHERE r.kind = '${kind}' AND r.completed_at IS NULL AND NOT ${hasOpenJob(`organizationArchives.${kind}`, 'run', 'r.id')}`,
);

/** Carries out exports and imports of organizations. */
@Injectable()
export class OrganizationRunWorker implements OnModuleInit {
  private readonly logger = new Logger('OrganizationArchives');

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
    private readonly blobs: Blobs,
    private readonly storage: FileStorage,
    private readonly archives: OrganizationArchives,
    @Inject(CONFIG) private readonly config: Pick<Config, 'organizationImportMaxBytes'>,
  ) {}

  onModuleInit(): void {
    this.jobs.handle('organizationArchives.export', ({ run }, job) => this.run(run, job));
    this.jobs.handle('organizationArchives.import', ({ run }, job) => this.run(run, job));
    this.jobs.handle('organizationArchives.forget', () => this.forget());
  }

  private async run(id: string, job: JobRun): Promise<void> {
    await this.database.execute(
      `UPDATE organization_run SET status = 'in-progress', started_at = coalesce(started_at, $2) WHERE id = $1 AND completed_at IS NULL`,
      [id, this.clock.now()],
    );
    const run = await this.database.of(OrganizationRun).findOneBy({ id });
    if (run?.completedAt !== null) return;
    try {
      await (run.kind === 'export' ? this.export(run, job) : this.import(run, job));
    } catch (error) {
      if (job.signal.aborted || error instanceof LostJob) throw error;
      const isFull = codeOf(error) === NO_ROOM;
      if (!(error instanceof DomainError || isFull || job.isLastFor(error))) throw error;
      if (!(error instanceof DomainError)) this.logger.error(`${run.kind} ${id} failed: ${stackOf(error)}`);
      const failed = isFull ? 'There is no storage space left' : FAILED;
      const message = error instanceof DomainError ? error.message : failed;
      await job.commit(() => this.end(run, { status: 'failed', error: message.replaceAll('\0', '') }));
    }
  }

  private async export(run: OrganizationRun, job: JobRun): Promise<void> {
    const organizationId = run.organizationId ?? '';
    await this.requireAdministrator(run);
    let rows = 0;
    let files = 0;
    const name = `${organizationId}.tar.gz`;
    const { hash, size } = await this.blobs.store(
      archiveStream(async (sink) => {
        const end = await this.archives.export(organizationId, sink, this.progress(run, job));
        [rows, files] = [rowsIn(end.rows), end.files.count];
      }),
      { name, claimed: 'application/gzip' },
    );
    const result = { rows, files, archive: { name, hash, size } };
    await job.commit(() => this.end(run, { status: 'completed', result }));
  }

  /** The person who asked for an export may have been shut out since. */
  private async requireAdministrator({ organizationId, createdBy }: OrganizationRun): Promise<void> {
    const member = await this.database.one(
      `SELECT FROM member m JOIN account a ON a.id = m.user_id WHERE m.organization_id = $1 AND m.user_id = $2 AND m.role = 'admin' AND NOT m.disabled AND NOT a.disabled`,
      [organizationId, createdBy],
    );
    if (!member) throw new DomainError('forbidden', 'The person who asked for it is no administrator any more');
  }

  private async import(run: OrganizationRun, job: JobRun): Promise<void> {
    // A server that died between the two commits has left the organization there.
    const imported = run.organizationId ?? (await this.importArchive(run, job));
    await job.commit(() => this.end(run, { status: 'completed', organizationId: imported }));
  }

  private async importArchive(run: OrganizationRun, job: JobRun): Promise<string> {
    const hash = run.sourceHash?.toString('hex') ?? '';
    const packed = (await this.storage.sizeOf(hash)) ?? 0;
    const most = Math.max(MOST_UNPACKED.least, packed * MOST_UNPACKED.ratio);
    const { organizationId } = await this.archives.import(
      storedArchive(this.storage, hash, Math.min(this.config.organizationImportMaxBytes, most)),
      {
        ids: 'new',
        isTrusted: false,
        userId: run.createdBy,
        signal: job.signal,
        finish: async (client, report) => {
          const { rowCount } = await client.query(
            'UPDATE organization_run SET organization_id = $2, result = $3 WHERE id = $1 AND organization_id IS NULL AND completed_at IS NULL',
            [run.id, report.organizationId, JSON.stringify(resultOf(report))],
          );
          if (rowCount !== 1) throw new LostJob('another server has imported the organization');
        },
      },
      this.progress(run, job),
    );
    return organizationId;
  }

  /** The archive of an import has done its part, and is removed with the files that nothing refers to. */
  private async end(run: OrganizationRun, changes: Partial<OrganizationRun>): Promise<void> {
    await this.database
      .of(OrganizationRun)
      .update({ id: run.id }, { ...changes, sourceHash: null, completedAt: this.clock.now() });
  }

  /** Notes how far a run is, now and then; throws once the job is no longer this one's. */
  private progress(run: OrganizationRun, job: JobRun): ArchiveProgress {
    let noted = 0;
    return (done, total) => {
      job.signal.throwIfAborted();
      if (performance.now() - noted < NOTE_EVERY) return;
      noted = performance.now();
      // It may be missing: the next note follows in a second.
      void this.database
        .apart(() =>
          this.database.execute(
            'UPDATE organization_run SET steps_done = $2, steps = $3 WHERE id = $1 AND organization_id IS NOT DISTINCT FROM $4',
            [run.id, done, total, run.organizationId],
          ),
        )
        .catch(() => undefined);
    };
  }

  /** Removes old runs, and ends those whose job is gone: a server that died in the last attempt has not. */
  private async forget(): Promise<void> {
    for (const statement of ABANDONED) await this.database.execute(statement, [this.clock.now(), FAILED]);
    const before = new Date(this.clock.now().getTime() - KEPT_DAYS * 24 * 3600_000);
    await this.database.execute('DELETE FROM organization_run WHERE created_at < $1', [before]);
  }
}

const resultOf = ({ rows, files, people, notes }: OrganizationImportReport): OrganizationRunResult => ({
  rows: rowsIn(rows),
  files,
  waiting: people.waiting,
  notes,
});
