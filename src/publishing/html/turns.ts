import { yieldToOthers } from '../../common/context.js';

/** Milliseconds of work after which other requests get their turn. */
const TURN = 8;

/** Lets others work in between. */
export class Turns {
  private begin = performance.now();

  readonly turn = async (): Promise<void> => {
    if (performance.now() - this.begin < TURN) return;
    await yieldToOthers();
    this.begin = performance.now();
  };
}
