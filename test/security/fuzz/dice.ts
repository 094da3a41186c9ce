import fc from 'fast-check';

/** Draws values of one run; everything that is drawn follows from the run's seed. */
export class Dice {
  constructor(private readonly draw: fc.GeneratorValue) {}

  /** A whole number from 0 to `count` - 1, all equally likely. */
  below(count: number): number {
    return this.draw(evenly, Math.max(0, count - 1));
  }

  /** True in so many of 100 cases. */
  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  /** One of several; throws where there is none. */
  pick<Value>(values: readonly Value[]): Value {
    const value = values[this.below(values.length)];
    if (value === undefined && values.length === 0) throw new Error('there is nothing to pick from');
    return value as Value;
  }

  /** A value of an arbitrary. */
  of<Value>(arbitrary: fc.Arbitrary<Value>): Value {
    return this.draw(itself, arbitrary) as Value;
  }
}

const evenly = (max: number): fc.Arbitrary<number> => fc.noBias(fc.nat(max));
const itself = (arbitrary: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> => arbitrary;
