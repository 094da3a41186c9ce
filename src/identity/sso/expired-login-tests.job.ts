import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Jobs } from '../../kernel/platform/jobs/jobs.js';
import { LoginTests } from './login-tests.service.js';

/** Removes test logins that are over: they hold what an identity provider says about people. */
@Injectable()
export class ExpiredLoginTestsJob implements OnModuleInit {
  constructor(
    private readonly jobs: Jobs,
    private readonly tests: LoginTests,
  ) {}

  onModuleInit(): void {
    this.jobs.handle('sso.remove-expired-tests', () => this.tests.removeExpired());
  }
}
