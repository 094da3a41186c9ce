import { Clock } from '../src/kernel/common/clock.js';

/** A clock that stands until it is moved. */
export class SetClock extends Clock {
  constructor(private time: number) {
    super();
  }
  override now(): Date {
    return new Date(this.time);
  }
  /** Moves the clock on by some milliseconds, or back. */
  advance(milliseconds: number): void {
    this.time += milliseconds;
  }
}
