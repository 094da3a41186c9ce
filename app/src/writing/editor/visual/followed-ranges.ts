import type { Mapping } from 'prosemirror-transform';

/** A range that moves with the text around it, until its end. */
export interface FollowedRange {
  end(): [from: number, to: number];
}

/** Ranges for which something is asked while the text goes on changing. */
export class FollowedRanges {
  /** In the order in which they were asked for. */
  private readonly ranges = new Set<[number, number]>();
  /** Places behind the content that is put next: it was asked for before theirs. */
  private readonly behind = new Set<[number, number]>();

  /** Text that is typed at either end of the range, or at the place of an empty one, does not belong to it. */
  follow(from: number, to: number): FollowedRange {
    const range: [number, number] = [from, to];
    this.ranges.add(range);
    return {
      end: () => {
        if (this.ranges.has(range)) this.waitBehind(range);
        this.ranges.delete(range);
        return [...range];
      },
    };
  }

  map(mapping: Pick<Mapping, 'map'>): void {
    for (const range of this.ranges) {
      const [from, to] = range;
      const end = mapping.map(to, this.behind.has(range) ? 1 : -1);
      range[0] = from === to ? end : mapping.map(from, 1);
      range[1] = Math.max(range[0], end);
    }
    this.behind.clear();
  }

  /** Keeps empty ranges that were asked for later at the end of a range behind what takes its place at once. */
  private waitBehind(range: readonly [number, number]): void {
    const all = [...this.ranges];
    for (const later of all.slice(all.findIndex((each) => each === range) + 1))
      if (later[0] === later[1] && later[0] === range[1]) this.behind.add(later);
    // Nothing may take its place: what is typed next does not belong to the others.
    queueMicrotask(() => this.behind.clear());
  }
}
