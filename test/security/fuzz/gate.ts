/** Lets several work at once, and now and then one alone. */
export class Gate {
  private working = 0;
  private waiting: Promise<void> | undefined;
  private idle: (() => void) | undefined;

  /** Works beside others. */
  async among<Result>(work: () => Promise<Result>): Promise<Result> {
    while (this.waiting) await this.waiting;
    this.working++;
    try {
      return await work();
    } finally {
      this.working--;
      if (this.working === 0) this.idle?.();
    }
  }

  /** Works while nobody else does. */
  async alone<Result>(work: () => Promise<Result>): Promise<Result> {
    while (this.waiting) await this.waiting;
    let open = (): void => undefined;
    this.waiting = new Promise((resolve) => (open = resolve));
    if (this.working > 0) await new Promise<void>((resolve) => (this.idle = resolve));
    this.idle = undefined;
    try {
      return await work();
    } finally {
      this.waiting = undefined;
      open();
    }
  }
}
