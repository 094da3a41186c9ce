import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { OutboxRelay } from '../outbox-relay.js';
import { JobScheduler } from './job-scheduler.js';
import { Jobs } from './jobs.js';

const LOOK_AGAIN_MILLISECONDS = 5000;

/** Tells why background work has to wait; undefined if it need not. */
export type Hold = () => Promise<string | undefined>;

/**
 * Jobs, schedules and consumers of the outbox: none of them runs before `start`. All that the service sends by itself
 * (webhooks, mail, pushes, polls of repositories) is sent by them.
 */
@Injectable()
export class BackgroundWork implements BeforeApplicationShutdown {
  private readonly logger = new Logger('BackgroundWork');
  private readonly holds: Hold[] = [];
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;

  constructor(
    private readonly jobs: Jobs,
    private readonly relay: OutboxRelay,
    private readonly scheduler: JobScheduler,
  ) {}

  /** Lets background work wait for as long as there is a reason; modules do so in `onModuleInit`. */
  holdWhile(hold: Hold): void {
    this.holds.push(hold);
  }

  /** The reason why background work waits on all servers; undefined if it runs where it was started. */
  async heldBy(): Promise<string | undefined> {
    for (const hold of this.holds) {
      const reason = await hold();
      if (reason !== undefined) return reason;
    }
    return undefined;
  }

  /** For servers, once the boot is complete; commands and most tests never call it. */
  start(): void {
    void this.startUnlessHeld(undefined);
  }

  beforeApplicationShutdown(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  /** Looks again later while there is a reason to wait, or nobody can tell. */
  private async startUnlessHeld(known: string | undefined): Promise<void> {
    const reason = await this.heldBy().catch((error: unknown) => String(error));
    if (this.isStopped) return;
    if (reason === undefined) {
      if (known !== undefined) this.logger.log('Background work begins');
      this.jobs.start();
      this.relay.start();
      this.scheduler.start();
      return;
    }
    if (reason !== known) this.logger.warn(`Background work waits: ${reason}`);
    this.timer = setTimeout(() => void this.startUnlessHeld(reason), LOOK_AGAIN_MILLISECONDS).unref();
  }
}
