/** Pseudorandom numbers, the same in every run with the same seed (mulberry32). */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** From 0 to less than 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 to less than `limit`. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  /** One item of a list that is not empty. */
  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  }
}

/** Draws ranks from 0 to less than `size`, the k-th with a weight of 1 / (k + 2.7): Mandelbrot's form of Zipf's law. */
export class Zipf {
  private readonly sums: Float64Array;

  constructor(size: number) {
    this.sums = new Float64Array(size);
    let sum = 0;
    for (let rank = 0; rank < size; rank++) this.sums[rank] = sum += 1 / (rank + 2.7);
  }

  rank(random: Random): number {
    const wanted = random.next() * (this.sums.at(-1) ?? 0);
    let low = 0;
    let high = this.sums.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.sums[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
