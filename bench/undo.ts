/** Clean-up at the end of a run, also of an aborted one: in reverse order, and once. */
export class Undo {
  private readonly steps: (() => Promise<unknown>)[] = [];
  private ending: Promise<void> | undefined;

  /** True from the moment that the end begins: nothing should be started any more. */
  get begun(): boolean {
    return this.ending !== undefined;
  }

  /** Adds a step; at once where the end has begun, so that whatever was started meanwhile ends too. */
  push(step: () => Promise<unknown>): void {
    this.steps.push(step);
    if (this.ending !== undefined) this.ending = this.ending.then(() => this.takeSteps());
  }

  all(): Promise<void> {
    return (this.ending ??= this.takeSteps());
  }

  /** A step that fails is told, and keeps none of the others from being taken. */
  private async takeSteps(): Promise<void> {
    for (let step = this.steps.pop(); step !== undefined; step = this.steps.pop())
      await step().catch((error: unknown) => process.stderr.write(`clean-up: ${String(error)}\n`));
  }
}
