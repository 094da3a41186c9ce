import { EXIT } from './output.js';

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Why and when the server ends: a signal of the operator, or the loss of its database. */
export class Shutdown {
  private settle: () => void = () => undefined;
  private readonly ended = new Promise<void>((settle) => (this.settle = settle));
  private signalled = false;
  private reason: string | undefined;

  /** Takes the signals over. The first one ends the server in good order, a second one at once. */
  listen(note: (line: string) => void): void {
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        if (this.signalled) process.exit(EXIT.failure);
        this.signalled = true;
        note(`${signal}: finishing open requests, then stopping.`);
        this.settle();
      });
    }
  }

  /** The database is gone for good. */
  lose(reason: string): void {
    this.reason ??= reason;
    this.settle();
  }

  get loss(): string | undefined {
    return this.reason;
  }

  get requested(): boolean {
    return this.signalled || this.reason !== undefined;
  }

  /** Settles when the server has to end. */
  wait(): Promise<void> {
    return this.ended;
  }
}
