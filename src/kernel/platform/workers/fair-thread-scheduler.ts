import { DomainError } from '../../common/errors.js';

/** Calls of one party that may wait for a thread. */
const MOST_WAITING = 1000;

interface Party {
  running: number;
  readonly waiting: Set<() => void>;
}

/** Assigns threads to parties in turn, and limits each of them to its share. */
export class FairThreadScheduler {
  private readonly parties = new Map<string, Party>();
  private running = 0;

  constructor(
    private readonly threads: number,
    private readonly share: number,
  ) {}

  /** Number of waiting calls, of all parties. */
  get waiting(): number {
    return [...this.parties.values()].reduce((sum, party) => sum + party.waiting.size, 0);
  }

  /**
   * Waits for a thread; the returned function must be called once the thread is free again. Throws `tooManyRequests` if
   * too many calls of the party wait, and the reason of the signal if that ends the waiting.
   */
  async enter(name: string, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    const party = this.parties.get(name) ?? { running: 0, waiting: new Set() };
    if (party.waiting.size >= MOST_WAITING)
      throw new DomainError('tooManyRequests', 'Too many texts of this organization wait to be read', [], {
        'Retry-After': '5',
      });
    this.parties.set(name, party);
    await new Promise<void>((resolve, reject) => {
      const begin = (): void => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = (): void => {
        party.waiting.delete(begin);
        this.forget(name, party);
        reject(signal?.reason instanceof Error ? signal.reason : new Error('the call was ended'));
      };
      party.waiting.add(begin);
      signal?.addEventListener('abort', giveUp, { once: true });
      this.goOn();
    });
    return () => {
      party.running--;
      this.running--;
      this.forget(name, party);
      this.goOn();
    };
  }

  private forget(name: string, party: Party): void {
    if (party.running === 0 && party.waiting.size === 0) this.parties.delete(name);
  }

  /** Starts the calls that may start: the party whose last turn is longest ago comes first. */
  private goOn(): void {
    for (const [name, party] of [...this.parties]) {
      if (this.running >= this.threads) return;
      const [begin] = party.running < this.share ? party.waiting : [];
      if (begin === undefined) continue;
      party.waiting.delete(begin);
      party.running++;
      this.running++;
      this.parties.delete(name);
      this.parties.set(name, party);
      begin();
    }
  }
}
