import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../../common/clock.js';
import { Database } from '../../common/database.js';
import { PROCESSES } from '../processes.js';

const WINDOW_SECONDS = 60;
const BLOCKS_PER_WINDOW = 20;
const MAX_KEYS = 100_000;
/** Milliseconds for which a request waits for the database to share its budget. */
const SHARE_MILLISECONDS = 1000;

/** The state of a budget after a request, as shown to the caller. */
export interface Standing {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Seconds since 1970 at which the budget is restored. */
  readonly reset: number;
}

/** The state of one budget in the current window, as known to this server. */
interface Budget {
  readonly window: number;
  /** Requests that this server may still admit without asking. */
  credit: number;
  /** Spent or reserved by all servers, as far as known. */
  used: number;
  /** Taken by this server and not yet reported to the others. */
  unreported: number;
  exhausted: boolean;
  leasing: Promise<void> | undefined;
}

/** Minutes since 1970. */
export function windowNumber(now: Date): number {
  return Math.floor(now.getTime() / 1000 / WINDOW_SECONDS);
}

/** Requests that a process takes from the common budget at once: all of a server together about a twentieth. */
export function blockOf(limit: number): number {
  return Math.max(1, Math.ceil(limit / BLOCKS_PER_WINDOW / PROCESSES));
}

/**
 * Budgets of requests per minute that several servers share. Each takes blocks of the budget from PostgreSQL and admits
 * the requests of its first block before it asks, so most requests cost no query, and no more than one block per server
 * goes beyond the limit.
 */
@Injectable()
export class Budgets {
  private readonly logger = new Logger('RateLimit');
  private readonly budgets = new LRUCache<string, Budget>({ maxSize: MAX_KEYS, sizeCalculation: () => 1 });
  /** Statements whose requests have gone on without their answer. */
  private overdue = 0;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Takes one request from a budget of `limit` per minute. */
  async spend(key: string, limit: number): Promise<Standing> {
    const budget = this.current(key, limit);
    while (budget.credit <= 0 && !budget.exhausted) await this.lease(key, budget, limit);
    const allowed = budget.credit > 0;
    if (allowed) budget.credit--;
    // The next block is fetched before this one is used up, so that hardly any request waits for it.
    if (budget.credit > 0 && budget.credit < blockOf(limit) / 2 && !budget.exhausted)
      void this.lease(key, budget, limit);
    return this.standing(budget, limit, allowed);
  }

  /** Charges an event to a budget: at once on this server, soon on the others. */
  charge(key: string, limit: number): void {
    const budget = this.current(key, limit);
    budget.credit--;
    void this.cover(key, budget, limit);
  }

  /** Returns the state of a budget without spending, as known to this server. */
  look(key: string, limit: number): Standing {
    const standing = this.standing(this.current(key, limit), limit, true);
    return { ...standing, allowed: standing.remaining > 0 };
  }

  private async cover(key: string, budget: Budget, limit: number): Promise<void> {
    while (budget.credit < 0 && !budget.exhausted) await this.lease(key, budget, limit);
  }

  private standing(budget: Budget, limit: number, allowed: boolean): Standing {
    return {
      allowed,
      limit,
      remaining: Math.max(Math.max(limit - budget.used, 0) + budget.credit, 0),
      reset: (budget.window + 1) * WINDOW_SECONDS,
    };
  }

  private current(key: string, limit: number): Budget {
    const window = windowNumber(this.clock.now());
    const known = this.budgets.get(key);
    if (known?.window === window) return known;
    // Workers ask before they admit anything: together they would go as many blocks beyond the limit.
    const block = PROCESSES > 1 ? 0 : Math.min(blockOf(limit), limit);
    const fresh: Budget = {
      window,
      credit: block,
      used: block,
      unreported: block,
      exhausted: false,
      leasing: undefined,
    };
    this.budgets.set(key, fresh);
    return fresh;
  }

  private lease(key: string, budget: Budget, limit: number): Promise<void> {
    budget.leasing ??= this.database
      // The charge is kept, whatever the outcome of the request.
      .apart(() => this.takeBlock(key, budget, limit))
      .finally(() => {
        budget.leasing = undefined;
      });
    return budget.leasing;
  }

  /** Takes a block of the budget, which all servers share unless the database does not say in time what they have used. */
  private async takeBlock(key: string, budget: Budget, limit: number): Promise<void> {
    const block = blockOf(limit);
    if (this.overdue > 0 || this.database.replicas?.standIn) {
      // A primary that is known to be away or silent is neither waited for nor given more to do.
      budget.credit += block;
      return;
    }
    const sharing = this.share(key, budget, limit, block).then((granted) => {
      budget.credit += granted;
    });
    const isShared = sharing.then(() => true);
    if (await Promise.race([isShared, pause(SHARE_MILLISECONDS, false, { ref: false })])) return;
    budget.credit += block;
    this.overdue++;
    void sharing.finally(() => {
      budget.credit -= block;
      this.overdue--;
    });
  }

  /** Reports what was used and asks for a block. @returns the number of requests that are granted. Never throws. */
  private async share(key: string, budget: Budget, limit: number, block: number): Promise<number> {
    const reported = budget.unreported;
    budget.unreported = 0;
    try {
      const row = await this.database.one<{ used: number }>(
        `INSERT INTO rate_budget (key, window_number, used) VALUES ($1, $2, $3)
         ON CONFLICT (key) DO UPDATE SET window_number = excluded.window_number,
           used = least(excluded.used + CASE WHEN rate_budget.window_number = excluded.window_number THEN rate_budget.used ELSE 0 END, 1000000000)
         RETURNING used`,
        [key, budget.window, reported + block],
      );
      const used = row?.used ?? 0;
      const granted = Math.min(Math.max(limit - (used - block), 0), block);
      budget.used = used;
      budget.exhausted = granted < block;
      return granted;
    } catch (error) {
      // Requests are not refused because the database is unavailable; those that need it fail by themselves.
      this.logger.warn(`budgets could not be shared: ${String(error)}`);
      budget.unreported += reported;
      return block;
    }
  }
}
