import { Injectable } from '@nestjs/common';
import type { CheckFinding, HealthCheck } from './health-checks/health-checks.points.js';
import { Mail } from './mail.js';
import { reasonOf } from './operator-error.js';

/** Connects to the mail server and logs in, without sending anything. */
@Injectable()
export class MailCheck implements HealthCheck {
  readonly group = 'mail';
  readonly name = 'mail-server';

  constructor(private readonly mail: Mail) {}

  async run(): Promise<CheckFinding[]> {
    if (!this.mail.configured)
      return [{ level: 'ok', message: 'No mail is sent, as SMTP_URL is not set; links are shown to administrators' }];
    try {
      await this.mail.verify();
      return [{ level: 'ok', message: 'The mail server of SMTP_URL lets the service in' }];
    } catch (error) {
      return [
        {
          level: 'fault',
          message: `The mail server of SMTP_URL cannot be used: ${reasonOf(error)}`,
          advice: 'Check host, port, user and password in SMTP_URL',
        },
      ];
    }
  }
}
