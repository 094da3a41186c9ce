import { Injectable } from '@nestjs/common';
import { currentContext } from '../../kernel/common/context.js';
import { notFound } from '../../kernel/common/errors.js';
import { RateLimit } from '../../kernel/platform/rate-limit/rate-limit.js';

/** Counts wrong secrets against the address that tries them. */
@Injectable()
export class InviteAttempts {
  constructor(private readonly limit: RateLimit) {}

  /** Throws `notFound` where an attempt gives nothing, and `tooManyRequests` after many such. */
  async guard<T>(attempt: () => Promise<T | undefined>): Promise<T> {
    const ip = currentContext()?.ip;
    this.limit.checkSecretAttempts(ip);
    const result = await attempt();
    if (result !== undefined) return result;
    this.limit.failedSecret(ip);
    throw notFound('Invite');
  }
}
