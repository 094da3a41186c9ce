import { ExpressionError } from './tree.js';

/** Characters of a text that an expression makes. */
export const MAX_TEXT = 10_000;
/** Steps of one expression: about one for each operation and each item that it looks at. */
export const MAX_STEPS = 20_000;
/** Looking at so many characters counts as a step. */
const CHARACTERS_OF_A_STEP = 64;

/** Counts what evaluation costs, and ends what costs too much. What is a part of a whole counts for both. */
export class EvaluationBudget {
  constructor(
    private left = MAX_STEPS,
    private readonly whole?: EvaluationBudget,
  ) {}

  step(count = 1): void {
    this.whole?.step(count);
    this.left -= count;
    if (this.left < 0) throw new ExpressionError('the expression takes too many steps');
  }

  /** Counts the reading of a text. */
  read(text: string): string {
    this.step(Math.ceil(text.length / CHARACTERS_OF_A_STEP));
    return text;
  }

  /** Counts the making of a text. */
  made(text: string): string {
    if (text.length > MAX_TEXT) throw tooLong();
    return this.read(text);
  }
}

export function tooLong(): ExpressionError {
  return new ExpressionError(`the expression makes a text of more than ${MAX_TEXT} characters`);
}
