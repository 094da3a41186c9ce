import { EXIT } from './output.js';

/** The signals that end a server. */
export const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
/** A terminal and npm may both forward the same Ctrl+C. */
const SAME_SIGNAL_MS = 1000;
const PARENT_CHECK_MS = 250;

const NPM_ENDED = 'npm ended';
/** Signals of orchestrators. Ctrl+C (SIGINT) and a closed terminal (SIGHUP) come from a person who waits. */
const ORCHESTRATED: ReadonlySet<string | undefined> = new Set(['SIGTERM', NPM_ENDED]);

/** The reason and time of the shutdown: a signal of the operator, or the loss of the database. */
export class Shutdown {
  private settle: () => void = () => undefined;
  private readonly ended = new Promise<void>((settle) => (this.settle = settle));
  private settleLoss: () => void = () => undefined;
  private readonly lost = new Promise<void>((settle) => (this.settleLoss = settle));
  private signalledAt: number | undefined;
  private cause: string | undefined;
  private reason: string | undefined;

  /** Handles the signals. The first one shuts the server down gracefully, a later one at once. */
  listen(note: (line: string) => void): void {
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        if (this.signalledAt !== undefined && Date.now() - this.signalledAt > SAME_SIGNAL_MS)
          process.exit(EXIT.failure);
        this.request(signal, note);
      });
    }
    if (process.env['npm_lifecycle_event'] !== undefined) this.followParent(note);
  }

  /**
   * npm forwards signals to the shell in between, which ends without forwarding them: this process then has another
   * parent.
   */
  private followParent(note: (line: string) => void): void {
    const parent = process.ppid;
    const check = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(check);
      this.request(NPM_ENDED, note);
    }, PARENT_CHECK_MS);
    check.unref();
  }

  /** Requests the end for a cause: a signal, or `npm ended`. Only the first one counts. */
  request(cause: string, note: (line: string) => void): void {
    if (this.signalledAt !== undefined) return;
    this.signalledAt = Date.now();
    this.cause = cause;
    note(`${cause}: finishing open requests, then stopping.`);
    this.settle();
  }

  /** The database is permanently lost. */
  lose(reason: string): void {
    this.reason ??= reason;
    this.settle();
    this.settleLoss();
  }

  /** Settles if the database is lost. */
  loses(): Promise<void> {
    return this.lost;
  }

  /** The signal or other cause of the end; undefined after the loss of the database. */
  get signal(): string | undefined {
    return this.cause;
  }

  get loss(): string | undefined {
    return this.reason;
  }

  get requested(): boolean {
    return this.signalledAt !== undefined || this.reason !== undefined;
  }

  /** Settles when the server has to end. */
  wait(): Promise<void> {
    return this.ended;
  }

  /**
   * Waits so many seconds until load balancers have noticed that this server ends, unless it has lost its database.
   * @returns false at once if there is no load balancer: at a terminal.
   */
  async delay(seconds: number): Promise<boolean> {
    if (seconds === 0 || !ORCHESTRATED.has(this.cause)) return false;
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([this.lost, new Promise((settle) => (timer = setTimeout(settle, seconds * 1000)))]);
    clearTimeout(timer);
    return true;
  }
}
