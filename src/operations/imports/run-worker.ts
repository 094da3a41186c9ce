import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { ChangeRequests } from '../../authoring/change-requests/change-requests.service.js';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, stackOf } from '../../kernel/common/errors.js';
import { Secrets } from '../../kernel/common/secrets.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import type { JobRun } from '../../kernel/platform/jobs/job-run.js';
import { Jobs } from '../../kernel/platform/jobs/jobs.js';
import { GitSync } from './git/git-sync.service.js';
import { creatorOf, newRequestOf, orderOf, resultOf, Stopped, storableText, type ActiveRun } from './active-run.js';
import { ImportRun } from './import-run.entity.js';
import { ImportRuns, RUN_COLUMNS } from './import-runs.service.js';
import { Importer, type ImportResult, type ImportTarget } from '../../authoring/interchange/importer.service.js';
import type { ImportRunRow, RunResult } from './imports.schema.js';
import { RunSources, type PreparedSource } from './run-sources.js';
import { Uploads } from './uploads.service.js';

/** Milliseconds between two checks whether a run was cancelled. */
const LOOK_EVERY = 500;

/** Executes runs. */
@Injectable()
export class RunWorker implements OnModuleInit {
  private readonly logger = new Logger('Imports');

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly secrets: Secrets,
    private readonly outbox: Outbox,
    private readonly jobs: Jobs,
    private readonly runs: ImportRuns,
    private readonly requests: ChangeRequests,
    private readonly uploads: Uploads,
    private readonly sources: RunSources,
    private readonly importer: Importer,
    private readonly git: GitSync,
  ) {}

  onModuleInit(): void {
    this.jobs.handle('imports.run', ({ run }, job) => this.run(run, job));
    this.jobs.handle('imports.remove-stale', () => this.runs.removeStale());
  }

  private async run(id: string, job: JobRun): Promise<void> {
    const run = await this.begin(id, job);
    if (!run) return;
    try {
      await this.work(run);
    } catch (error) {
      if (error instanceof Stopped) return;
      if (job.signal.aborted || !(error instanceof DomainError || job.isLastFor(error))) throw error;
      if (!(error instanceof DomainError)) this.logger.error(`import ${id} failed: ${stackOf(error)}`);
      await job.commit(() =>
        this.fail(run, error instanceof DomainError ? error.message : 'The server failed to do it'),
      );
    }
  }

  /** Marks a run as running; undefined for one that has ended. */
  private async begin(id: string, job: JobRun): Promise<ActiveRun | undefined> {
    const row = await this.database.one<
      ImportRunRow & { organizationId: string; editMode: 'live' | 'locked'; sealed: Buffer | null }
    >(
      `UPDATE import_run i SET status = 'in-progress', started_at = coalesce(i.started_at, $2) FROM space s
        WHERE i.id = $1 AND i.status IN ('pending', 'in-progress') AND s.id = i.space_id
        RETURNING ${RUN_COLUMNS}, i.secret AS sealed, s.organization_id AS "organizationId", s.edit_mode AS "editMode"`,
      [id, this.clock.now()],
    );
    if (!row) return undefined;
    const { sealed, editMode, ...facts } = row;
    const subject = newRequestOf(facts, editMode);
    const makeRequest = subject === undefined ? undefined : () => this.makeRequest(facts, subject);
    let looked = 0;
    const checkpoint = async (): Promise<void> => {
      job.signal.throwIfAborted();
      if (performance.now() - looked < LOOK_EVERY) return;
      looked = performance.now();
      const now = await this.database.apart(() =>
        this.database.one<{ status: string }>('SELECT status FROM import_run WHERE id = $1', [id]),
      );
      if (now?.status !== 'in-progress') throw new Stopped();
    };
    const commit: ActiveRun['commit'] = (work, resultOf) =>
      job.commit(async () => {
        const now = await this.database.one<{ status: string }>(
          'SELECT status FROM import_run WHERE id = $1 FOR NO KEY UPDATE',
          [id],
        );
        if (now?.status !== 'in-progress') throw new Stopped();
        const result = await work();
        await this.end(facts, 'completed', null, resultOf(result));
        return result;
      });
    return {
      ...facts,
      secret: sealed === null ? undefined : this.secrets.decrypt(sealed),
      makeRequest,
      checkpoint,
      commit,
    };
  }

  /** Creates the change request of a run; the run refers to it from then on. */
  private async makeRequest(run: ImportRunRow & Pick<ActiveRun, 'organizationId'>, subject: string): Promise<string> {
    const { id } = await this.requests.create(creatorOf(run), run.spaceId, { subject });
    await this.database.of(ImportRun).update({ id: run.id }, { changeRequestId: id });
    return id;
  }

  private work(run: ActiveRun): Promise<unknown> {
    const { source } = run;
    switch (source.type) {
      case 'file':
      case 'archive':
        return this.importFiles(run, source.files, source.type === 'archive');
      case 'website':
        return this.sources.withWebsite(run, source.url, (prepared) => this.import(run, prepared, 'add'));
      case 'git':
        return this.git.import(run, source);
      case 'git-export':
        return this.git.export(run, source);
    }
  }

  private async importFiles(run: ActiveRun, keys: readonly string[], isArchive: boolean): Promise<ImportResult> {
    const files = await this.uploads.uploaded(run.createdBy, run.organizationId, keys);
    return this.sources.withFiles(run, files, isArchive, (prepared) =>
      this.import(run, prepared, isArchive ? 'replace' : 'add'),
    );
  }

  private import(run: ActiveRun, source: PreparedSource, mode: ImportTarget['mode']): Promise<ImportResult> {
    return this.importer.importFolder({
      ...orderOf(run, mode),
      source,
      commit: (work) => run.commit(work, (result) => resultOf(result, source.addresses)),
    });
  }

  private async fail(run: ActiveRun, message: string): Promise<void> {
    await this.end(run, 'failed', message, null);
  }

  private async end(
    run: Pick<ActiveRun, 'id' | 'spaceId' | 'organizationId'>,
    status: 'completed' | 'failed',
    error: string | null,
    result: RunResult | null,
  ): Promise<void> {
    const ended = await this.database.execute(
      `UPDATE import_run SET status = $2, error = $3, result = $4, secret = NULL, completed_at = $5 WHERE id = $1 AND status = 'in-progress'`,
      [run.id, status, error === null ? null : storableText(error), result && JSON.stringify(result), this.clock.now()],
    );
    if (ended > 0)
      await this.outbox.record({
        type: `import_${status}`,
        organizationId: run.organizationId,
        spaceId: run.spaceId,
        target: run.id,
      });
  }
}
