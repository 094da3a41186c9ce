import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { DomainError, stackOf } from '../../kernel/common/errors.js';
import type { JobRun } from '../../kernel/platform/jobs/job-run.js';
import { Jobs } from '../../kernel/platform/jobs/jobs.js';
import { Stopped } from './active-run.js';
import { ActiveRuns } from './active-runs.service.js';
import { RunExecutor } from './run-executor.js';
import { StaleRunsJob } from './stale-runs.job.js';

/** Seconds after which a run looks again whether the one before it has ended. */
const WAIT_SECONDS = 1;

/** Executes runs. */
@Injectable()
export class RunWorker implements OnModuleInit {
  private readonly logger = new Logger('Imports');

  constructor(
    private readonly jobs: Jobs,
    private readonly runs: ActiveRuns,
    private readonly executor: RunExecutor,
    private readonly stale: StaleRunsJob,
  ) {}

  onModuleInit(): void {
    this.jobs.handle('imports.run', ({ run }, job) => this.run(run, job));
    this.jobs.handle('imports.remove-stale', () => this.stale.remove());
  }

  private async run(id: string, job: JobRun): Promise<void> {
    if (await this.runs.hasToWait(id)) {
      await job.commit(() => this.jobs.enqueue('imports.run', { run: id }, { afterSeconds: WAIT_SECONDS }));
      return;
    }
    const run = await this.runs.begin(id, job);
    if (!run) return;
    try {
      await this.executor.execute(run);
    } catch (error) {
      if (error instanceof Stopped) return;
      if (job.signal.aborted || !(error instanceof DomainError || job.isLastFor(error))) throw error;
      if (!(error instanceof DomainError)) this.logger.error(`import ${id} failed: ${stackOf(error)}`);
      await job.commit(() =>
        this.runs.fail(run, error instanceof DomainError ? error.message : 'The server failed to do it'),
      );
    }
  }
}
