import { Injectable } from '@nestjs/common';
import { OutboxRelay } from '../outbox-relay.js';
import { JobScheduler } from './job-scheduler.js';
import { Jobs } from './jobs.js';

/** Jobs, schedules and consumers of the outbox: none of them runs before `start`. */
@Injectable()
export class BackgroundWork {
  constructor(
    private readonly jobs: Jobs,
    private readonly relay: OutboxRelay,
    private readonly scheduler: JobScheduler,
  ) {}

  /** For servers, once the boot is complete; commands and most tests never call it. */
  start(): void {
    this.jobs.start();
    this.relay.start();
    this.scheduler.start();
  }
}
