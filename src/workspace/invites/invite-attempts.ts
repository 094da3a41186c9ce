import { Injectable } from '@nestjs/common';
import { RateLimit } from '../../kernel/platform/rate-limit/rate-limit.js';

/** Counts wrong secrets against the address that tries them. */
@Injectable()
export class InviteAttempts {
  constructor(private readonly limit: RateLimit) {}

  /** Throws `notFound` where an attempt gives nothing, and `tooManyRequests` after many such. */
  guard<T>(attempt: () => Promise<T | undefined>): Promise<T> {
    return this.limit.guardSecret('Invite', attempt);
  }
}
