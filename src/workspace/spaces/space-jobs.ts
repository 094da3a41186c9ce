import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Jobs } from '../../kernel/platform/jobs/jobs.js';
import { ExpiredSpacesJob } from './expired-spaces.job.js';

/** The scheduled jobs for spaces. */
@Injectable()
export class SpaceJobs implements OnModuleInit {
  constructor(
    private readonly jobs: Jobs,
    private readonly expiredSpaces: ExpiredSpacesJob,
  ) {}

  onModuleInit(): void {
    this.jobs.handle('spaces.remove-expired', async (_, run) => void (await this.expiredSpaces.remove(run.signal)));
  }
}
