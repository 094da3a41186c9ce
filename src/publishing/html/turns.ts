import { setImmediate } from 'node:timers/promises';

/** Milliseconds of work after which other requests get their turn. */
const TURN = 8;

/** Lets others work in between. */
export class Turns {
  private begin = performance.now();

  readonly turn = async (): Promise<void> => {
    if (performance.now() - this.begin < TURN) return;
    await setImmediate();
    this.begin = performance.now();
  };
}
