import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Jobs } from '../../kernel/platform/jobs/jobs.js';
import { Sessions } from './sessions.service.js';
import { SignInLinks } from './sign-in-links.service.js';

/** Removes sessions and links that are over. */
@Injectable()
export class ExpiredSessionsJob implements OnModuleInit {
  constructor(
    private readonly jobs: Jobs,
    private readonly sessions: Sessions,
    private readonly links: SignInLinks,
  ) {}

  onModuleInit(): void {
    this.jobs.handle('sessions.remove-expired', async () => {
      await this.sessions.removeExpired();
      await this.links.removeExpired();
    });
  }
}
