import { ExpressionError } from './tree.js';

/** Maximum length of a text that an expression produces, in characters. */
export const MAX_TEXT = 10_000;
/** Maximum number of steps of one expression: about one for each operation and each item visited. */
export const MAX_STEPS = 20_000;
/** Reading so many characters counts as a step. */
const CHARACTERS_OF_A_STEP = 64;

/**
 * Counts the cost of evaluation, and stops expressions that exceed it. The cost of a part counts towards the whole as
 * well.
 */
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

  /** Charges the reading of a text. */
  read(text: string): string {
    this.step(Math.ceil(text.length / CHARACTERS_OF_A_STEP));
    return text;
  }

  /** Charges the creation of a text. */
  made(text: string): string {
    if (text.length > MAX_TEXT) throw tooLong();
    return this.read(text);
  }
}

export function tooLong(): ExpressionError {
  return new ExpressionError(`the expression makes a text of more than ${MAX_TEXT} characters`);
}
