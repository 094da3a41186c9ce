import { Injectable, type OnModuleInit } from '@nestjs/common';
import { KeyStates } from '../keys/key-states.js';
import { MonthsAheadJob } from '../retention/months-ahead.job.js';
import { PastEventsJob } from '../retention/past-events.job.js';
import { StaleRowsJob } from '../retention/stale-rows.job.js';
import { Blobs } from '../storage/blobs.js';
import { Jobs } from './jobs.js';

/** The scheduled jobs of the platform itself. */
@Injectable()
export class PlatformJobs implements OnModuleInit {
  constructor(
    private readonly jobs: Jobs,
    private readonly blobs: Blobs,
    private readonly staleRows: StaleRowsJob,
    private readonly pastEvents: PastEventsJob,
    private readonly monthsAhead: MonthsAheadJob,
    private readonly keys: KeyStates,
  ) {}

  onModuleInit(): void {
    this.jobs.handle('files.remove-unreferenced', async () => void (await this.blobs.removeUnreferenced()));
    this.jobs.handle('events.remove-past', async (_, run) => void (await this.pastEvents.remove(run.signal)));
    this.jobs.handle('months.make-ahead', (_, run) => this.monthsAhead.run(run.signal));
    this.jobs.handle('secrets.reseal', async (_, run) => void (await this.keys.tend(run.signal)));
    this.jobs.handle('platform.remove-stale', async () => void (await this.staleRows.remove()));
  }
}
