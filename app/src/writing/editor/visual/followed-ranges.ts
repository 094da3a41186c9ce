import type { Mapping } from 'prosemirror-transform';

/** A range that moves with the text around it, until its end. */
export interface FollowedRange {
  end(): [from: number, to: number];
}

/** Ranges for which something is asked while the text goes on changing. */
export class FollowedRanges {
  private readonly ranges = new Set<[number, number]>();

  /** Text that is typed at either end of the range, or at the place of an empty one, does not belong to it. */
  follow(from: number, to: number): FollowedRange {
    const range: [number, number] = [from, to];
    this.ranges.add(range);
    return {
      end: () => {
        this.ranges.delete(range);
        return [...range];
      },
    };
  }

  map(mapping: Pick<Mapping, 'map'>): void {
    for (const range of this.ranges) {
      const [from, to] = range;
      const end = mapping.map(to, -1);
      range[0] = from === to ? end : mapping.map(from, 1);
      range[1] = Math.max(range[0], end);
    }
  }
}
