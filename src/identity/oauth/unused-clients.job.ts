import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Jobs } from '../../kernel/platform/jobs/jobs.js';
import { OauthGrants } from './oauth-grants.service.js';

/** Removes what clients of OAuth left behind. */
@Injectable()
export class UnusedClientsJob implements OnModuleInit {
  constructor(
    private readonly jobs: Jobs,
    private readonly grants: OauthGrants,
  ) {}

  onModuleInit(): void {
    this.jobs.handle('oauth.remove-unused', async () => void (await this.grants.removeUnused()));
  }
}
