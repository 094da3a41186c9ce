import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DomainError } from '../../common/errors.js';
import { PROCESSES } from '../processes.js';
import { CONFIG, type Config } from '../config/config.js';

const WINDOW_MILLISECONDS = 60_000;
const SLOTS = 12;
const SLOT_MILLISECONDS = WINDOW_MILLISECONDS / SLOTS;
const MAX_ACCOUNTS = 20_000;
/** The longest pause: however expensive a request was, those behind it wait and are not refused. */
const LONGEST_PAUSE = 5000;

/** The use of a party in the last minute, in slots of five seconds, and the end of its pause. */
interface Account {
  readonly used: Float64Array;
  /** The number of the newest slot, counted from a minute before the process began. */
  newest: number;
  pausedUntil: number;
}

/**
 * Processor time that organizations, and addresses without a token, have used in the last minute on this server, in
 * milliseconds of all threads. A party that is alone is not limited to a share; a configured limit always applies.
 */
@Injectable()
export class CpuBudgets {
  private readonly accounts = new LRUCache<string, Account>({ maxSize: MAX_ACCOUNTS, sizeCalculation: () => 1 });
  private readonly share: number;
  private readonly limit: number;

  constructor(@Inject(CONFIG) config: Pick<Config, 'cpuSharePerMinute' | 'cpuLimitPerMinute'>) {
    this.share = config.cpuSharePerMinute === 0 ? Number.POSITIVE_INFINITY : config.cpuSharePerMinute * 1000;
    this.limit =
      config.cpuLimitPerMinute === 0 ? Number.POSITIVE_INFINITY : (config.cpuLimitPerMinute * 1000) / PROCESSES;
  }

  /**
   * Charges milliseconds. In the presence of others, a party above its share pauses for as long as it has just worked.
   */
  charge(name: string, milliseconds: number, company: 'alone' | 'beside others'): void {
    const now = performance.now();
    const account = this.upToDate(name, now);
    const slot = account.newest % SLOTS;
    account.used[slot] = (account.used[slot] ?? 0) + milliseconds;
    if (company === 'beside others' && sum(account) > this.share) {
      account.pausedUntil = Math.min(Math.max(account.pausedUntil, now) + milliseconds, now + LONGEST_PAUSE);
    }
  }

  /** Milliseconds that a party has used in the last minute. */
  usedBy(name: string): number {
    return this.accounts.has(name) ? sum(this.upToDate(name, performance.now())) : 0;
  }

  /** Milliseconds until a party may start a request beside others; 0 for at once. */
  pauseOf(name: string): number {
    return Math.max(0, (this.accounts.get(name)?.pausedUntil ?? 0) - performance.now());
  }

  /** The error for a party that has reached the limit, with the time when it is below it again. */
  refusalOf(name: string): DomainError | undefined {
    if (this.limit === Number.POSITIVE_INFINITY || this.usedBy(name) < this.limit) return undefined;
    const seconds = Math.ceil(this.waitOf(name) / 1000);
    return new DomainError(
      'tooManyRequests',
      `Too much processor time: at most ${(this.limit * PROCESSES) / 1000} seconds per minute`,
      [],
      { 'Retry-After': String(Math.max(1, seconds)) },
    );
  }

  /** Milliseconds until enough of a party's slots have expired for it to be below the limit. */
  private waitOf(name: string): number {
    const now = performance.now();
    const account = this.upToDate(name, now);
    let left = sum(account);
    let at = account.newest - SLOTS;
    while (left >= this.limit && at < account.newest) left -= account.used[++at % SLOTS] ?? 0;
    // The slot expires when that of the same number begins a minute later.
    return at * SLOT_MILLISECONDS - now;
  }

  private upToDate(name: string, now: number): Account {
    // A minute ahead, so that the oldest slot never has a negative number.
    const newest = SLOTS + Math.floor(now / SLOT_MILLISECONDS);
    const account = this.accounts.get(name) ?? { used: new Float64Array(SLOTS), newest, pausedUntil: 0 };
    if (newest - account.newest >= SLOTS) account.used.fill(0);
    else for (let at = account.newest + 1; at <= newest; at++) account.used[at % SLOTS] = 0;
    account.newest = newest;
    this.accounts.set(name, account);
    return account;
  }
}

function sum({ used }: Account): number {
  let all = 0;
  for (const each of used) all += each;
  return all;
}
