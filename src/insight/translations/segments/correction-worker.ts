import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Jobs } from '../../../kernel/platform/jobs/jobs.js';
import { RunRequests } from '../run-requests.js';
import { CorrectedItems } from './corrected-items.js';
import { CorrectionPublisher } from './correction-publisher.js';

/** Brings corrections to the pages of translations, also while no engine can be reached. */
@Injectable()
export class CorrectionWorker implements OnModuleInit {
  constructor(
    private readonly jobs: Jobs,
    private readonly publisher: CorrectionPublisher,
    private readonly requests: RunRequests,
    private readonly items: CorrectedItems,
  ) {}

  onModuleInit(): void {
    this.jobs.handle('translations.correct', async ({ translation, isAfterRun = false }, job) => {
      const { needsRun } = await this.publisher.publish(translation, job.signal);
      // A run has translated everything just now: another one would do the same.
      if (isAfterRun) return;
      if (needsRun || (await this.items.isInReview(translation)))
        await job.commit(() => this.requests.request([translation]));
    });
  }
}
