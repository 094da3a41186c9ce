import type { Memory } from './target.js';

/** What is told of one kind of request. */
class Tally {
  requests = 0;
  readonly statuses = new Map<number, number>();
  slowest = 0;

  add(status: number, milliseconds: number): void {
    this.requests++;
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    this.slowest = Math.max(this.slowest, milliseconds);
  }

  /** Answers whose status begins with this digit. */
  of(digit: number): number {
    return [...this.statuses].reduce(
      (sum, [status, count]) => (Math.floor(status / 100) === digit ? sum + count : sum),
      0,
    );
  }
}

const SIGNED: ReadonlySet<string> = new Set(['receiveGitHook']);

/** The figures of a run, by operation. */
export class Figures {
  private readonly tallies = new Map<string, Tally>();
  readonly memory: Memory[] = [];
  requests = 0;

  add(operation: string, status: number, milliseconds: number): void {
    this.requests++;
    const tally = this.tallies.get(operation) ?? new Tally();
    this.tallies.set(operation, tally);
    tally.add(status, milliseconds);
  }

  /** Operations that nothing got through to, without those that nobody can guess the signature of. */
  get blind(): string[] {
    return [...this.tallies]
      .filter(([name, tally]) => !SIGNED.has(name) && tally.of(2) + tally.of(3) === 0)
      .map(([name]) => name);
  }

  /** A line for each operation: requests, the shares of 2xx, 3xx and 4xx, statuses, the slowest answer. */
  table(): string {
    const share = (part: number, whole: number): string => `${Math.round((100 * part) / whole)} %`.padStart(6);
    return [...this.tallies]
      .map(
        ([name, tally]) =>
          `${name.padEnd(46)} ${String(tally.requests).padStart(5)} ${share(tally.of(2), tally.requests)}${share(tally.of(3), tally.requests)}${share(tally.of(4), tally.requests)}  ${[
            ...tally.statuses,
          ]
            .sort(([a], [b]) => a - b)
            .map(([status, count]) => `${status}:${count}`)
            .join(' ')}  ${tally.slowest.toFixed(0)} ms`,
      )
      .join('\n');
  }

  summary(): string {
    const all = new Tally();
    let slowest = '';
    for (const [name, tally] of this.tallies) {
      all.requests += tally.requests;
      if (tally.slowest > all.slowest) [all.slowest, slowest] = [tally.slowest, name];
      for (const [status, count] of tally.statuses) all.statuses.set(status, (all.statuses.get(status) ?? 0) + count);
    }
    const statuses = [...all.statuses]
      .sort(([a], [b]) => a - b)
      .map(([status, count]) => `${status === 0 ? 'no answer' : status}: ${count}`)
      .join(', ');
    const memory = this.memory.map(({ heap, external, rss }) => `${heap} + ${external} (${rss})`).join(' -> ');
    return `${all.requests} requests of ${this.tallies.size} operations; ${statuses}; slowest ${all.slowest.toFixed(0)} ms (${slowest}); memory in MB, heap + outside of it (resident): ${memory}; operations without any success: ${this.blind.length}`;
  }
}
